import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { AppEnv, SignedInEnv, UserEnv } from "../app-env";
import { requireAllowed } from "../features/rate-limits/rate-rules";
import type { RateRule } from "../ports/rate-limiter";
import { withDescription } from "./describe";

/** Allows the rule's number of requests per client address. */
export const limitByAddress = (rule: RateRule) =>
  withDescription(
    createMiddleware<AppEnv>(async (c, next) => {
      requireAllowed(await c.get("deps").rateLimiter.hit(rule, c.env.clientAddress));
      await next();
    }),
    { errors: ["rate_limited"] },
  );

/** @throws AppError `rate_limited` once the subject has no attempts left */
export async function countTry(
  c: Context<AppEnv> | Context<UserEnv> | Context<SignedInEnv>,
  rule: RateRule,
  subject: string,
): Promise<void> {
  requireAllowed(await c.var.deps.rateLimiter.hit(rule, subject));
}
