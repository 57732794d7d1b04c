import type { Language } from "../contract/options";

/**
 * Loads the texts of messages in a language: `locales/<language>/mail.json`. Those of all languages would be a tenth of a
 * Worker's script.
 */
export type LoadMailTexts = (language: Language) => Promise<object>;

/** Loads the messages of errors in a language, by their codes: `locales/<language>/errors.json`. */
export type LoadErrorTexts = (language: Language) => Promise<Readonly<Record<string, unknown>>>;
