import { addDays } from "../../contract/days";
import { dayIn } from "../../contract/time-zones";
import { endOfDay, hourOfDay } from "../../lib/zoned-days";
import { nextMorning } from "./reminder-times";

/** At which hour of the assignee's day a document is asked for again. */
const RENEWAL_HOUR = 9;

/** When a document of which it was said now until when it is valid is asked for again, and looked at first. */
export function planValidity(
  { validUntil, renewDays }: { validUntil: string | null; renewDays: number | null },
  now: Date,
  timeZone: string | null,
): { renewOn: string | null; checkAt: string | null } {
  if (validUntil === null) return { renewOn: null, checkAt: null };
  const asked = renewDays === null ? null : addDays(validUntil, -renewDays);
  const next = dayIn(timeZone, nextMorning(now, timeZone));
  const renewOn = asked === null || asked > next ? asked : next;
  return { renewOn, checkAt: nextCheck({ validUntil, renewOn }, now, timeZone) };
}

/**
 * When a document is looked at next: when its days begin or end in UTC+14, where they do so first, because its assignee and
 * their time zone may change, and then in the zone of that time. Null if never.
 */
export function nextCheck(
  { validUntil, renewOn }: { validUntil: string; renewOn: string | null },
  now: Date,
  timeZone: string | null,
): string | null {
  const times = [
    ...(renewOn === null
      ? []
      : [`${addDays(renewOn, -1)}T19:00:00.000Z`, renewalTime(renewOn, timeZone).toISOString()]),
    ...[`${validUntil}T10:00:00.000Z`, expiryTime(validUntil, timeZone).toISOString()],
  ];
  const [next = null] = times.filter((time) => time > now.toISOString()).sort();
  return next;
}

/** The time at which a document is asked for again on this day. */
export const renewalTime = (renewOn: string, timeZone: string | null): Date =>
  hourOfDay(renewOn, RENEWAL_HOUR, timeZone);

/** The first time at which a document is no longer valid. */
export const expiryTime = (validUntil: string, timeZone: string | null): Date =>
  new Date(Date.parse(endOfDay(validUntil, timeZone)) + 1);
