import { ChevronDown, Globe, Monitor, Moon, Sun } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { LANGUAGES, type Language, type Theme } from "../../../../worker/contract/options";
import { Logo } from "../../../components/ui/logo";
import { cx } from "../../../lib/cx";
import { applyTheme, useTheme } from "../../../lib/theme";
import { useTexts } from "../translation/use-texts";

const THEME_ICONS = { light: Sun, dark: Moon, system: Monitor };

type PageHeaderProps = { onLanguage: (language: Language) => void; mark: ReactNode };

export function PageHeader({ onLanguage, mark }: PageHeaderProps) {
  const { t, language } = useTexts();
  const theme = useTheme();
  const ThemeIcon = THEME_ICONS[theme];
  const hydrated = useHydrated();
  return (
    <header className="mx-auto flex min-h-14 w-full max-w-160 huge:flex-wrap items-center justify-between gap-2 px-4 sm:h-18 sm:px-0 sm:pt-4">
      {mark || <Logo />}
      {hydrated && (
        <div className="flex items-center gap-1 huge:flex-wrap">
          <IconSelect
            label={t("language")}
            value={language}
            onChange={(value) => onLanguage(value as Language)}
            icon={<Globe aria-hidden />}
            wide
          >
            {LANGUAGES.map((known) => (
              <option key={known} value={known} lang={known}>
                {t(`languages.${known}`)}
              </option>
            ))}
          </IconSelect>
          <IconSelect
            label={t("theme")}
            value={theme}
            onChange={(value) => applyTheme(value as Theme)}
            icon={<ThemeIcon aria-hidden />}
          >
            {(["light", "dark", "system"] as const).map((known) => (
              <option key={known} value={known}>
                {t(`themes.${known}`)}
              </option>
            ))}
          </IconSelect>
        </div>
      )}
    </header>
  );
}

/** False while prerendering and hydrating. */
function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
}

type IconSelectProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  icon: ReactNode;
  /** Shows the value as text; otherwise only the icon is shown. */
  wide?: boolean;
  children: ReactNode;
};

/** A native select, which phones display best, under an icon. */
function IconSelect({ label, value, onChange, icon, wide = false, children }: IconSelectProps) {
  return (
    <span className="relative inline-flex h-10 items-center rounded-control text-ink-soft hover:bg-hover hover:text-ink [&_svg]:pointer-events-none [&_svg]:absolute [&_svg]:left-2.5 [&_svg]:size-5">
      <span className={cx("contents", wide && "max-[379px]:hidden")}>{icon}</span>
      <select
        aria-label={label}
        title={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        className={cx(
          "field-sizing-content h-10 cursor-pointer appearance-none rounded-control bg-transparent pl-9 [&>option]:bg-surface [&>option]:text-ink",
          wide ? "pr-7 text-sm max-[379px]:pl-2" : "w-10 overflow-hidden pl-10 text-transparent",
        )}
      >
        {children}
      </select>
      {wide && (
        <span aria-hidden className="contents [&>svg]:right-1.5 [&>svg]:left-auto [&>svg]:size-4">
          <ChevronDown />
        </span>
      )}
    </span>
  );
}
