import type { RateLimiter } from "../../ports/rate-limiter";

/** Lets everything through, for load tests. */
export const noRateLimiter: RateLimiter = {
  hit: async () => ({ allowed: true }),
  peek: async () => ({ allowed: true }),
  refund: async () => {},
};
