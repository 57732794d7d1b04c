import { addDays } from "../../contract/days";
import { dayIn } from "../../contract/time-zones";
import { nextMorning } from "./reminder-times";

type Valid = { validUntil: string | null; renewDays: number | null };
type Plan = { renewOn: string | null; checkAt: string | null };

/** A document of which it was said now until when it is valid: when it is asked for again, and looked at first. */
export function planValidity({ validUntil, renewDays }: Valid, now: Date, timeZone: string | null): Plan {
  if (validUntil === null) return { renewOn: null, checkAt: null };
  const asked = renewDays === null ? null : addDays(validUntil, -renewDays);
  const next = dayIn(timeZone, nextMorning(now, timeZone));
  const renewOn = asked === null || asked > next ? asked : next;
  return { renewOn, checkAt: firstCheck({ validUntil, renewOn }, now, timeZone) };
}

/** When a document is looked at next after `now`, in whichever time zone its assignee will be; null if never. */
function firstCheck(
  { validUntil, renewOn }: { validUntil: string; renewOn: string | null },
  now: Date,
  timeZone: string | null,
): string | null {
  // Days begin, and end, in UTC+14 first.
  const times = [
    renewOn && `${addDays(renewOn, -1)}T19:00:00.000Z`,
    isPast(validUntil, now, timeZone) ? null : `${validUntil}T10:00:00.000Z`,
  ].filter((time) => time !== null);
  return times.sort()[0] ?? null;
}

const isPast = (validUntil: string, now: Date, timeZone: string | null) => validUntil < dayIn(timeZone, now);
