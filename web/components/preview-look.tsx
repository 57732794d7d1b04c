import { Monitor, Moon, Smartphone, Sun } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Segmented } from "./ui/segmented";

const DEVICES = ["desktop", "phone"] as const;
const THEMES = ["light", "dark"] as const;
const ICONS = { desktop: Monitor, phone: Smartphone, light: Sun, dark: Moon };

/** On which device and in which theme a preview is shown. */
export type Look = { device: (typeof DEVICES)[number]; theme: (typeof THEMES)[number] };

/** Chooses device and theme of what it shows; at first those of the reader. */
export function PreviewLook({ children }: { children: (look: Look) => ReactNode }) {
  const { t } = useTranslation();
  const [look, setLook] = useState<Look>(() => ({
    device: matchMedia("(min-width: 40rem)").matches ? "desktop" : "phone",
    theme: document.documentElement.dataset.theme === "dark" ? "dark" : "light",
  }));
  return (
    <>
      <div className="mb-3 flex flex-wrap gap-2">
        <Segmented
          legend={t("preview.device")}
          value={look.device}
          onChange={(device) => setLook({ ...look, device })}
          choices={DEVICES.map((value) => ({ value, label: t(`preview.${value}`), icon: ICONS[value] }))}
        />
        <Segmented
          legend={t("theme.label")}
          value={look.theme}
          onChange={(theme) => setLook({ ...look, theme })}
          choices={THEMES.map((value) => ({ value, label: t(`theme.${value}`), icon: ICONS[value] }))}
        />
      </div>
      {children(look)}
    </>
  );
}
