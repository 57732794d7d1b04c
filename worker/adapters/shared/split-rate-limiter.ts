import type { RateLimiter, RateRule } from "../../ports/rate-limiter";

/** Sends the rules listed in `names` to one limiter and all others to another. */
export function createSplitRateLimiter(
  names: readonly string[],
  limiters: { named: RateLimiter; otherRules: RateLimiter },
): RateLimiter {
  const limiterOf = (rule: RateRule) => (names.includes(rule.name) ? limiters.named : limiters.otherRules);
  return {
    hit: (rule, subject) => limiterOf(rule).hit(rule, subject),
    refund: (rule, subject) => limiterOf(rule).refund(rule, subject),
  };
}
