import { getCookie, setCookie } from "hono/cookie";
import { insertSession, isSignInOutdated } from "../../db/queries/sessions";
import { insertSignIn } from "../../db/queries/sign-ins";
import type { User } from "../../db/queries/users";
import type { ErrorCode } from "../contract/errors";
import type { SignInMethod } from "../contract/options";
import { appError } from "../errors";
import {
  isKnownBrowser,
  parseKnownAccounts,
  type SignInClient,
  withKnownAccount,
} from "../features/auth/known-browser";
import { deliverSoon, queueNewSignIn } from "../features/notifications/outbox";
import { DAY_MS } from "../lib/durations";
import { hashToken, randomToken } from "../lib/tokens";
import { type AppContext, expiry, IDLE_LIMIT_MS, isHttps, writeCookie } from "./session";

/** The calls that read the cookie of known browsers: it is set for each of their paths. */
const PATHS = ["/api/login", "/api/auth"];
const LIFETIME_SECONDS = (365 * DAY_MS) / 1000;
const USER_AGENT_LENGTH = 200;

type SignIn = {
  user: User;
  /** The account's id while what was checked is still valid, otherwise NULL. */
  userId: Parameters<typeof insertSession>[1]["userId"];
  /** The error if it is no longer valid. */
  errorCode: ErrorCode;
  method: SignInMethod;
  /** Whether the account was created just now, so that it has not been used in any browser before. */
  isNew?: boolean;
};

export const signInClient = (c: AppContext): SignInClient => ({
  address: c.env.clientAddress,
  userAgent: (c.req.header("user-agent") ?? "").slice(0, USER_AGENT_LENGTH),
  known: parseKnownAccounts(getCookie(c, knownBrowserCookie(c))),
});

/**
 * Signs the user in on this client, with a token that was never used before: the only way to begin a session. Records
 * the sign-in, and tells the account's verified address if it has not been used in this browser before.
 * @throws AppError `errorCode`
 */
export async function startSession(c: AppContext, signIn: SignIn): Promise<void> {
  const { user, userId, errorCode, method, isNew = false } = signIn;
  const { deps } = c.var;
  const { db, clock } = deps;
  const { address, userAgent, known } = signInClient(c);
  const token = randomToken();
  const now = clock.now();
  const at = now.toISOString();
  const sess = { id: crypto.randomUUID(), createdAt: at, renewedAt: at, usedAt: at, userAgent, address };
  const session = {
    ...{ sid: await hashToken(token), userId, sess, expire: expiry(now, at) },
    ...{ method, authenticatedAt: at },
  };
  const isUnknown = !isNew && user.isVerified && !(await isKnownBrowser(db, known, user));
  await insertSession(db, session, [
    ...insertSignIn(db, { userId, at, method, address, userAgent, succeeded: true }),
    ...(isUnknown ? [queueNewSignIn(db, user, { address, userAgent, createdAt: at })] : []),
  ]).catch((error: unknown) => {
    throw isSignInOutdated(error) ? appError(errorCode) : error;
  });
  if (isUnknown) deliverSoon(deps);
  writeCookie(c, token, IDLE_LIMIT_MS);
  const value = await withKnownAccount(db, known, user);
  for (const path of PATHS)
    setCookie(c, knownBrowserCookie(c), value, {
      httpOnly: true,
      sameSite: "Lax",
      path,
      secure: isHttps(c),
      maxAge: LIFETIME_SECONDS,
    });
}

const knownBrowserCookie = (c: AppContext) => (isHttps(c) ? "__Secure-known-browser" : "known-browser");
