import { dayIn } from "../../worker/contract/time-zones";

/** Today where the day of a link ends: in the account's time zone. */
export function today(timeZone: string | null, now = new Date()): string {
  return dayIn(timeZone, now);
}
