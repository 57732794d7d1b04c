import { readStored } from "./storage";

/** Sets the theme before the first paint. */
export function applyInitialTheme(): void {
  let theme = readStored("theme");
  if (theme !== "light" && theme !== "dark")
    theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
}
