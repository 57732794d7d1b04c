import { addDays, addMonths, isDay } from "./days";

export const SERIES_UNITS = ["week", "month", "year"] as const;
export type SeriesUnit = (typeof SERIES_UNITS)[number];
/** When an occurrence is sent whose day is a Saturday or Sunday: on that day, the Friday before or the Monday after. */
export const WEEKENDS = ["same", "before", "after"] as const;
export type Weekend = (typeof WEEKENDS)[number];

/** What an occurrence does for recipients who have not completed the envelope before. */
export const IF_OPEN = ["send", "skip"] as const;
export type IfOpen = (typeof IF_OPEN)[number];

export type SeriesDays = {
  every: number;
  unit: SeriesUnit;
  startOn: string;
  /** The number of the occurrence on `startOn`. */
  startNumber: number;
  weekend: Weekend;
  endOn: string | null;
  times: number | null;
};

const STEP = {
  week: (day, count) => addDays(day, 7 * count),
  month: addMonths,
  year: (day, count) => addMonths(day, 12 * count),
} satisfies Record<SeriesUnit, (day: string, count: number) => string>;

/** From Saturday and from Sunday. */
const SHIFT = { same: [0, 0], before: [-1, -2], after: [2, 1] } satisfies Record<Weekend, [number, number]>;

/**
 * The day of an occurrence, by its number; null if the series has ended before it. It is counted from the first day, never
 * from the occurrence before: 31 January, 28 February, 31 March.
 */
export function occurrenceDay(series: SeriesDays, number: number): string | null {
  const { every, unit, startOn, startNumber, weekend, endOn, times } = series;
  if (times !== null && number > times) return null;
  const day = STEP[unit](startOn, every * (number - startNumber));
  // The calendar ends with the year 9999.
  if (!isDay(day) || (endOn !== null && day > endOn)) return null;
  const weekday = new Date(day).getUTCDay();
  const [saturday, sunday] = SHIFT[weekend];
  return addDays(day, weekday === 6 ? saturday : weekday === 0 ? sunday : 0);
}

/** The number and the day of the first occurrence from a number on whose day is as asked; null if there is none left. */
export function nextOccurrence(
  series: SeriesDays,
  from: number,
  isWanted: (day: string) => boolean,
): { number: number; day: string } | null {
  for (let number = from; ; number += 1) {
    const day = occurrenceDay(series, number);
    if (day === null) return null;
    if (isWanted(day)) return { number, day };
  }
}

/** The days of the occurrences from a number on, at most `count`. */
export function upcomingDays(series: SeriesDays, from: number, count: number): string[] {
  const days: string[] = [];
  for (let number = from; days.length < count; number += 1) {
    const day = occurrenceDay(series, number);
    if (day === null) break;
    days.push(day);
  }
  return days;
}

/** The dates of an envelope of a series that is sent on this day. */
export const datesOn = (
  { dueInDays, expiresInDays }: { dueInDays: number | null; expiresInDays: number | null },
  day: string,
) => ({
  dueDate: dueInDays === null ? null : addDays(day, dueInDays),
  expirationDate: expiresInDays === null ? null : addDays(day, expiresInDays),
});
