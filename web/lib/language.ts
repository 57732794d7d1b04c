import { LANGUAGES, type Language } from "../../worker/contract/options";
import { readStored, writeStored } from "./storage";

/** The key of the language, in local storage and in the cookie. */
export const LANGUAGE_KEY = "i18nextLng";

/** The language that was detected rather than chosen. */
const DETECTED_KEY = "detectedLanguage";
const YEAR_SECONDS = 60 * 60 * 24 * 365;

function supported(tag: string | null | undefined): Language | undefined {
  const base = tag?.toLowerCase().split("-")[0];
  return LANGUAGES.find((language) => language === base);
}

/** The stored language, else the browser's, else English. */
export function detectLanguage(): Language {
  const cookie = new RegExp(`(?:^|; )${LANGUAGE_KEY}=([^;]*)`).exec(document.cookie)?.[1];
  for (const tag of [readStored(LANGUAGE_KEY), cookie, ...navigator.languages]) {
    const language = supported(tag);
    if (language) return language;
  }
  return "en";
}

export function setDocumentLanguage(language: string): void {
  document.documentElement.lang = language;
}

export function storeLanguage(language: Language): void {
  writeStored(LANGUAGE_KEY, language);
  const cookie = `${LANGUAGE_KEY}=${language};path=/;max-age=${YEAR_SECONDS};samesite=lax`;
  // The Cookie Store API is missing in some browsers, and without https.
  Object.assign(document, { cookie });
}

/** Whether the stored language was chosen rather than detected. */
export function hasChosenLanguage(): boolean {
  const chosen = readStored(LANGUAGE_KEY);
  return chosen !== null && chosen !== readStored(DETECTED_KEY);
}

/** Whether an earlier visit has stored a language. */
export function hasStoredLanguage(): boolean {
  return readStored(LANGUAGE_KEY) !== null || document.cookie.includes(`${LANGUAGE_KEY}=`);
}

/** Marks the language that is about to be stored as detected. */
export function storeDetectedLanguage(language: string): void {
  writeStored(DETECTED_KEY, language);
}
