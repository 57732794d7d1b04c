import { addDays } from "../../contract/days";
import type { ReminderFrequency } from "../../contract/options";
import { dayIn, wallTime } from "../../contract/time-zones";
import { DAY_MS } from "../../lib/durations";
import { addMonths, hourOfDay } from "../../lib/zoned-days";

/** Reminders are sent between this hour and the next one, in the requestor's time zone. */
const MORNING_HOUR = 9;

/**
 * When the first reminder after `after` is due: at nine in the morning in the zone, in whole periods since the day of
 * sending; null for "none". A month after the 31st is the last day of a shorter month, and the 31st again in a longer
 * one.
 */
export function nextReminder(
  sentAt: Date,
  frequency: ReminderFrequency,
  after: Date,
  timeZone: string | null,
): Date | null {
  if (frequency === "none") return null;
  const sentOn = dayIn(timeZone, sentAt);
  let periods = Math.max(1, periodsBetween(sentOn, dayIn(timeZone, after), frequency));
  const due = () => morningOf(dayAfter(sentOn, frequency, periods), timeZone);
  while (due() <= after) periods++;
  return due();
}

/** Whether it is the hour of reminders in the zone. */
export function isMorning(now: Date, timeZone: string | null): boolean {
  return Number(wallTime(timeZone, now).slice("2026-03-14 ".length, "2026-03-14 09".length)) === MORNING_HOUR;
}

/** When that hour next begins in the zone. */
export function nextMorning(now: Date, timeZone: string | null): Date {
  const today = dayIn(timeZone, now);
  const morning = morningOf(today, timeZone);
  return morning > now ? morning : morningOf(addDays(today, 1), timeZone);
}

const morningOf = (day: string, timeZone: string | null) => hourOfDay(day, MORNING_HOUR, timeZone);

type Period = Exclude<ReminderFrequency, "none">;

function dayAfter(day: string, frequency: Period, periods: number): string {
  if (frequency === "monthly") return addMonths(day, periods);
  return addDays(day, frequency === "daily" ? periods : 7 * periods);
}

/** The number of whole periods between two days, or one less. */
function periodsBetween(from: string, to: string, frequency: Period): number {
  const days = Math.floor((Date.parse(to) - Date.parse(from)) / DAY_MS);
  if (frequency === "daily") return days;
  return Math.floor(days / (frequency === "weekly" ? 7 : 31));
}
