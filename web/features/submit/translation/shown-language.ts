import type { Language } from "../../../../worker/contract/options";

let shown: Language = "en";

/** The page's language. A browser's translator changes the `lang` attribute. */
export const shownLanguage = (): Language => shown;

export function setShownLanguage(language: Language, page = document.documentElement): void {
  shown = language;
  page.lang = language;
}
