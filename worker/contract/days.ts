import type { Language } from "./options";

const DAY_MS = 24 * 60 * 60 * 1000;
const DAY_LENGTH = "2026-03-14".length;

/** Languages whose bare tag implies a country with another date format. */
const LOCALES: Partial<Record<Language, string>> = { en: "en-GB" };

/** The locale in which messages of the language write dates and numbers. */
export const messageLocale = (language: Language): string => LOCALES[language] ?? language;

/** A day (`YYYY-MM-DD`), written out in the language. */
export function longDay(date: string, language: Language): string {
  const format = new Intl.DateTimeFormat(messageLocale(language), { dateStyle: "long", timeZone: "UTC" });
  return format.format(new Date(`${date}T00:00:00Z`));
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, DAY_LENGTH);
}
