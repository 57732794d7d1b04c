import { Monitor, Moon, Sun } from "lucide-react";
import { useTranslation } from "#translation";
import type { Theme } from "../../../worker/contract/options";
import { applyTheme, useTheme } from "../../lib/theme";
import { Segmented } from "./segmented";

type ThemeSwitcherProps = {
  compact?: boolean;
  className?: string;
  /** Called after the choice is applied, to save it on the server too. */
  onPick?: (theme: Theme) => void;
};

export function ThemeSwitcher({ compact, className, onPick }: ThemeSwitcherProps) {
  const { t } = useTranslation();
  const theme = useTheme();
  return (
    <Segmented
      legend={t("theme.label")}
      value={theme}
      {...(compact && { compact })}
      {...(className && { className })}
      onChange={(choice) => {
        applyTheme(choice);
        onPick?.(choice);
      }}
      choices={[
        { value: "light", label: t("theme.light"), icon: Sun },
        { value: "dark", label: t("theme.dark"), icon: Moon },
        { value: "system", label: t("theme.system"), icon: Monitor },
      ]}
    />
  );
}
