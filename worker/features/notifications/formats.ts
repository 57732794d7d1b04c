import type { Language } from "../../contract/options";
import { dayIn, timeZoneName } from "../../contract/time-zones";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
/** Languages whose bare tag implies a country with another date format. */
const LOCALES: Partial<Record<Language, string>> = { en: "en-GB" };

/** A day (`YYYY-MM-DD`), written out in the language. */
export function longDay(date: string, language: Language): string {
  const day = new Date(`${date}T00:00:00Z`);
  return new Intl.DateTimeFormat(LOCALES[language] ?? language, {
    dateStyle: "long",
    timeZone: "UTC",
  }).format(day);
}

/** The day of a timestamp in the zone, written out in the language. */
export function longDayIn(timeZone: string | null, moment: string, language: Language): string {
  return longDay(dayIn(timeZone, new Date(moment)), language);
}

/** "Central European Time" in the language. */
export function zoneName(timeZone: string | null, language: Language): string {
  return timeZoneName(timeZone, LOCALES[language] ?? language);
}

/** The size in the largest unit of base 1024 that keeps it at 1 or more, with at most one decimal. */
export function fileSize(bytes: number, language: Language): string {
  const index = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const format = new Intl.NumberFormat(LOCALES[language] ?? language, {
    style: "unit",
    unit: UNITS[index],
    unitDisplay: index === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  });
  // Units have base 1024; the product writes them with a capital K.
  return format.format(bytes / 1024 ** index).replace("kB", "KB");
}

/** Direction marks, which could make a name read as another one. */
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069\u200E\u200F]/g;

/** A name or subject on a single line. */
export function oneLine(text: string): string {
  return text
    .replace(DIRECTION_MARKS, "")
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
}

/** A text with line breaks but no other control characters. */
export function severalLines(text: string): string {
  return text
    .replace(DIRECTION_MARKS, "")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/(?!\n)\p{Cc}+/gu, " ")
    .trim();
}
