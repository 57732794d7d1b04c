/** Every key under which the language is kept, in storage and in the cookie. */
export const LANGUAGE_KEY = "i18nextLng";

/** What this browser was found to speak when nobody had chosen anything. */
const DETECTED_KEY = "detectedLanguage";

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Whether a language is kept that was chosen, and not only detected. */
export function hasChosenLanguage(): boolean {
  const kept = stored(LANGUAGE_KEY);
  return kept !== null && kept !== stored(DETECTED_KEY);
}

/** Whether there is any language in this browser to go by, from an earlier visit. */
export function hasKeptLanguage(): boolean {
  return stored(LANGUAGE_KEY) !== null || document.cookie.includes(`${LANGUAGE_KEY}=`);
}

/** Notes that the language about to be kept is nobody's choice. */
export function noteDetectedLanguage(language: string): void {
  try {
    localStorage.setItem(DETECTED_KEY, language);
  } catch {
    // Without storage nothing is kept either.
  }
}
