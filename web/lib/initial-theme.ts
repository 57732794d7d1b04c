/** Puts a page into its theme before the first paint, by a script in its head. */
export function applyInitialTheme(): void {
  let theme: string | null = null;
  try {
    theme = localStorage.getItem("theme");
  } catch {
    // Without storage the system's choice holds.
  }
  if (theme !== "light" && theme !== "dark")
    theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
}
