import { addDays, addMonths, daysBetween } from "../../contract/days";
import type { ReminderFrequency } from "../../contract/options";
import { dayIn, wallTime } from "../../contract/time-zones";
import { DAY_MS } from "../../lib/durations";
import { hourOfDay } from "../../lib/zoned-days";

/** Reminders are sent between this hour and the next one, in the requestor's time zone. */
const MORNING_HOUR = 9;

/** When an envelope's recipient is reminded. */
export type ReminderPlan = {
  sentAt: Date;
  reminderFrequency: ReminderFrequency;
  /** `YYYY-MM-DD` */
  dueDate: string | null;
  /** Days before the due date, negative for days after it. */
  reminderDays: readonly number[] | null;
};

/**
 * When the first reminder after `after` is due, at nine in the morning in the zone: in whole periods since the day of
 * sending, and on the days around the due date; null if there is none.
 */
export function nextReminder(plan: ReminderPlan, after: Date, timeZone: string | null): Date | null {
  const periodic = nextPeriodic(plan, after, timeZone);
  const dated = nextAroundDueDate(plan, after, timeZone);
  if (!periodic || !dated) return periodic ?? dated;
  return new Date(Math.min(periodic.getTime(), dated.getTime()));
}

/** A month after the 31st is the last day of a shorter month, and the 31st again in a longer one. */
function nextPeriodic(
  { sentAt, reminderFrequency: frequency }: ReminderPlan,
  after: Date,
  timeZone: string | null,
): Date | null {
  if (frequency === "none") return null;
  const sentOn = dayIn(timeZone, sentAt);
  let periods = Math.max(1, periodsBetween(sentOn, dayIn(timeZone, after), frequency));
  const due = () => morningOf(PERIODS[frequency].after(sentOn, periods), timeZone);
  while (due() <= after) periods++;
  return due();
}

function nextAroundDueDate(
  { sentAt, dueDate, reminderDays }: ReminderPlan,
  after: Date,
  timeZone: string | null,
): Date | null {
  if (!dueDate || !reminderDays) return null;
  const sentOn = dayIn(timeZone, sentAt);
  const mornings = reminderDays
    .map((before) => addDays(dueDate, -before))
    // The invitation of that day asks for the same.
    .filter((day) => day > sentOn)
    .map((day) => morningOf(day, timeZone))
    .filter((morning) => morning > after);
  return mornings.reduce<Date | null>((first, one) => (first && first < one ? first : one), null);
}

/**
 * What becomes of a reminder that was due at `due`. One that was missed, or became due at another hour because the
 * requestor's time zone changed, waits for the next morning; one for a day around the due date is sent while its day
 * lasts and otherwise left out, because it is about that day.
 */
export function dueReminder(
  plan: ReminderPlan,
  due: Date,
  now: Date,
  timeZone: string | null,
): "send" | "wait" | "skip" {
  const { dueDate, reminderDays } = plan;
  const hour = hourIn(timeZone, now);
  const dueOn = dayIn(timeZone, due);
  const isToday = dueOn === dayIn(timeZone, now);
  const isDated = dueDate !== null && reminderDays?.includes(daysBetween(dueOn, dueDate)) === true;
  const before = new Date(due.getTime() - 1);
  const isPeriodic = !isDated || nextPeriodic(plan, before, timeZone)?.getTime() === due.getTime();
  if (hour === MORNING_HOUR && (isPeriodic || isToday)) return "send";
  if (isDated && isToday) return hour < MORNING_HOUR ? "wait" : "send";
  return isPeriodic ? "wait" : "skip";
}

export const hourIn = (timeZone: string | null, now: Date): number =>
  Number(wallTime(timeZone, now).slice("2026-03-14 ".length, "2026-03-14 09".length));

/** When the hour of reminders next begins in the zone. */
export function nextMorning(now: Date, timeZone: string | null): Date {
  const today = dayIn(timeZone, now);
  const morning = morningOf(today, timeZone);
  return morning > now ? morning : morningOf(addDays(today, 1), timeZone);
}

const morningOf = (day: string, timeZone: string | null) => hourOfDay(day, MORNING_HOUR, timeZone);

type Period = Exclude<ReminderFrequency, "none">;

/** How many days a period has at most, and the day that is so many periods after another. */
const PERIODS = {
  daily: { days: 1, after: addDays },
  weekly: { days: 7, after: (day, periods) => addDays(day, 7 * periods) },
  monthly: { days: 31, after: addMonths },
} satisfies Record<Period, { days: number; after: (day: string, periods: number) => string }>;

/** The number of whole periods between two days, or one less. */
function periodsBetween(from: string, to: string, frequency: Period): number {
  const days = Math.floor((Date.parse(to) - Date.parse(from)) / DAY_MS);
  return Math.floor(days / PERIODS[frequency].days);
}
