import { LANGUAGES, type Language } from "../../worker/contract/options";
import { readCookies, readStored, writeCookie, writeStored } from "./storage";

/** The key of the language, in local storage and in the cookie. */
const LANGUAGE_KEY = "i18nextLng";

/** The language that was detected rather than chosen. */
const DETECTED_KEY = "detectedLanguage";
const YEAR_SECONDS = 60 * 60 * 24 * 365;

/** The language of a tag, in lower case; of a tag of the system too, such as "de_DE@euro" or "C.UTF-8". */
export const baseOf = (tag: string): string => tag.toLowerCase().split(/[-_.@]/)[0] ?? tag;

/** The browser's languages, which extensions change, or remove. */
export const preferredLanguages = (): readonly string[] => navigator.languages ?? [];

const supported = (tag: string | null | undefined): Language | undefined =>
  LANGUAGES.find((language) => tag && language === baseOf(tag));

/** The stored language, else the browser's, else English. */
export function detectLanguage(): Language {
  const cookie = new RegExp(`(?:^|; )${LANGUAGE_KEY}=([^;]*)`).exec(readCookies())?.[1];
  for (const tag of [readStored(LANGUAGE_KEY), cookie, ...preferredLanguages()]) {
    const language = supported(tag);
    if (language) return language;
  }
  return "en";
}

export function setDocumentLanguage(language: string): void {
  document.documentElement.lang = language;
}

export function storeLanguage(language: string): void {
  writeStored(LANGUAGE_KEY, language);
  writeCookie(`${LANGUAGE_KEY}=${language};path=/;max-age=${YEAR_SECONDS};samesite=lax`);
}

/** Whether the stored language was chosen rather than detected. */
export function hasChosenLanguage(): boolean {
  const chosen = readStored(LANGUAGE_KEY);
  return chosen !== null && chosen !== readStored(DETECTED_KEY);
}

/** Stores the language, marked as detected unless an earlier visit has stored one. */
export function keepDetectedLanguage(language: Language): void {
  const isStored = readStored(LANGUAGE_KEY) !== null || readCookies().includes(`${LANGUAGE_KEY}=`);
  if (!isStored) writeStored(DETECTED_KEY, language);
  storeLanguage(language);
}
