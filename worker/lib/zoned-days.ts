import { addDays } from "../contract/days";
import { wallTime } from "../contract/time-zones";
import { HOUR_MS } from "./durations";

const LAST_TIME = "9999-12-31T23:59:59.999Z";
const DAY_LENGTH = "2026-03-14".length;
/** Zones differ from UTC by 14 hours at most. */
const SPREAD_MS = 15 * HOUR_MS;

/** The last time of the day (`YYYY-MM-DD`) in the zone; UTC if there is none. */
export function endOfDay(day: string, timeZone: string | null): string {
  // A five-digit year would no longer sort as text.
  if (day >= LAST_TIME.slice(0, DAY_LENGTH)) return LAST_TIME;
  return new Date(firstTime(addDays(day, 1), "00:00:00", timeZone) - 1).toISOString();
}

/** The time at which local time in the zone reaches the hour on that day. */
export function hourOfDay(day: string, hour: number, timeZone: string | null): Date {
  return new Date(firstTime(day, `${String(hour).padStart(2, "0")}:00:00`, timeZone));
}

/**
 * The first time with this local date and time, or a later one. It is searched for rather than computed from an
 * offset, because a day may begin at one o'clock, or have midnight twice.
 */
function firstTime(day: string, time: string, timeZone: string | null): number {
  const wanted = `${day} ${time}`;
  const sameInUtc = Date.parse(`${day}T${time}Z`);
  let before = sameInUtc - SPREAD_MS;
  let reached = sameInUtc + SPREAD_MS;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (wallTime(timeZone, new Date(middle)) >= wanted) reached = middle;
    else before = middle;
  }
  return reached;
}
