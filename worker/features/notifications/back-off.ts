const FIRST_DELAY_MS = 30_000;
const GROWTH = 4;

/**
 * When to retry after this many attempts: after 30 seconds, 2 minutes, 8 minutes and so on; eight attempts span two
 * days. A jitter of 25 % spreads retries. A gateway's Retry-After is the minimum.
 */
export function nextAttemptTime(attempts: number, now: Date, retryAfterSeconds = 0): Date {
  const jitter = 0.75 + Math.random() / 2;
  const delay = FIRST_DELAY_MS * GROWTH ** (attempts - 1) * jitter;
  return new Date(now.getTime() + Math.max(delay, retryAfterSeconds * 1000));
}
