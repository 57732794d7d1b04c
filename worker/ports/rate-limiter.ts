/** At most `limit` hits in `seconds`. */
export type RateRule = { name: string; limit: number; seconds: number };

export type RateVerdict =
  | {
      allowed: true;
      /** Attempts left in the window; absent where nothing is counted. */
      remaining?: number;
      /** Until the window ends; absent where nothing is counted. */
      resetSeconds?: number;
    }
  | { allowed: false; retryAfterSeconds: number };

/** The verdict on the `count`th try of a window that ends in `resetSeconds`. */
export function countVerdict(count: number, limit: number, resetSeconds: number): RateVerdict {
  return count <= limit
    ? { allowed: true, remaining: limit - count, resetSeconds }
    : { allowed: false, retryAfterSeconds: resetSeconds };
}

export interface RateLimiter {
  /** Counts one attempt of `subject` (an address, an account), including rejected ones. */
  hit(rule: RateRule, subject: string): Promise<RateVerdict>;
  /** Takes back an attempt that should not count. */
  refund(rule: RateRule, subject: string): Promise<void>;
}
