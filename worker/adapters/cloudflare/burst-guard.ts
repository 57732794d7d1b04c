import type { RateLimit } from "@cloudflare/workers-types";
import type { RateLimiter } from "../../ports/rate-limiter";

/** The period of the binding in wrangler.toml. */
const PERIOD_SECONDS = 60;

/**
 * Asks Cloudflare's counter as well once `inner` has allowed an attempt: an isolate counts only its own requests, the
 * binding those of a whole data centre.
 */
export function withBurstGuard(binding: RateLimit, inner: RateLimiter): RateLimiter {
  return {
    async hit(rule, subject) {
      const verdict = await inner.hit(rule, subject);
      if (!verdict.allowed) return verdict;
      const { success } = await binding.limit({ key: `${rule.name}:${subject}` });
      return success ? verdict : { allowed: false, retryAfterSeconds: PERIOD_SECONDS };
    },
    refund: (rule, subject) => inner.refund(rule, subject),
  };
}
