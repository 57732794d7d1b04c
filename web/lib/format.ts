import { baseOf, preferredLanguages } from "./language";

/** The visitor's regional variant of a language ("en-GB" for "en"), for dates and numbers. */
export function regionalLocale(language: string, preferred = preferredLanguages()): string {
  return preferred.find((tag) => baseOf(tag) === language && isLocale(tag)) ?? language;
}

/** Whether `Intl` accepts the tag: browsers report the system's "en-US@posix" too. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** Making a format takes a hundred times as long as using it. */
const formats = new Map<string, unknown>();

function cached<Format>(key: string, create: () => Format): Format {
  const known = (formats.get(key) as Format | undefined) ?? create();
  formats.set(key, known);
  return known;
}

export function formatNumber(value: number, locale: string, decimals?: number): string {
  const digits =
    decimals === undefined
      ? { maximumFractionDigits: 2 }
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return cached(`${locale} number ${decimals}`, () => new Intl.NumberFormat(locale, digits)).format(value);
}

/** 1 as "100%". */
export function formatPercent(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "percent" }).format(value);
}

/** Bytes as megabytes with two decimals, without the unit. */
export function megabytes(bytes: number, locale: string): string {
  return formatNumber(bytes / (1024 * 1024), locale, 2);
}

function dateFormat(locale: string, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return cached(`${locale} ${name}`, () => new Intl.DateTimeFormat(locale, options));
}

const DATE = { day: "numeric", month: "short", year: "numeric" } as const;

/** "3 Dec 2026", in the visitor's own time zone. */
export function formatDate(iso: string, locale: string): string {
  return dateFormat(locale, "date", DATE).format(new Date(iso));
}

/** "3 Dec 2026, 14:05". The date reads as in `formatDate`, which no `dateStyle` does in German and Japanese. */
export function formatDateTime(iso: string, locale: string): string {
  return timeFormat(locale).format(new Date(iso));
}

/** "3 Dec 2026, 14:00–15:00": the hour that begins then. */
export function formatHour(iso: string, locale: string): string {
  const start = new Date(iso);
  return timeFormat(locale).formatRange(start, start.getTime() + 3_600_000);
}

function timeFormat(locale: string): Intl.DateTimeFormat {
  return cached(`${locale} time`, () => {
    const { hour12 } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
    const options = { ...DATE, hour: hour12 ? "numeric" : "2-digit", minute: "2-digit" } as const;
    return new Intl.DateTimeFormat(locale, options);
  });
}

/** "Thursday 3 December 2026 at 14:05:09 CET". */
export function formatFull(iso: string, locale: string): string {
  return dateFormat(locale, "exact", { dateStyle: "full", timeStyle: "long" }).format(new Date(iso));
}

/** A calendar day (`YYYY-MM-DD…`), the same in every time zone; with the year unless it is the current one. */
export function formatDay(day: string, locale: string, today = new Date()): string {
  const date = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  const thisYear = date.getUTCFullYear() === today.getFullYear();
  const options = { day: "numeric", month: "short", timeZone: "UTC" } as const;
  return thisYear
    ? dateFormat(locale, "day", options).format(date)
    : dateFormat(locale, "year", { ...options, year: "numeric" }).format(date);
}

const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** Whether the time is less than a minute ago, or slightly ahead because clocks differ. */
export function isJustNow(iso: string, now = Date.now()): boolean {
  return Math.abs(new Date(iso).getTime() - now) < 60_000;
}

const WEEK_MS = 7 * 86_400_000;

export function isWithinWeek(iso: string, now = Date.now()): boolean {
  return Math.abs(new Date(iso).getTime() - now) < WEEK_MS;
}

/** "5 minutes ago" within a week, else the date. */
export function formatRelative(
  iso: string,
  locale: string,
  now = Date.now(),
  style: Intl.RelativeTimeFormatStyle = "long",
): string {
  if (!isWithinWeek(iso, now)) return formatDate(iso, locale);
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000);
  const create = () => new Intl.RelativeTimeFormat(locale, { numeric: "auto", style });
  const relative = cached(`${locale} relative ${style}`, create);
  const [unit, size] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ["second", 1];
  return relative.format(unit === "second" ? 0 : Math.round(seconds / size), unit);
}
