import type { Language } from "./options";

const SEPARATORS = { en: ",", zh: ",", ja: ",", de: ";", fr: ";", es: ";", pt: ";" } as const;

/** What a spreadsheet of the language takes for the end of a cell: the comma is a decimal sign in some. */
export const csvSeparator = (language: Language): "," | ";" => SEPARATORS[language];
