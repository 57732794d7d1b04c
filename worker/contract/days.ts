import type { Language } from "./options";

const DAY_MS = 24 * 60 * 60 * 1000;
const DAY_LENGTH = "2026-03-14".length;

/** Languages whose bare tag implies a country with another date format. */
const LOCALES: Partial<Record<Language, string>> = { en: "en-GB" };

/** The locale in which messages of the language write dates and numbers. */
export const messageLocale = (language: Language): string => LOCALES[language] ?? language;

/** A day (`YYYY-MM-DD`), written out in the language. */
export function longDay(date: string, language: Language): string {
  const format = dayFormat(messageLocale(language), "long");
  return format.format(new Date(`${date}T00:00:00Z`));
}

const FORMATS = {
  long: { dateStyle: "long", timeZone: "UTC" },
  month: { month: "long", timeZone: "UTC" },
  monthOfYear: { month: "long", year: "numeric", timeZone: "UTC" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes longer than hundreds of uses, and a list of recipients needs one for each. */
export function dayFormat(locale: string, kind: keyof typeof FORMATS): Intl.DateTimeFormat {
  const key = `${locale} ${kind}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, FORMATS[kind]);
  formats.set(key, format);
  return format;
}

/** Whether the text is a day of the calendar as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, DAY_LENGTH);
}

/** The same day of a later month, or the last day of a shorter one. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + count, 0));
  last.setUTCDate(Math.min(date, last.getUTCDate()));
  return last.toISOString().slice(0, DAY_LENGTH);
}

/** How many days `to` is after `from`; negative if it is before. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
