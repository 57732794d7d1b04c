import { getCookie, setCookie } from "hono/cookie";
import type { Statement } from "../../db/client";
import { all, type Condition } from "../../db/queries/guard";
import {
  findSecondFactors,
  insertSecondStep,
  isStepOutdated,
  lacksFactor,
} from "../../db/queries/second-factors";
import { insertSession, isSignInOutdated } from "../../db/queries/sessions";
import { insertSignIn } from "../../db/queries/sign-ins";
import type { User } from "../../db/queries/users";
import type { ErrorCode } from "../contract/errors";
import type { SecondFactor, SignInMethod, UsedFactor } from "../contract/options";
import { appError, rejectedAs } from "../errors";
import {
  isKnownBrowser,
  parseAccounts,
  type SignInClient,
  withKnownAccount,
} from "../features/auth/known-browser";
import { deliverSoon, queueNewSignIn } from "../features/notifications/outbox";
import { demandsSecondFactor, isProviderDemanded } from "../features/sign-in-policy/sign-in-policy";
import { requiredFactors } from "../features/two-factor/two-factor.service";
import { DAY_MS, MINUTE_MS } from "../lib/durations";
import { hashToken, randomToken } from "../lib/tokens";
import type { AppContext } from "./api-token";
import { rememberDevice, signInByDevice } from "./remembered-device";
import { expiry, IDLE_LIMIT_MS, isHttps, writeCookie } from "./session";

/** The calls that read the cookie of known browsers: it is set for each of their paths. */
const PATHS = ["/api/login", "/api/auth"];
const LIFETIME_SECONDS = (365 * DAY_MS) / 1000;
const USER_AGENT_LENGTH = 200;
/** How long the second step may take. */
const SECOND_STEP_MS = 5 * MINUTE_MS;

/**
 * Whether the second factor of an account is needed besides this proof. A provider asks for its own; a passkey is a device
 * and its owner's finger, face or PIN at once.
 */
const NEEDS_SECOND_FACTOR = {
  password: true,
  invitation: true,
  google: false,
  microsoft: false,
  github: false,
  oidc: false,
  passkey: false,
  link: true,
} satisfies Record<SignInMethod, boolean>;

type SignIn = {
  user: User;
  /** Whether what was checked is still valid. */
  unchanged: Condition;
  /** The error if it is no longer valid. */
  errorCode: ErrorCode;
  method: SignInMethod;
  /** Whether the account was created just now, so that it has not been used in any browser before. */
  isNew?: boolean;
  /** The second factor, if this call has checked one. `unchanged` depends on it. */
  secondFactor?: { factor: SecondFactor; remember: boolean };
  /** Run in the batch that begins the session, after what depends on `unchanged`. */
  statements?: Statement[];
};

export const signInClient = (c: AppContext): SignInClient => ({
  address: c.env.clientAddress,
  userAgent: (c.req.header("user-agent") ?? "").slice(0, USER_AGENT_LENGTH),
  known: parseAccounts(getCookie(c, knownBrowserCookie(c))),
});

/**
 * Signs the user in on this client, with a token that was never used before: the only way to begin a session. Decides
 * whether a second factor is needed. Records the sign-in, and tells the account's address if it has not been used
 * in this browser before.
 * @throws AppError `errorCode`; `second_factor_required` with the second step, `provider_sign_in_required`
 */
export async function startSession(c: AppContext, signIn: SignIn): Promise<void> {
  const { user, errorCode, method, isNew = false } = signIn;
  const { unchanged, secondFactor, statements, writeDeviceCookie } = await requireSecondFactor(c, signIn);
  const { deps } = c.var;
  const { db, clock } = deps;
  const { address, userAgent, known } = signInClient(c);
  const token = randomToken();
  const now = clock.now();
  const at = now.toISOString();
  const sess = { id: crypto.randomUUID(), createdAt: at, renewedAt: at, usedAt: at, userAgent, address };
  const session = {
    ...{ sid: await hashToken(token), userId: user.id, unchanged, sess, expire: expiry(now, at) },
    ...{ method, authenticatedAt: at },
  };
  const isUnknown = !isNew && !(await isKnownBrowser(db, known, user));
  await insertSession(db, session, [
    ...insertSignIn(db, { userId: user.id, at, method, secondFactor, address, userAgent, succeeded: true }),
    ...(isUnknown ? [queueNewSignIn(db, user, { address, userAgent, createdAt: at })] : []),
    ...statements,
  ]).catch(rejectedAs(isSignInOutdated, errorCode));
  if (isUnknown) deliverSoon(deps);
  writeCookie(c, token, IDLE_LIMIT_MS);
  writeDeviceCookie?.();
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

/** What the session needs because of the account's second factor. */
type FactorUse = {
  unchanged: Condition;
  secondFactor: UsedFactor | null;
  statements: Statement[];
  writeDeviceCookie?: () => void;
};

/** @throws AppError `second_factor_required`, `provider_sign_in_required`, `errorCode` */
async function requireSecondFactor(c: AppContext, signIn: SignIn): Promise<FactorUse> {
  const { user, unchanged, method, isNew = false, secondFactor, statements = [] } = signIn;
  const { db, clock, config } = c.var.deps;
  const without: FactorUse = { unchanged, secondFactor: null, statements };
  if (secondFactor) {
    const { factor, remember } = secondFactor;
    // A passkey is as quick as a remembered browser, and a thief of the browser's cookies does not have it.
    if (!remember || factor === "passkey") return { ...without, secondFactor: factor };
    const device = await rememberDevice(c, user, signInClient(c).userAgent);
    return {
      unchanged,
      secondFactor: factor,
      statements: [...device.statements, ...statements],
      writeDeviceCookie: device.writeCookie,
    };
  }
  if (isNew || !NEEDS_SECOND_FACTOR[method]) return without;
  const factors = await findSecondFactors(db, user.id, clock.now().toISOString());
  const isDemanded = demandsSecondFactor(config, user);
  const methods = requiredFactors(factors, isDemanded);
  if (methods.length === 0) {
    if (method === "password" && (await isProviderDemanded(c.var.deps, user)))
      throw appError("provider_sign_in_required");
    return { ...without, unchanged: all(unchanged, lacksFactor(user.id, isDemanded)) };
  }
  const device = await signInByDevice(c, user);
  if (!device) throw await secondStep(c, signIn, methods);
  return {
    unchanged: all(unchanged, device.isRemembered),
    secondFactor: "device",
    statements: [...device.statements, ...statements],
    writeDeviceCookie: device.writeCookie,
  };
}

/** Begins the second step of a sign-in. @returns the error that asks for it; `errorCode` if the account has changed */
async function secondStep(c: AppContext, signIn: SignIn, methods: SecondFactor[]) {
  const { db, clock } = c.var.deps;
  const { user, unchanged, method, errorCode } = signIn;
  const challenge = randomToken();
  const now = clock.now();
  try {
    await insertSecondStep(db, {
      tokenHash: await hashToken(challenge),
      userId: user.id,
      unchanged,
      method,
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + SECOND_STEP_MS).toISOString(),
    });
  } catch (error) {
    if (isStepOutdated(error)) return appError(errorCode);
    throw error;
  }
  return appError("second_factor_required", { challenge, methods });
}

const knownBrowserCookie = (c: AppContext) => (isHttps(c) ? "__Secure-known-browser" : "known-browser");
