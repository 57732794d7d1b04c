import { LANGUAGES, type Language } from "../../../worker/contract/options";
import { LANGUAGE_KEY as KEY } from "../../lib/language";

const YEAR_SECONDS = 60 * 60 * 24 * 365;

function supported(tag: string | null | undefined): Language | undefined {
  const base = tag?.toLowerCase().split("-")[0];
  return LANGUAGES.find((language) => language === base);
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** What was chosen here before, else what the browser asks for, else English. */
export function detectLanguage(): Language {
  const cookie = new RegExp(`(?:^|; )${KEY}=([^;]*)`).exec(document.cookie)?.[1];
  for (const tag of [stored(), cookie, ...navigator.languages]) {
    const language = supported(tag);
    if (language) return language;
  }
  return "en";
}

export function rememberLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // The cookie has it too.
  }
  const cookie = `${KEY}=${language};path=/;max-age=${YEAR_SECONDS};samesite=lax`;
  // The Cookie Store is not there in every browser, nor without https.
  Object.assign(document, { cookie });
}
