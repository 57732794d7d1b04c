import type { RateLimiter, RateRule } from "../ports/rate-limiter";
import { requireAllowed } from "./rate-rules";

/**
 * Makes an attempt that may fail, and limits failures per subject by each rule. The attempt is counted before it
 * begins, so that concurrent attempts count as well; the count is refunded if the attempt succeeds, is rejected or is
 * never completed.
 * @returns the attempt's result; null if it failed
 * @throws AppError `rate_limited`
 */
export async function limitFailures<T>(
  rateLimiter: RateLimiter,
  limits: readonly (readonly [rule: RateRule, subject: string])[],
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const refund = () => Promise.all(limits.map(([rule, subject]) => rateLimiter.refund(rule, subject)));
  const verdicts = await Promise.all(limits.map(([rule, subject]) => rateLimiter.hit(rule, subject)));
  let failed = false;
  try {
    for (const verdict of verdicts) requireAllowed(verdict);
    const found = await attempt();
    failed = found === null;
    return found;
  } finally {
    if (!failed) await refund();
  }
}
