import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import type { Statement } from "../../db/client";
import type { Caller } from "../../db/queries/envelope-events";
import { deleteSession, findSession, type SessionData, updateSession } from "../../db/queries/sessions";
import type { User } from "../../db/queries/users";
import type { SignedInEnv, UsedSession, UserEnv } from "../app-env";
import type { ErrorCode } from "../contract/errors";
import { MAY_WRITE, type Role } from "../contract/options";
import { appError } from "../errors";
import { RATE_RULES } from "../features/rate-limits/rate-rules";
import { requireSecondFactorSetUp } from "../features/sign-in-policy/sign-in-policy";
import { DAY_MS, HOUR_MS } from "../lib/durations";
import { hashToken } from "../lib/tokens";
import { type AppContext, bearerToken, requireApiToken, requireScopedToken, SAFE_METHODS } from "./api-token";
import { describeFor, withDescription } from "./describe";
import { checkCaller } from "./late-body";
import { countTry } from "./rate-limit";

/** The lifetime without use; each use after a day extends it. */
export const IDLE_LIMIT_MS = 30 * DAY_MS;
/** The maximum lifetime after sign-in, however often it is used. */
const ABSOLUTE_LIMIT_MS = 180 * DAY_MS;

/** Passes the request on with its user, identified by a session or an API token, or responds with 401. */
export const requireUser = userGuard("unauthenticated");

/** Like `requireUser`, but responds with 404, for resources whose existence is private. */
export const requireUserOrHide = userGuard("not_found");

/** Passes the request on with a user who is signed in by a session, or responds with 401; an API token is rejected. */
export const requireSignIn = withDescription(
  createMiddleware<SignedInEnv>(async (c, next) => {
    await rejectApiToken(c);
    await checkCaller(c, async () => {
      const { user, ...session } = await requireSessionOf(c, "unauthenticated");
      if (!isSetUpCall(c)) await requireSecondFactorSetUp(c.var.deps, user, session.method);
      c.set("user", user);
      c.set("sid", session.sid);
      c.set("session", session);
    });
    await countUse(c, c.var.user.id);
    await next();
  }),
  {
    access: "session",
    errors: [
      "unauthenticated",
      "invalid_api_token",
      "token_not_allowed",
      "second_factor_setup_required",
      "rate_limited",
    ],
  },
);

/** `describe` for calls behind `requireUser`, or behind `requireSignIn`. */
export const forUsers = describeFor(requireUser);
export const forSessions = describeFor(requireSignIn);

/** @throws AppError `token_not_allowed`, `invalid_api_token` if the request has an API token */
export async function rejectApiToken(c: AppContext): Promise<void> {
  const token = bearerToken(c);
  if (token === undefined) return;
  await requireApiToken(c, token);
  throw appError("token_not_allowed");
}

/** What stays open to an account that must set up a second factor first. */
const SET_UP_CALLS =
  /^\/api\/(?:two-factor|passkeys|reauthenticate|auth\/confirmation|user\/resend-verification)(?:\/|$)/;

const isSetUpCall = (c: AppContext) =>
  SET_UP_CALLS.test(c.req.path) || (c.req.path === "/api/user" && SAFE_METHODS.has(c.req.method));

function userGuard(errorCode: ErrorCode) {
  const guard = createMiddleware<UserEnv>(async (c, next) => {
    const token = bearerToken(c);
    await checkCaller(c, async () => {
      if (token === undefined) {
        const { user, ...session } = await requireSessionOf(c, errorCode);
        if (!isSetUpCall(c)) await requireSecondFactorSetUp(c.var.deps, user, session.method);
        c.set("user", user);
        c.set("session", session);
      } else {
        const { user, id, scope, workspaceId } = await requireScopedToken(c, token);
        await requireSecondFactorSetUp(c.var.deps, user, null);
        c.set("user", user);
        c.set("apiToken", { id, scope, workspaceId });
      }
    });
    await countUse(c, c.var.user.id);
    await next();
  });
  return withDescription(guard, {
    access: "user",
    errors: [errorCode, "invalid_api_token", "token_scope", "second_factor_setup_required", "rate_limited"],
  });
}

/** Each takes more of everybody's time than other reads. */
const HEAVY_READ =
  /^\/api\/(?:requests|contacts(?:\/tags)?|templates|series|destinations|documents\/expiring|user\/export|workspaces\/(?:deletion-notices|\d+\/(?:members(?:\/\d+\/links)?|retention)))$|\.(?:zip|csv)$/;

/** Counts a call of an account, whatever its result. @throws AppError `rate_limited`, `too_many_changes` */
async function countUse(c: AppContext, userId: number): Promise<void> {
  if (SAFE_METHODS.has(c.req.method)) {
    await countTry(c, RATE_RULES.reads, String(userId));
    if (HEAVY_READ.test(c.req.path)) await countTry(c, RATE_RULES.heavyReads, String(userId));
    return;
  }
  const rule = RATE_RULES.changes;
  const verdict = await c.var.deps.rateLimiter.hit(rule, String(userId));
  if (verdict.allowed) return;
  const { retryAfterSeconds } = verdict;
  throw appError("too_many_changes", { retryAfterSeconds, params: { limit: rule.limit } });
}

/** The session of the client's cookie. @throws AppError `errorCode` */
async function requireSessionOf(c: AppContext, errorCode: ErrorCode): Promise<UsedSession & { user: User }> {
  const { db, clock } = c.var.deps;
  const token = getCookie(c, cookieName(c));
  if (!token) throw appError(errorCode);
  const sid = await hashToken(token);
  const session = await findSession(db, sid, clock.now().toISOString());
  if (!session) throw appError(errorCode);
  await renewSession(c, token, { sid, userId: session.user.id, ...session });
  return { user: session.user, sid, authenticatedAt: authenticatedAt(session), method: session.method };
}

/** Sessions of earlier versions have no time of their own. */
const authenticatedAt = (session: { authenticatedAt: string | null; sess: SessionData }) =>
  session.authenticatedAt ?? session.sess.createdAt;

/** Records the use of a session once an hour, and extends it and its cookie once a day. */
async function renewSession(
  c: AppContext,
  token: string,
  { sid, userId, sess, expire }: { sid: string; userId: number; sess: SessionData; expire: string },
): Promise<void> {
  const now = c.var.deps.clock.now();
  if (now.getTime() - Date.parse(sess.usedAt) < HOUR_MS) return;
  const usedAt = now.toISOString();
  const renews = now.getTime() - Date.parse(sess.renewedAt) > DAY_MS;
  const updated = { ...sess, usedAt, address: c.env.clientAddress, ...(renews && { renewedAt: usedAt }) };
  const until = renews ? expiry(now, sess.createdAt) : expire;
  await updateSession(c.var.deps.db, userId, sid, { sess: updated, expire: until });
  if (renews) writeCookie(c, token, Date.parse(until) - now.getTime());
}

/** Rejects an API token that is limited to a workspace. */
export const rejectLimitedToken = withDescription(
  createMiddleware<UserEnv>((c, next) => {
    if (c.var.apiToken && c.var.apiToken.workspaceId !== null) throw appError("token_not_allowed");
    return next();
  }),
  { errors: ["token_not_allowed"] },
);

/** The caller of a call that asks for this role in the workspace, and the client address for recorded events. */
const callerAs =
  (role: Role) =>
  (c: Context<UserEnv> | Context<SignedInEnv>): Caller => {
    const workspaceId = "apiToken" in c.var ? (c.var.apiToken?.workspaceId ?? null) : null;
    return {
      userId: c.var.user.id,
      role,
      address: c.env.clientAddress,
      ...(workspaceId !== null && { workspaceId }),
    };
  };

export const asViewer = callerAs("viewer");
export const asMember = callerAs("member");
export const asOwner = callerAs("owner");

/** How the caller sees an envelope, and when: a token that may only read does not get the recipient's link. */
export function viewerOf(c: Context<UserEnv>): { now: Date; withLink: boolean } {
  const { deps, apiToken } = c.var;
  return { now: deps.clock.now(), withLink: !apiToken || MAY_WRITE[apiToken.scope] };
}

/** The same with the account's row. */
export const senderOf = (c: Context<UserEnv>) => ({ ...asMember(c), user: c.var.user });

/** Who changes how their own account signs in. */
export const ownerOf = (c: Context<SignedInEnv>) => ({
  user: c.var.user,
  sid: c.var.sid,
  address: c.env.clientAddress,
});

/** The request's valid session, if any. */
export async function currentSession(
  c: AppContext,
): Promise<(UsedSession & { userId: number; user: User }) | undefined> {
  const { db, clock } = c.var.deps;
  const sid = await cookieSession(c);
  const session = sid && (await findSession(db, sid, clock.now().toISOString()));
  if (!session) return undefined;
  const { user } = session;
  return { userId: user.id, user, sid, authenticatedAt: authenticatedAt(session), method: session.method };
}

/** The id of the cookie's session, valid or not. */
export async function cookieSession(c: AppContext): Promise<string | undefined> {
  const token = sessionToken(c);
  return token ? hashToken(token) : undefined;
}

/** The cookie's token, of which the database knows only the hash. A request with an API token ignores cookies. */
export const sessionToken = (c: AppContext): string | undefined =>
  bearerToken(c) === undefined ? getCookie(c, cookieName(c)) : undefined;

/** The statement that ends the session of the cookie, which another one replaces. */
export async function endCurrentSession(c: AppContext): Promise<Statement[]> {
  const sid = await cookieSession(c);
  return sid ? [deleteSession(c.var.deps.db, sid)] : [];
}

export function clearSessionCookie(c: AppContext): void {
  deleteCookie(c, cookieName(c), { path: "/", secure: isHttps(c) });
}

/** Sets the cookie of a session. */
export function writeCookie(c: AppContext, token: string, lifetimeMs: number): void {
  setCookie(c, cookieName(c), token, {
    httpOnly: true,
    sameSite: "Lax",
    path: "/",
    secure: isHttps(c),
    maxAge: Math.floor(lifetimeMs / 1000),
  });
}

export const isHttps = (c: AppContext) => c.var.deps.config.publicUrl.startsWith("https:");
const cookieName = (c: AppContext) => (isHttps(c) ? "__Host-session" : "session");
/** When a session ends that is used now. */
export const expiry = (now: Date, signedInAt: string) =>
  new Date(Math.min(now.getTime() + IDLE_LIMIT_MS, Date.parse(signedInAt) + ABSOLUTE_LIMIT_MS)).toISOString();
