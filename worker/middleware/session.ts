import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import { findSession, insertSession, updateSession } from "../../db/queries/users";
import type { AppEnv, SignedInEnv } from "../app-env";
import type { ErrorCode } from "../contract/errors";
import { appError } from "../errors";
import { hashToken, randomToken } from "../lib/tokens";

type AppContext = Context<AppEnv> | Context<SignedInEnv>;

const DAY_MS = 24 * 60 * 60 * 1000;
const LIFETIME_MS = 30 * DAY_MS;
const USER_AGENT_LENGTH = 200;

/** Lets the request through with its user, or answers 401. */
export const requireUser = sessionGuard("unauthenticated");

/** As `requireUser`, for what must not be seen to be there: answers 404. */
export const requireUserOrHide = sessionGuard("not_found");

/** Renews a session that was last renewed more than a day ago. */
function sessionGuard(refusal: ErrorCode) {
  return createMiddleware<SignedInEnv>(async (c, next) => {
    const { db, clock } = c.var.deps;
    const token = getCookie(c, cookieName(c));
    if (!token) throw appError(refusal);
    const sid = await hashToken(token);
    const now = clock.now();
    const session = await findSession(db, sid, now.toISOString());
    if (!session) throw appError(refusal);
    if (now.getTime() - Date.parse(session.sess.renewedAt) > DAY_MS) {
      await updateSession(db, sid, {
        sess: { ...session.sess, renewedAt: now.toISOString() },
        expire: expiry(now),
      });
      writeCookie(c, token);
    }
    c.set("user", session.user);
    c.set("sid", sid);
    await next();
  });
}

/** Whether the request comes from somebody who is signed in. */
export async function isSignedIn(c: AppContext): Promise<boolean> {
  return (await signedInUserId(c)) !== undefined;
}

/** Who the request comes from, where that may be nobody. */
export async function signedInUserId(c: AppContext): Promise<number | undefined> {
  const { db, clock } = c.var.deps;
  const sid = await cookieSession(c);
  const session = sid && (await findSession(db, sid, clock.now().toISOString()));
  return session ? session.user.id : undefined;
}

/** Signs the user in on this client, with a token that was never used before. */
export async function startSession(c: AppContext, userId: number): Promise<void> {
  const { db, clock } = c.var.deps;
  const token = randomToken();
  const now = clock.now();
  const moment = now.toISOString();
  const userAgent = (c.req.header("user-agent") ?? "").slice(0, USER_AGENT_LENGTH);
  const sess = { createdAt: moment, renewedAt: moment, userAgent };
  await insertSession(db, { sid: await hashToken(token), userId, sess, expire: expiry(now) });
  writeCookie(c, token);
}

/** The id of the session the client's cookie names, whether or not it is still valid. */
export async function cookieSession(c: AppContext): Promise<string | undefined> {
  const token = getCookie(c, cookieName(c));
  return token ? hashToken(token) : undefined;
}

export function clearSessionCookie(c: AppContext): void {
  deleteCookie(c, cookieName(c), { path: "/", secure: isHttps(c) });
}

function writeCookie(c: AppContext, token: string): void {
  setCookie(c, cookieName(c), token, {
    httpOnly: true,
    sameSite: "Lax",
    path: "/",
    secure: isHttps(c),
    maxAge: LIFETIME_MS / 1000,
  });
}

const isHttps = (c: AppContext) => c.var.deps.config.publicUrl.startsWith("https:");
const cookieName = (c: AppContext) => (isHttps(c) ? "__Host-session" : "session");
const expiry = (now: Date) => new Date(now.getTime() + LIFETIME_MS).toISOString();
