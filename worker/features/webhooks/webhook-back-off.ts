const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pause before each retry of a delivery: eight attempts within a day. */
const RETRY_DELAYS_MS = [
  5 * SECOND,
  30 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  15 * HOUR,
] as const;

const LONGEST_PAUSE_MS = 5 * MINUTE;

/** The time of the next attempt after this many attempts; null if there is none. */
export function nextTry(attempts: number, now: Date): string | null {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  return delay === undefined ? null : new Date(now.getTime() + delay).toISOString();
}

/** Until when a receiver with this many consecutive failures is paused, whatever else is due for it. */
export function pauseAfter(failures: number, now: Date): string {
  const pause = Math.min(5 * SECOND * 2 ** Math.min(failures - 1, 10), LONGEST_PAUSE_MS);
  return new Date(now.getTime() + pause).toISOString();
}
