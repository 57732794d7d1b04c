import type { Language } from "../../worker/contract/options";
import { applyInitialTheme } from "./initial-theme";
import { detectLanguage } from "./language";

export type PageBootstrap = {
  language: Language;
  /** The form was submitted before hydration. */
  submitted: boolean;
};

/** What every prerendered page does in its head: theme, language, and no form submitted by the browser itself. */
export function bootstrapPage(): PageBootstrap {
  applyInitialTheme();
  const bootstrap: PageBootstrap = { language: detectLanguage(), submitted: false };
  // The prerendered text is English. Style sheets hide it until the translation is there.
  if (bootstrap.language !== "en") document.documentElement.dataset.texts = "pending";
  // The browser would put what was typed, a password too, into the URL.
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    bootstrap.submitted = true;
  });
  return bootstrap;
}

/** Shows the prerendered text, translated or not. */
export function showTexts(): void {
  delete document.documentElement.dataset.texts;
}
