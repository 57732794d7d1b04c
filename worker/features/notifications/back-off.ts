const FIRST_DELAY_MS = 30_000;
const GROWTH = 4;

/**
 * When to try again after the given number of tries: after 30 seconds, 2 minutes, 8 minutes and so on, so
 * that eight tries span two days. A quarter more or less keeps many failures from coming back all at once.
 * The wait that a gateway asks for is the least there is.
 */
export function nextAttemptTime(attempts: number, now: Date, retryAfterSeconds = 0): Date {
  const jitter = 0.75 + Math.random() / 2;
  const delay = FIRST_DELAY_MS * GROWTH ** (attempts - 1) * jitter;
  return new Date(now.getTime() + Math.max(delay, retryAfterSeconds * 1000));
}
