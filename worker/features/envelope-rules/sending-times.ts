import { DAY_MS, HOUR_MS } from "../../lib/durations";
import { hourIn, nextMorning } from "./reminder-times";

/** What is late by no more than this is sent at any hour. */
const ON_TIME_MS = HOUR_MS;
/** What is late by more than this is not sent any more. */
const MISSED_MS = 3 * DAY_MS;
/** What is late is sent from this hour on, and before the other one, in the requestor's time zone. */
const OPENS = 8;
const CLOSES = 18;

/** What becomes of something that is sent on a day: now, at a later time, or not any more. */
export type Due = { fate: "send" } | { fate: "wait"; until: Date } | { fate: "missed" };

/**
 * What becomes now of what was planned for a time: `hourOfDay` of `lib/zoned-days` for a day, an hour and a zone. That of an
 * hour that the clocks skip is when they jump, that of one that exists twice is the first.
 *
 * What was missed while the server was down is sent at once between 8 and 18 o'clock, and otherwise at nine: pass the `until`
 * of such a wait as `planned` from then on, because it is sent at that time although 72 hours may be over.
 */
export function whenDue(planned: Date, now: Date, timeZone: string | null): Due {
  const late = now.getTime() - planned.getTime();
  if (late < 0) return { fate: "wait", until: planned };
  if (late <= ON_TIME_MS) return { fate: "send" };
  if (late > MISSED_MS) return { fate: "missed" };
  const hour = hourIn(timeZone, now);
  if (hour >= OPENS && hour < CLOSES) return { fate: "send" };
  return { fate: "wait", until: nextMorning(now, timeZone) };
}
