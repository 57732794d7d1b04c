/** At most `limit` hits in `seconds`. */
export type RateRule = { name: string; limit: number; seconds: number };

export type RateVerdict =
  | {
      allowed: true;
      /** Attempts left in the window; absent if attempts are not counted. */
      remaining?: number;
      /** Until the window ends; absent if attempts are not counted. */
      resetSeconds?: number;
    }
  | { allowed: false; retryAfterSeconds: number };

/** The verdict on the `count`th attempt of a window that ends in `resetSeconds`. */
export function countVerdict(count: number, limit: number, resetSeconds: number): RateVerdict {
  return count <= limit
    ? { allowed: true, remaining: limit - count, resetSeconds }
    : { allowed: false, retryAfterSeconds: resetSeconds };
}

/** One attempt of a subject by a rule. Of equal ones, each counts. */
export type RateAttempt = { rule: RateRule; subject: string };

export interface RateLimiter {
  /** Counts one attempt of `subject` (an address, an account), including rejected ones. */
  hit(rule: RateRule, subject: string): Promise<RateVerdict>;
  /** Refunds an attempt that should not count. */
  refund(rule: RateRule, subject: string): Promise<void>;
  /** Counts any number of attempts at once. @returns the verdict on each, after all of its subject */
  hitAll(attempts: readonly RateAttempt[]): Promise<RateVerdict[]>;
  refundAll(attempts: readonly RateAttempt[]): Promise<void>;
}
