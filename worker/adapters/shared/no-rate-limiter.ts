import type { RateLimiter } from "../../ports/rate-limiter";

/** Allows everything; for load tests. */
export const noRateLimiter: RateLimiter = {
  hit: async () => ({ allowed: true }),
  refund: async () => {},
};
