import type { Language } from "../contract/options";

/**
 * Loads the texts of messages in a language: `locales/<language>/mail.json`. Those of all languages would be a tenth of a
 * Worker's script.
 */
export type LoadMailTexts = (language: Language) => Promise<object>;
