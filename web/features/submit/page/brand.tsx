import { useState } from "react";
import type { Brand } from "../../../../worker/contract/brand";
import { brandShades } from "../../../../worker/contract/brand-colors";
import { shownLogoSize } from "../../../../worker/contract/logo-size";
import type { LogoGround } from "../../../../worker/contract/options";
import { cx } from "../../../lib/cx";

/** Lets the page use readable shades of the colour, in both themes: see `submit.css`. */
export function applyColor(color: string | null, { dataset, style } = document.documentElement): void {
  if (!color) return;
  for (const theme of ["light", "dark"] as const)
    for (const [name, shade] of Object.entries(brandShades(color, theme)))
      style.setProperty(`--${theme}-${name}`, shade);
  dataset.brand = "";
}

/** What is behind a logo: a plate in the themes in which it is not readable. */
const PLATES = {
  none: "bg-[#d4d0c6] px-2 py-1",
  light: "dark:bg-[#d4d0c6] dark:px-2 dark:py-1",
  dark: "bg-[#d4d0c6] px-2 py-1 dark:bg-transparent dark:p-0",
  both: "",
} satisfies Record<LogoGround, string>;

/** The sender's logo and name, where the product's stand otherwise. */
export function BrandMark({ brand: { name, logo } }: { brand: Brand }) {
  const [failed, setFailed] = useState(false);
  const isDrawn = logo && !failed;
  const isNamed = !(isDrawn && logo.hasName);
  return (
    <span className="inline-flex min-w-0 items-center gap-2.5">
      {isDrawn && (
        <span className={cx("shrink-0 rounded-control", PLATES[logo.readableOn ?? "none"])}>
          <img
            src={logo.url}
            alt={(!isNamed && name) || ""}
            {...shownLogoSize(logo, { width: 120, height: 32 })}
            decoding="async"
            onError={() => setFailed(true)}
          />
        </span>
      )}
      {name && isNamed && (
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
