import type { Context } from "hono";
import { findApiToken, updateApiTokenUse } from "../../db/queries/api-tokens";
import type { AppEnv, SignedInEnv, UserEnv } from "../app-env";
import { MAY_WRITE } from "../contract/options";
import { appError } from "../errors";
import { RATE_RULES, requireAllowed } from "../features/rate-limits/rate-rules";
import { isApiToken } from "../lib/api-token";
import { hashToken } from "../lib/tokens";

export type AppContext = Context<AppEnv> | Context<UserEnv> | Context<SignedInEnv>;

/** Methods that change nothing. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** The token of `Authorization: Bearer …`; undefined if the request has none. */
export function bearerToken(c: AppContext): string | undefined {
  const match = /^Bearer(?:\s+(.*))?$/i.exec(c.req.header("authorization")?.trim() ?? "");
  return match ? (match[1] ?? "") : undefined;
}

/**
 * The API token and its user. Counts the call, and reports the remaining calls in response headers.
 * @throws AppError `invalid_api_token`, `rate_limited`
 */
export async function requireApiToken(c: AppContext, token: string) {
  const { db, clock } = c.var.deps;
  const now = clock.now().toISOString();
  const found = (await isApiToken(token)) ? await findApiToken(db, await hashToken(token), now) : undefined;
  if (!found) throw appError("invalid_api_token");
  await countCall(c, found.id);
  const hour = `${now.slice(0, "2026-03-14T09".length)}:00:00.000Z`;
  if (found.lastUsedAt !== hour) await updateApiTokenUse(db, found.user.id, found.id, hour);
  return found;
}

/**
 * Like `requireApiToken`, for a call that the token's scope must allow.
 * @throws AppError `token_scope`
 */
export async function requireScopedToken(c: AppContext, token: string) {
  const found = await requireApiToken(c, token);
  if (!MAY_WRITE[found.scope] && !SAFE_METHODS.has(c.req.method)) throw appError("token_scope");
  return found;
}

async function countCall(c: AppContext, tokenId: number): Promise<void> {
  const rule = RATE_RULES.tokenCalls;
  const verdict = await c.var.deps.rateLimiter.hit(rule, String(tokenId));
  const resetSeconds = verdict.allowed ? verdict.resetSeconds : verdict.retryAfterSeconds;
  if (resetSeconds !== undefined) {
    c.header("RateLimit-Limit", String(rule.limit));
    c.header("RateLimit-Remaining", String(verdict.allowed ? verdict.remaining : 0));
    c.header("RateLimit-Reset", String(resetSeconds));
  }
  requireAllowed(verdict);
}
