import { runBatch } from "../../../db/client";
import { unchangedAccount } from "../../../db/queries/account-guards";
import { accountEmail, isAccountMissing } from "../../../db/queries/notifications";
import { deleteSignInMethods, endProgramAccess } from "../../../db/queries/sign-in-methods";
import {
  findPasswordResetOwner,
  findUserByEmail,
  insertPasswordReset,
  insertUser,
  isEmailTaken,
  isResetRejected,
  isSignUpRejected,
  ownerByPasswordReset,
  type User,
  updateUser,
  VERIFIED,
  verifyUser,
} from "../../../db/queries/users";
import { insertFirstWorkspace, ownerByEmail } from "../../../db/queries/workspaces";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { HOUR_MS } from "../../lib/durations";
import { limitFailures } from "../../lib/limit-failures";
import { RATE_RULES, requireAllowed } from "../../lib/rate-rules";
import { hashToken, randomToken } from "../../lib/tokens";
import {
  deliverSoon,
  queuePasswordChanged,
  queuePasswordReset,
  queueVerification,
} from "../notifications/outbox";
import { requireOpenSignUp, signUpCondition, signUpError } from "./sign-up";

export const FIRST_WORKSPACE = "My Workspace";

/** The columns that mark an address as unverified, and its verification token. */
export async function newVerification(now: Date) {
  const token = randomToken();
  const verificationExpiry = new Date(now.getTime() + 24 * HOUR_MS).toISOString();
  return {
    token,
    fields: { isVerified: false, verificationToken: await hashToken(token), verificationExpiry },
  };
}

/** A single-use link to choose a new password: the token to mail, and the row to store. */
export async function newPasswordReset(now: Date) {
  const token = randomToken();
  const expiresAt = new Date(now.getTime() + HOUR_MS).toISOString();
  return { token, fields: { tokenHash: await hashToken(token), expiresAt } };
}

/**
 * Creates the account, its first workspace and its verification mail.
 * @throws AppError `email_taken`; `sign_up_closed`, `invitation_required`
 */
export async function register(
  deps: Dependencies,
  input: { email: string; password: string },
): Promise<User> {
  const { db, clock, passwordHasher } = deps;
  const { email } = input;
  await requireOpenSignUp(deps);
  const now = clock.now();
  const createdAt = now.toISOString();
  const [password, verification] = await Promise.all([
    passwordHasher.inTurn(() => passwordHasher.hash(input.password)),
    newVerification(now),
  ]);
  const { allowed } = await deps.rateLimiter.hit(RATE_RULES.mailsToAddress, email);
  const mail = { userId: ownerByEmail(email), email, token: verification.token, createdAt };
  await runBatch(db, [
    insertUser(
      db,
      { email, password, createdAt, ...verification.fields },
      signUpCondition(deps, { email, isVerified: false }),
    ),
    insertFirstWorkspace(db, email, { name: FIRST_WORKSPACE, createdAt, updatedAt: createdAt }),
    ...(allowed ? [queueVerification(db, mail)] : []),
  ]).catch((error: unknown) => {
    throw isSignUpRejected(error) ? signUpError(deps) : throwIfEmailTaken(error);
  });
  deliverSoon(deps);
  const user = await findUserByEmail(db, email);
  if (!user) throw new Error("The account no longer exists");
  return user;
}

/**
 * The account with this e-mail address and password. After ten failures within the window, all further attempts for the
 * account are rejected; after a hundred failures, those from the client address. An unknown account is reported like a
 * wrong password.
 * @throws AppError `rate_limited`, `invalid_credentials`, `account_disabled`
 */
export async function checkCredentials(
  deps: Dependencies,
  { email, password }: { email: string; password: string },
  address: string,
): Promise<User> {
  const { db, rateLimiter, passwordHasher } = deps;
  const counted = [
    [RATE_RULES.failedSignInsFromAddress, address],
    [RATE_RULES.failedSignIns, email],
  ] as const;
  let account: number | undefined;
  // Counted inside the queue: many concurrent attempts would otherwise mean as many concurrent writes.
  const user = await passwordHasher.inTurn(() =>
    limitFailures(rateLimiter, counted, async () => {
      const found = await findUserByEmail(db, email);
      account = found?.id;
      const matches = await passwordHasher.verify(password, found?.password ?? "");
      return found && matches ? found : null;
    }),
  );
  if (!user) {
    deps.log.info("sign-in failed", { userId: account, client: address });
    throw appError("invalid_credentials");
  }
  requireEnabled(user);
  return user;
}

/** @throws AppError `account_disabled`, only after the credentials were checked */
export function requireEnabled({ disabledAt }: User): void {
  if (disabledAt !== null) throw appError("account_disabled");
}

/**
 * Mails a link to choose a new password, if the account exists, and unless it was mailed too often or the client
 * address has requested too many.
 */
export async function forgotPassword(deps: Dependencies, email: string, address: string): Promise<void> {
  const { db, clock, rateLimiter } = deps;
  const client = await rateLimiter.hit(RATE_RULES.resetsFromAddress, address);
  if (!client.allowed) return;
  const user = await findUserByEmail(db, email);
  const verdict = await rateLimiter.hit(RATE_RULES.resetMails, email);
  if (!user || !verdict.allowed) return;
  const now = clock.now();
  const { token, fields } = await newPasswordReset(now);
  // A link that was mailed to an address becomes void when the address changes.
  const userId = unchangedAccount(db, user.id, { email });
  await runBatch(db, [
    insertPasswordReset(db, { ...fields, userId }),
    queuePasswordReset(db, user, { token, createdAt: now.toISOString() }),
  ]).catch((error: unknown) => {
    if (!isResetRejected(error)) throw error;
  });
  deliverSoon(deps);
}

/**
 * Sets the password by a mailed token, and ends every other way to sign in. Only the links of `revertEmail` remain: an
 * attacker who has changed the address also gets its reset mails, and must not lock out the owner with one.
 * @throws AppError `invalid_token`
 */
export async function resetPassword(
  deps: Dependencies,
  input: { token: string; newPassword: string; revokeTokens: boolean },
): Promise<{ userId: number }> {
  const { db, clock, passwordHasher } = deps;
  const now = clock.now().toISOString();
  const tokenHash = await hashToken(input.token);
  const userId = await findPasswordResetOwner(db, tokenHash, now);
  if (userId === undefined) throw appError("invalid_token");
  const password = await passwordHasher.inTurn(() => passwordHasher.hash(input.newPassword));
  await runBatch(db, [
    queuePasswordChanged(db, ownerByPasswordReset(db, tokenHash, now), now),
    // The link was mailed to the address, so it is verified.
    updateUser(db, userId, { password, ...VERIFIED }),
    ...deleteSignInMethods(db, userId),
    ...(input.revokeTokens ? endProgramAccess(db, userId) : []),
  ]).catch((error: unknown) => {
    throw isAccountMissing(error) ? appError("invalid_token") : error;
  });
  deliverSoon(deps);
  return { userId };
}

/** Marks the address that the token was mailed to as verified. @throws AppError `invalid_token` */
export async function verifyEmail({ db, clock }: Dependencies, token: string): Promise<void> {
  const verified = await verifyUser(db, await hashToken(token), clock.now().toISOString());
  if (!verified) throw appError("invalid_token");
}

/** Mails a new verification link, which replaces the previous one. @throws AppError `rate_limited` */
export async function resendVerification(deps: Dependencies, user: User): Promise<void> {
  const { db, clock, rateLimiter } = deps;
  if (user.isVerified) return;
  const verdict = await rateLimiter.hit(RATE_RULES.mailsToAddress, user.email);
  requireAllowed(verdict);
  const now = clock.now();
  const { token, fields } = await newVerification(now);
  const unchanged = unchangedAccount(db, user.id, { email: user.email, isVerified: false });
  const mail = { userId: unchanged, email: accountEmail(unchanged), token, createdAt: now.toISOString() };
  await runBatch(db, [queueVerification(db, mail), updateUser(db, user.id, fields)]).catch(
    (error: unknown) => {
      // Verified or changed meanwhile: a change sends its own mail.
      if (!isAccountMissing(error)) throw error;
    },
  );
  deliverSoon(deps);
}

/** Reports a duplicate address as `email_taken`; rethrows anything else. */
export function throwIfEmailTaken(error: unknown): never {
  throw isEmailTaken(error) ? appError("email_taken") : error;
}
