/** When a failed call is repeated. */
export type RetryPolicy = {
  /** Milliseconds before each retry. Further retries wait as long as the last one. */
  delays: readonly number[];
  /** Whether there are no further retries. */
  givesUp?: boolean;
  /** The part of a delay by which it varies at random, so that retries spread. */
  jitter?: number;
  /** How much of a server's Retry-After is respected, in milliseconds. */
  maxRetryAfter?: number;
};

/** Milliseconds until the next attempt, after this many failures in a row; null if there is none. */
export function retryDelay(
  { delays, givesUp = false, jitter = 0, maxRetryAfter = 0 }: RetryPolicy,
  failures: number,
  retryAfterSeconds: number | null = null,
): number | null {
  if (givesUp && failures > delays.length) return null;
  const delay = delays[Math.min(failures, delays.length) - 1] ?? 0;
  const varied = delay * (1 + jitter * (2 * Math.random() - 1));
  return Math.max(varied, Math.min((retryAfterSeconds ?? 0) * 1000, maxRetryAfter));
}
