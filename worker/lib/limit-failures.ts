import type { RateLimiter, RateRule } from "../ports/rate-limiter";
import { requireAllowed } from "./rate-rules";

/**
 * Makes an attempt that may fail, and limits failures per subject by each rule. The attempt is counted before it
 * begins, so that concurrent attempts count as well; the count is refunded if the attempt succeeds, is rejected or is
 * never completed. The rule whose subject the client cannot choose comes first.
 * @returns the attempt's result; null if it failed
 * @throws AppError `rate_limited`
 */
export async function limitFailures<T>(
  rateLimiter: RateLimiter,
  limits: readonly (readonly [rule: RateRule, subject: string])[],
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const hits: (readonly [RateRule, string])[] = [];
  const refund = () => Promise.all(hits.map(([rule, subject]) => rateLimiter.refund(rule, subject)));
  let failed = false;
  try {
    // One after the other: an attempt that the first rule rejects stores no counter for a subject the client made up.
    for (const [rule, subject] of limits) {
      hits.push([rule, subject]);
      requireAllowed(await rateLimiter.hit(rule, subject));
    }
    const found = await attempt();
    failed = found === null;
    return found;
  } finally {
    if (!failed) await refund();
  }
}
