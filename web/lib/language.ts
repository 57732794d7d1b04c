import { LANGUAGES, type Language } from "../../worker/contract/options";

/** Every key under which the language is kept, in storage and in the cookie. */
export const LANGUAGE_KEY = "i18nextLng";

/** What this browser was found to speak when nobody had chosen anything. */
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

/** What was chosen here before, else what the browser asks for, else English. */
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
    // The cookie has it too.
  }
  const cookie = `${LANGUAGE_KEY}=${language};path=/;max-age=${YEAR_SECONDS};samesite=lax`;
  // The Cookie Store is not there in every browser, nor without https.
  Object.assign(document, { cookie });
}

/** Whether a language is kept that was chosen, and not only detected. */
export function hasChosenLanguage(): boolean {
  const chosen = stored(LANGUAGE_KEY);
  return chosen !== null && chosen !== stored(DETECTED_KEY);
}

/** Whether there is any language in this browser to go by, from an earlier visit. */
export function hasStoredLanguage(): boolean {
  return stored(LANGUAGE_KEY) !== null || document.cookie.includes(`${LANGUAGE_KEY}=`);
}

/** Notes that the language about to be kept is nobody's choice. */
export function storeDetectedLanguage(language: string): void {
  try {
    localStorage.setItem(DETECTED_KEY, language);
  } catch {
    // Without storage nothing is kept either.
  }
}
