import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type BrandShades, brandShades, shownLogoSize } from "../../../../worker/contract/brand-colors";
import { PRODUCT_NAME } from "../../../../worker/contract/product";
import { LogoMark } from "../../../components/ui/logo";
import { Segmented } from "../../../components/ui/segmented";
import { cx } from "../../../lib/cx";

export const STANDARD_COLOR = "#1a56a4";

const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** The grounds and texts of page and mail, which here do not follow the theme of the app. */
const TONES = {
  light: { paper: "#fbfaf7", surface: "#ffffff", line: "#e0ded8", ink: "#171d26", soft: "#525864" },
  dark: { paper: "#0e1217", surface: "#181c22", line: "#31363d", ink: "#f0eee9", soft: "#aeaba0" },
} satisfies Record<Theme, Record<string, string>>;
const TILE = "#e9e6df";

const BOXES = { page: { width: 120, height: 32 }, mail: { width: 160, height: 40 } };

type PreviewedBrand = {
  name: string;
  /** Null for the standard colour. */
  color: string | null;
  footer: string;
  logo: { url: string; width: number; height: number } | null;
};

const DEVICES = ["desktop", "phone"] as const;
type Device = (typeof DEVICES)[number];

/** The link's page and a mail in both themes, with the shades that are computed from the colour. */
export function BrandingPreview({ color, ...brand }: PreviewedBrand) {
  const { t } = useTranslation(["workspace", "common"]);
  const [device, setDevice] = useState<Device>("desktop");
  return (
    <section aria-label={t("branding.preview")} className="flex flex-col items-start gap-3">
      <Segmented
        legend={t("branding.preview")}
        value={device}
        onChange={setDevice}
        choices={DEVICES.map((value) => ({ value, label: t(`branding.devices.${value}`) }))}
      />
      <div className="grid w-full gap-3 sm:grid-cols-2">
        {THEMES.map((theme) => {
          const shades = brandShades(color ?? STANDARD_COLOR, theme);
          return (
            <div key={theme} className="flex min-w-0 flex-col gap-3">
              <p className="font-medium text-ink-soft text-xs">{t(`common:theme.${theme}`)}</p>
              {(["page", "mail"] as const).map((kind) => (
                <Sample key={kind} kind={kind} device={device} theme={theme} shades={shades} {...brand} />
              ))}
              <p className="text-ink-soft text-xs">
                {t("branding.shades", { fill: shades.accent, text: shades.text })}
              </p>
            </div>
          );
        })}
      </div>
    </section>
  );
}

type SampleProps = Omit<PreviewedBrand, "color"> & {
  kind: keyof typeof BOXES;
  device: Device;
  theme: Theme;
  shades: BrandShades;
};

function Sample({ kind, device, theme, shades, name, footer, logo }: SampleProps) {
  const { t } = useTranslation("workspace");
  const { paper, surface, line, ink, soft } = TONES[theme];
  const isPhone = device === "phone";
  // As on the page: beside a logo, a phone has no room for it.
  const isNamed = !(isPhone && kind === "page" && logo);
  return (
    <figure className={isPhone ? "max-w-60" : undefined}>
      <figcaption className="mb-1 text-ink-soft text-xs">{t(`branding.${kind}`)}</figcaption>
      <div
        className="flex flex-col gap-2.5 rounded-control border p-3 text-sm"
        style={{ background: paper, borderColor: line, color: ink }}
      >
        <div className="flex min-w-0 items-center gap-2">
          {logo && (
            <span className="min-w-0 shrink-0 rounded-control px-2 py-1" style={{ background: TILE }}>
              <img src={logo.url} alt="" {...shownLogoSize(logo, BOXES[kind])} />
            </span>
          )}
          {!logo && !name && <LogoMark className="size-6" />}
          {isNamed && (
            <span className="line-clamp-2 min-w-0 break-words font-semibold">
              {name || (logo ? "" : PRODUCT_NAME)}
            </span>
          )}
        </div>
        <div
          className="flex flex-col items-start gap-2.5 rounded-control border p-3"
          style={{ background: surface, borderColor: line }}
        >
          <span className="font-semibold">{t("branding.sample.subject")}</span>
          <span
            className={cx("rounded-control px-3 py-1.5 font-medium", isPhone && "w-full text-center")}
            style={{ background: shades.accent, color: shades.ink }}
          >
            {t("branding.sample.button")}
          </span>
          <span style={{ color: shades.text }}>{t("branding.sample.link")}</span>
        </div>
        {footer && (
          <p className="whitespace-pre-line break-words text-xs" style={{ color: soft }}>
            {footer}
          </p>
        )}
      </div>
    </figure>
  );
}
