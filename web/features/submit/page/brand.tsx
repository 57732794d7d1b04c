import { useState } from "react";
import type { Brand } from "../../../../worker/contract/brand";
import { brandShades } from "../../../../worker/contract/brand-colors";
import { shownLogoSize } from "../../../../worker/contract/logo-size";
import { cx } from "../../../lib/cx";

/** Lets the page use readable shades of the colour, in both themes: see `submit.css`. */
export function applyColor(color: string | null): void {
  const { dataset, style } = document.documentElement;
  if (!color) return;
  for (const theme of ["light", "dark"] as const)
    for (const [name, shade] of Object.entries(brandShades(color, theme)))
      style.setProperty(`--${theme}-${name}`, shade);
  dataset.brand = "";
}

/** The sender's logo and name, where the product's stand otherwise. */
export function BrandMark({ brand: { name, logo } }: { brand: Brand }) {
  const [failed, setFailed] = useState(false);
  const isDrawn = logo && !failed;
  return (
    <span className="inline-flex min-w-0 items-center gap-2.5">
      {isDrawn && (
        <span className="shrink-0 rounded-control bg-[#e9e6df] px-2 py-1">
          <img
            src={logo.url}
            alt=""
            {...shownLogoSize(logo, { width: 120, height: 32 })}
            decoding="async"
            onError={() => setFailed(true)}
          />
        </span>
      )}
      {name && (
        // Beside a logo, a phone has no room for it.
        <span
          className={cx(
            "line-clamp-2 min-w-0 break-words font-semibold text-lg leading-6",
            isDrawn && "max-sm:sr-only",
          )}
        >
          {name}
        </span>
      )}
    </span>
  );
}

export function BrandFooter({ text }: { text: string }) {
  return (
    <footer className="whitespace-pre-line break-words px-5 pt-5 text-ink-soft text-sm sm:px-1">
      {text}
    </footer>
  );
}
