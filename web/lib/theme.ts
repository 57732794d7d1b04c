import { useSyncExternalStore } from "react";
import { THEMES, type Theme } from "../../worker/contract/options";

const KEY = "theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

function isTheme(value: unknown): value is Theme {
  return THEMES.some((theme) => theme === value);
}

function readTheme(): Theme | null {
  try {
    const stored = localStorage.getItem(KEY);
    return isTheme(stored) ? stored : null;
  } catch {
    return null;
  }
}

/** Whether a theme was chosen in this browser. */
export const hasStoredTheme = () => readTheme() !== null;

const storedTheme = (): Theme => readTheme() ?? "system";

function paint(): void {
  const theme = storedTheme();
  const resolved = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
  document.documentElement.dataset.theme = resolved;
}

/** Stores the theme and applies it at once. */
export function applyTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  paint();
  for (const listener of listeners) listener();
}

/** Follows the operating system while the theme is "system", and changes made in other tabs. */
export function watchTheme(): void {
  dark.addEventListener("change", paint);
  window.addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    paint();
    for (const listener of listeners) listener();
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, storedTheme, () => "system");
}
