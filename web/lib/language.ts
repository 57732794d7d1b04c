import { LANGUAGES, type Language } from "../../worker/contract/options";

/** The key of the language, in local storage and in the cookie. */
export const LANGUAGE_KEY = "i18nextLng";

/** The language that was detected rather than chosen. */
const DETECTED_KEY = "detectedLanguage";
const YEAR_SECONDS = 60 * 60 * 24 * 365;

function supported(tag: string | null | undefined): Language | undefined {
  const base = tag?.toLowerCase().split("-")[0];
  return LANGUAGES.find((language) => language === base);
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The stored language, else the browser's, else English. */
export function detectLanguage(): Language {
  const cookie = new RegExp(`(?:^|; )${LANGUAGE_KEY}=([^;]*)`).exec(document.cookie)?.[1];
  for (const tag of [stored(LANGUAGE_KEY), cookie, ...navigator.languages]) {
    const language = supported(tag);
    if (language) return language;
  }
  return "en";
}

export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(LANGUAGE_KEY, language);
  } catch {
    // The cookie is set too.
  }
  const cookie = `${LANGUAGE_KEY}=${language};path=/;max-age=${YEAR_SECONDS};samesite=lax`;
  // The Cookie Store API is missing in some browsers, and without https.
  Object.assign(document, { cookie });
}

/** Whether the stored language was chosen rather than detected. */
export function hasChosenLanguage(): boolean {
  const chosen = stored(LANGUAGE_KEY);
  return chosen !== null && chosen !== stored(DETECTED_KEY);
}

/** Whether an earlier visit has stored a language. */
export function hasStoredLanguage(): boolean {
  return stored(LANGUAGE_KEY) !== null || document.cookie.includes(`${LANGUAGE_KEY}=`);
}

/** Marks the language that is about to be stored as detected. */
export function storeDetectedLanguage(language: string): void {
  try {
    localStorage.setItem(DETECTED_KEY, language);
  } catch {
    // Without storage the language is not stored either.
  }
}
