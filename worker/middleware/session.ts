import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import type { Caller } from "../../db/queries/envelope-events";
import {
  findSession,
  insertSession,
  isSignInOutdated,
  type SessionData,
  updateSession,
} from "../../db/queries/sessions";
import type { User } from "../../db/queries/users";
import type { AppEnv, SignedInEnv, UserEnv } from "../app-env";
import type { ErrorCode } from "../contract/errors";
import { appError } from "../errors";
import { DAY_MS, HOUR_MS } from "../lib/durations";
import { hashToken, randomToken } from "../lib/tokens";
import { bearerToken, requireApiToken, requireScopedToken } from "./api-token";
import { withDescription } from "./describe";

type AppContext = Context<AppEnv> | Context<UserEnv> | Context<SignedInEnv>;

/** The lifetime without use; each use after a day extends it. */
const IDLE_LIMIT_MS = 30 * DAY_MS;
/** The maximum lifetime after sign-in, however often it is used. */
const ABSOLUTE_LIMIT_MS = 180 * DAY_MS;
const USER_AGENT_LENGTH = 200;

/** Passes the request on with its user, identified by a session or an API token, or answers 401. */
export const requireUser = userGuard("unauthenticated");

/** Like `requireUser`, but answers 404, for resources whose existence is private. */
export const requireUserOrHide = userGuard("not_found");

/** Passes the request on with a user who is signed in by a session, or answers 401; an API token is rejected. */
export const requireSignIn = withDescription(
  createMiddleware<SignedInEnv>(async (c, next) => {
    const token = bearerToken(c);
    if (token !== undefined) {
      await requireApiToken(c, token);
      throw appError("token_not_allowed");
    }
    const { user, sid } = await requireSessionOf(c, "unauthenticated");
    c.set("user", user);
    c.set("sid", sid);
    await next();
  }),
  {
    access: "session",
    errors: ["unauthenticated", "invalid_api_token", "token_not_allowed", "rate_limited"],
  },
);

function userGuard(errorCode: ErrorCode) {
  const guard = createMiddleware<UserEnv>(async (c, next) => {
    const token = bearerToken(c);
    const { user } =
      token === undefined ? await requireSessionOf(c, errorCode) : await requireScopedToken(c, token);
    c.set("user", user);
    await next();
  });
  return withDescription(guard, {
    access: "user",
    errors: [errorCode, "invalid_api_token", "token_scope", "rate_limited"],
  });
}

/** The session of the client's cookie. @throws AppError `errorCode` */
async function requireSessionOf(c: AppContext, errorCode: ErrorCode): Promise<{ user: User; sid: string }> {
  const { db, clock } = c.var.deps;
  const token = getCookie(c, cookieName(c));
  if (!token) throw appError(errorCode);
  const sid = await hashToken(token);
  const session = await findSession(db, sid, clock.now().toISOString());
  if (!session) throw appError(errorCode);
  await renewSession(c, token, { sid, userId: session.user.id, ...session });
  return { user: session.user, sid };
}

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

/** The acting account and client address, for recorded events. */
export function callerOf(c: Context<UserEnv> | Context<SignedInEnv>): Caller {
  return { userId: c.var.user.id, address: c.env.clientAddress };
}

/** Whether the request has a valid session. */
export async function isSignedIn(c: AppContext): Promise<boolean> {
  return (await signedInUserId(c)) !== undefined;
}

/** The signed-in user's id, if any. */
export async function signedInUserId(c: AppContext): Promise<number | undefined> {
  const { db, clock } = c.var.deps;
  const sid = await cookieSession(c);
  const session = sid && (await findSession(db, sid, clock.now().toISOString()));
  return session ? session.user.id : undefined;
}

/** The account to sign in, and the error if the credentials are no longer valid. */
type SignIn = { userId: Parameters<typeof insertSession>[1]["userId"]; errorCode: ErrorCode };

/** Signs the user in on this client, with a token that was never used before. @throws AppError `errorCode` */
export async function startSession(c: AppContext, { userId, errorCode }: SignIn): Promise<void> {
  const { db, clock } = c.var.deps;
  const token = randomToken();
  const now = clock.now();
  const moment = now.toISOString();
  const userAgent = (c.req.header("user-agent") ?? "").slice(0, USER_AGENT_LENGTH);
  const sess = {
    id: crypto.randomUUID(),
    createdAt: moment,
    renewedAt: moment,
    usedAt: moment,
    userAgent,
    address: c.env.clientAddress,
  };
  const session = { sid: await hashToken(token), userId, sess, expire: expiry(now, moment) };
  await insertSession(db, session).catch((error: unknown) => {
    throw isSignInOutdated(error) ? appError(errorCode) : error;
  });
  writeCookie(c, token, IDLE_LIMIT_MS);
}

/** The id of the cookie's session, valid or not. */
export async function cookieSession(c: AppContext): Promise<string | undefined> {
  const token = getCookie(c, cookieName(c));
  return token ? hashToken(token) : undefined;
}

export function clearSessionCookie(c: AppContext): void {
  deleteCookie(c, cookieName(c), { path: "/", secure: isHttps(c) });
}

function writeCookie(c: AppContext, token: string, lifetimeMs: number): void {
  setCookie(c, cookieName(c), token, {
    httpOnly: true,
    sameSite: "Lax",
    path: "/",
    secure: isHttps(c),
    maxAge: Math.floor(lifetimeMs / 1000),
  });
}

const isHttps = (c: AppContext) => c.var.deps.config.publicUrl.startsWith("https:");
const cookieName = (c: AppContext) => (isHttps(c) ? "__Host-session" : "session");
const expiry = (now: Date, signedInAt: string) =>
  new Date(Math.min(now.getTime() + IDLE_LIMIT_MS, Date.parse(signedInAt) + ABSOLUTE_LIMIT_MS)).toISOString();
