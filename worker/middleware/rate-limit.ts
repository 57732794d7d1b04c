import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { AppEnv, SignedInEnv } from "../app-env";
import { appError } from "../errors";
import type { RateRule, RateVerdict } from "../ports/rate-limiter";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

export const RATE_RULES = {
  failedSignIns: { name: "sign-in", limit: 10, seconds: 15 * MINUTE },
  /** Many people may sit behind one address; who tries a list of passwords needs more than this. */
  failedSignInsFromAddress: { name: "sign-in-address", limit: 100, seconds: 15 * MINUTE },
  wrongPasswords: { name: "password", limit: 10, seconds: 15 * MINUTE },
  exports: { name: "export", limit: 5, seconds: HOUR },
  registrations: { name: "register", limit: 60, seconds: HOUR },
  mailsToAddress: { name: "mail", limit: 5, seconds: HOUR },
  supportMessages: { name: "support", limit: 10, seconds: HOUR },
  linkReads: { name: "link-read", limit: 600, seconds: HOUR },
  openings: { name: "opening", limit: 600, seconds: HOUR },
  submissions: { name: "submission", limit: 60, seconds: HOUR },
} as const satisfies Record<string, RateRule>;

/** Lets at most the rule's number of requests through for one client address. */
export const limitByAddress = (rule: RateRule) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await countTry(c, rule, c.env.clientAddress);
    await next();
  });

/** @throws AppError `rate_limited` once the subject has no try left */
export async function countTry(
  c: Context<AppEnv> | Context<SignedInEnv>,
  rule: RateRule,
  subject: string,
): Promise<void> {
  requireAllowed(await c.var.deps.rateLimiter.hit(rule, subject));
}

/** @throws AppError `rate_limited` where the verdict is no */
export function requireAllowed(verdict: RateVerdict): void {
  if (!verdict.allowed) throw appError("rate_limited", { retryAfterSeconds: verdict.retryAfterSeconds });
}
