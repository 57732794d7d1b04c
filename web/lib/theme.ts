import { THEMES, type Theme } from "../../worker/contract/options";
import { readStored, writeStored } from "./storage";
import { createStore } from "./store";

const KEY = "theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
/** The prerendered pages are in the system's theme. */
const current = createStore<Theme>("system");
current.set(storedTheme() ?? "system");

function storedTheme(): Theme | undefined {
  const stored = readStored(KEY);
  return THEMES.find((theme) => theme === stored);
}

/** Whether a theme was chosen in this browser. */
export const hasStoredTheme = () => storedTheme() !== undefined;

export const useTheme = current.use;

function paint(): void {
  const theme = current.get();
  const resolved = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
  document.documentElement.dataset.theme = resolved;
}

/** Stores the theme and applies it at once. Without storage, the choice lasts as long as the page. */
export function applyTheme(theme: Theme): void {
  writeStored(KEY, theme);
  current.set(theme);
  paint();
}

/** Follows the operating system while the theme is "system", and changes made in other tabs. */
export function watchTheme(): void {
  dark.addEventListener("change", paint);
  window.addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    current.set(storedTheme() ?? "system");
    paint();
  });
}
