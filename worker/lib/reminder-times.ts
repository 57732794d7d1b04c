import type { ReminderFrequency } from "../contract/options";
import { DAY_MS } from "./durations";

/**
 * When the first reminder after `after` is due, in whole periods since sending; null for "none". A month after the
 * 31st is the last day of a shorter month, and the 31st again in a longer one.
 */
export function nextReminder(sentAt: Date, frequency: ReminderFrequency, after: Date): Date | null {
  if (frequency === "none") return null;
  if (frequency === "monthly") return nextMonthly(sentAt, after);
  const period = frequency === "daily" ? DAY_MS : 7 * DAY_MS;
  const periods = Math.max(1, Math.floor((after.getTime() - sentAt.getTime()) / period) + 1);
  return new Date(sentAt.getTime() + periods * period);
}

function nextMonthly(sentAt: Date, after: Date): Date {
  const years = after.getUTCFullYear() - sentAt.getUTCFullYear();
  let months = Math.max(1, years * 12 + after.getUTCMonth() - sentAt.getUTCMonth());
  while (addMonths(sentAt, months) <= after) months++;
  return addMonths(sentAt, months);
}

function addMonths(date: Date, months: number): Date {
  const result = new Date(date);
  result.setUTCDate(1);
  result.setUTCMonth(result.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate();
  result.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return result;
}
