import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env";
import { appError } from "../errors";
import { requireAllowed } from "../features/rate-limits/rate-rules";
import type { RateRule } from "../ports/rate-limiter";
import { type AppContext, SAFE_METHODS } from "./api-token";
import { withDescription } from "./describe";

/**
 * Allows the rule's number of requests per client address. What a page of another site has its visitor's browser send, other
 * than to open a page, is refused uncounted: it would use up the tries of everybody at that address.
 */
export const limitByAddress = (rule: RateRule) =>
  withDescription(
    createMiddleware<AppEnv>(async (c, next) => {
      const isForeign = SAFE_METHODS.has(c.req.method) && c.req.header("sec-fetch-site") === "cross-site";
      if (isForeign && c.req.header("sec-fetch-dest") !== "document") throw appError("cross_site");
      requireAllowed(await c.get("deps").rateLimiter.hit(rule, c.env.clientAddress));
      await next();
    }),
    { errors: ["cross_site", "rate_limited"] },
  );

/** @throws AppError `rate_limited` once the subject has no attempts left */
export async function countTry(c: AppContext, rule: RateRule, subject: string): Promise<void> {
  requireAllowed(await c.var.deps.rateLimiter.hit(rule, subject));
}

const RETRY_SECONDS = 10;
const UPLOADING = new Set(["POST", "PUT", "PATCH"]);

/** Limits the concurrent uploads of one client address to `limit`, so that it cannot take every slot. */
export function limitUploadsByAddress(limit: number) {
  const running = new Map<string, number>();
  return createMiddleware<AppEnv>(async (c, next) => {
    if (!UPLOADING.has(c.req.method) || !c.var.deps.config.limitsRates) return next();
    const address = c.env.clientAddress;
    const active = running.get(address) ?? 0;
    if (active >= limit) throw appError("rate_limited", { retryAfterSeconds: RETRY_SECONDS });
    running.set(address, active + 1);
    try {
      await next();
    } finally {
      const left = (running.get(address) ?? 1) - 1;
      if (left > 0) running.set(address, left);
      else running.delete(address);
    }
  });
}
