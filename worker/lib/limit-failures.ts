import type { RateLimiter, RateRule } from "../ports/rate-limiter";
import { requireAllowed } from "./rate-rules";

/**
 * Makes an attempt that may fail, of which each rule allows its subject so many. The attempt is counted before it
 * begins, so that attempts at the same moment count as well; one that succeeds, is refused or never came to an end
 * gives its count back.
 * @returns what the attempt found; null where it failed
 * @throws AppError `rate_limited`
 */
export async function limitFailures<T>(
  rateLimiter: RateLimiter,
  counted: readonly (readonly [rule: RateRule, subject: string])[],
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const giveBack = () => Promise.all(counted.map(([rule, subject]) => rateLimiter.refund(rule, subject)));
  const verdicts = await Promise.all(counted.map(([rule, subject]) => rateLimiter.hit(rule, subject)));
  let failed = false;
  try {
    for (const verdict of verdicts) requireAllowed(verdict);
    const found = await attempt();
    failed = found === null;
    return found;
  } finally {
    if (!failed) await giveBack();
  }
}
