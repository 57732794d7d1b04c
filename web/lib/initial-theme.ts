/** Sets the theme before the first paint. */
export function applyInitialTheme(): void {
  let theme: string | null = null;
  try {
    theme = localStorage.getItem("theme");
  } catch {
    // Without storage the system's theme is used.
  }
  if (theme !== "light" && theme !== "dark")
    theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
}
