/** At most `limit` hits in `seconds`. */
export type RateRule = { name: string; limit: number; seconds: number };

export type RateVerdict = { allowed: true } | { allowed: false; retryAfterSeconds: number };

export interface RateLimiter {
  /** Counts one try of `subject` (an address, an account); refused tries count as well. */
  hit(rule: RateRule, subject: string): Promise<RateVerdict>;
  /** Whether a hit would be allowed now; counts nothing. */
  peek(rule: RateRule, subject: string): Promise<RateVerdict>;
  /** Takes back a try that turned out not to count. */
  refund(rule: RateRule, subject: string): Promise<void>;
}
