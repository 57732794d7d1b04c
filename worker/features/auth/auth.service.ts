import { type Database, runBatch, type Statement } from "../../../db/client";
import { isUnchanged } from "../../../db/queries/account-guards";
import { deleteEmailReverts, deleteUnprovenReverts } from "../../../db/queries/email-reverts";
import { isAccountMissing } from "../../../db/queries/notifications";
import { deleteTotp } from "../../../db/queries/second-factors";
import { deleteSignInMethods } from "../../../db/queries/sign-in-methods";
import { insertSignIn } from "../../../db/queries/sign-ins";
import {
  claimSignInLink,
  findPasswordResetOwner,
  findUserByEmail,
  findUserById,
  findUserBySignInEmail,
  isOpenReset,
  isResetRejected,
  isSignUpRejected,
  type User,
  updateUser,
  VERIFIED,
} from "../../../db/queries/users";
import type { RegisterInput } from "../../contract/auth";
import type { SignInMethod, UsedFactor } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs, required } from "../../errors";
import { hashToken } from "../../lib/tokens";
import type { Lane } from "../../ports/crypto";
import { deliverSoon, queueAccountMail } from "../notifications/outbox";
import { limitFailures, mailboxOf, ownMailbox, RATE_RULES } from "../rate-limits/rate-rules";
import { hasProvedAddress } from "../sign-in-policy/proved-address";
import { demandsSecondFactor } from "../sign-in-policy/sign-in-policy";
import { mailRelease } from "./email-verification.service";
import { isKnownBrowser, type SignInClient } from "./known-browser";
import { mailedOwnerReverts, mailedPasswordReset, newVerification } from "./mailed-links";
import { newAccount, requireSignUp, signUpError, throwIfEmailTaken } from "./sign-up";

/**
 * Creates the account, its first workspace and its verification mail.
 * @throws AppError `email_taken`; `sign_up_closed`, `invitation_required`, `setup_required`
 */
export async function register(deps: Dependencies, input: RegisterInput, address: string): Promise<User> {
  const { db, clock, passwordHasher } = deps;
  const { email, languagePreference } = input;
  const { condition, way } = await requireSignUp(deps, input);
  const now = clock.now();
  const createdAt = now.toISOString();
  const [password, verification] = await Promise.all([
    passwordHasher.inTurn(["new", address, email], () => passwordHasher.hash(input.password)),
    newVerification(now),
  ]);
  const { allowed } = await deps.rateLimiter.hit(RATE_RULES.mailsToAddress, mailboxOf(email));
  const mail = { to: email, createdAt, payload: { token: verification.token } };
  const statements = newAccount(
    deps,
    { email, password, languagePreference, createdAt, way, ...verification.fields },
    (userId) => (allowed ? [queueAccountMail(db, "verification", { userId, ...mail })] : []),
    { actor: { kind: "newcomer", address }, condition },
  );
  await runBatch(db, statements).catch(async (error: unknown) => {
    // Otherwise strangers could use up the confirmation mails of an address.
    if (allowed) await deps.rateLimiter.refund(RATE_RULES.mailsToAddress, mailboxOf(email));
    throw isSignUpRejected(error) ? await signUpError(deps) : throwIfEmailTaken(error);
  });
  deliverSoon(deps);
  const user = await findUserByEmail(db, email);
  // Whose address it is may have taken the account over by a provider meanwhile, which removes the password.
  if (user?.password !== password) throw appError("email_taken");
  return user;
}

/**
 * The account with this e-mail address and password. After ten failures within the window, all further attempts for the
 * account from the client address are rejected, and after a hundred for any account, those from the client address. After
 * a hundred failures for the account from all addresses, one attempt in ten seconds is made, and those from browsers in
 * which it has signed in before. An unknown account is reported like a wrong password. Counters begin again with a new
 * password.
 * @throws AppError `rate_limited`, `invalid_credentials`, `account_disabled`
 */
export async function checkCredentials(
  deps: Dependencies,
  { email, password }: { email: string; password: string },
  client: SignInClient,
): Promise<User> {
  const { db, rateLimiter, passwordHasher } = deps;
  let account: number | undefined;
  // Counted inside the queue: many concurrent attempts would otherwise mean as many concurrent writes.
  const user = await passwordHasher.inTurn(await laneOf(deps, email, client), async () => {
    const found = await findUserBySignInEmail(db, email);
    account = found?.id;
    return limitFailures(rateLimiter, await signInLimits(db, email, found, client), async () => {
      const matches = await passwordHasher.verify(password, found?.password ?? "");
      return found && matches ? found : null;
    });
  });
  if (!user) {
    deps.log.info("sign-in failed", { userId: account, client: client.address });
    if (account !== undefined) recordFailedSignIn(deps, account, { method: "password" }, client);
    throw appError("invalid_credentials");
  }
  requireEnabled(deps, user, "password", client);
  return user;
}

/** By an account's cookie, which nobody else has, strangers at however many addresses do not keep its owner waiting. */
async function laneOf({ db }: Dependencies, email: string, { address, known }: SignInClient): Promise<Lane> {
  const user = known.size > 0 ? await findUserBySignInEmail(db, email) : undefined;
  const isKnown = user !== undefined && (await isKnownBrowser(db, known, user));
  return isKnown ? ["known", email] : ["new", address, email];
}

async function signInLimits(
  db: Database,
  email: string,
  user: User | undefined,
  { address, known }: SignInClient,
) {
  const account = `${email} ${user ? await hashToken(user.password) : ""}`;
  const isKnown = user !== undefined && (await isKnownBrowser(db, known, user));
  return [
    { rule: RATE_RULES.failedSignInsFromAddress, subject: address },
    { rule: RATE_RULES.failedSignIns, subject: `${account} ${address}` },
    {
      rule: RATE_RULES.failedSignInsOfAccount,
      subject: account,
      beyond: isKnown ? null : RATE_RULES.slowSignIns,
    },
  ];
}

/** @throws AppError `account_disabled`, only after the credentials were checked */
export function requireEnabled(
  deps: Dependencies,
  { id, disabledAt }: User,
  method: SignInMethod,
  client: SignInClient,
): void {
  if (disabledAt === null) return;
  recordFailedSignIn(deps, id, { method }, client);
  throw appError("account_disabled");
}

/** Records a failure for the account's owner; in the background, since its time would tell that there is an account. */
export function recordFailedSignIn(
  { db, clock, background }: Dependencies,
  userId: number,
  how: { method: SignInMethod; secondFactor?: UsedFactor },
  { address, userAgent }: SignInClient,
): void {
  const at = clock.now().toISOString();
  const signIn = { userId, at, ...how, address, userAgent, succeeded: false };
  background.run("failed sign-in", () => runBatch(db, insertSignIn(db, signIn)));
}

/**
 * Mails a link to choose a new password, if the account exists, and unless it was mailed too often or the client
 * address has requested too many. An address that an account has not confirmed yet gets a link that removes it there.
 */
export async function forgotPassword(deps: Dependencies, email: string, address: string): Promise<void> {
  const { db, clock, rateLimiter, background } = deps;
  const client = await rateLimiter.hit(RATE_RULES.resetsFromAddress, address);
  if (!client.allowed) return;
  const user = await findUserBySignInEmail(db, email);
  const mailbox = user?.email === email ? ownMailbox(user) : mailboxOf(email);
  const verdict = await rateLimiter.hit(RATE_RULES.resetMails, mailbox);
  if (!user || !verdict.allowed) return;
  // After the response, since its time would tell that there is an account.
  background.run("forgotten password", async () => {
    if (user.email !== email) return mailRelease(deps, user.id, email);
    const { statements } = await mailedPasswordReset(db, user, clock.now());
    await runBatch(db, statements).catch((error: unknown) => {
      if (!isResetRejected(error)) throw error;
    });
    deliverSoon(deps);
  });
}

/**
 * Sets the password by a mailed token, ends every other way to sign in except what serves as a second factor, and cancels
 * a change of the address that waits for its confirmation. The links of `revertEmail` remain if the address was proved: an
 * attacker who has changed it also gets its reset mails, and must not lock out the first owner with one. Otherwise the link
 * is the first proof of who owns the account: everything ends that gives access to it, and what was made is set aside.
 * @throws AppError `invalid_token`
 */
export async function resetPassword(
  deps: Dependencies,
  input: { token: string; newPassword: string; revokeTokens: boolean },
  address: string,
): Promise<{ userId: number }> {
  const { db, clock, passwordHasher } = deps;
  const at = clock.now();
  const now = at.toISOString();
  const tokenHash = await hashToken(input.token);
  const userId = await findPasswordResetOwner(db, tokenHash, now);
  const user = userId === undefined ? undefined : await findUserById(db, userId);
  if (userId === undefined || !user) throw appError("invalid_token");
  const proved = hasProvedAddress(deps, user);
  // The account may be an administrator's only now that its address is verified.
  const demanded = demandsSecondFactor(deps.config, { ...user, ...VERIFIED });
  const lane: Lane = ["new", address, `reset ${userId}`];
  const password = await passwordHasher.inTurn(lane, () => passwordHasher.hash(input.newPassword));
  const endsAccess = input.revokeTokens || !proved;
  const { endGivenAccess } = await import("../../../db/queries/given-access");
  const { setWorkspacesAside } = await import("../../../db/queries/set-aside");
  const planned = { now, takeTurn: deps.takeTurn };
  const lost = await mailedOwnerReverts(db, userId, { to: user.email, now: at });
  const statements = (ended: Statement[]) => [
    queueAccountMail(db, "password_changed", {
      // Fails the batch if the address was proved meanwhile: then more remains.
      userId,
      unchanged: isUnchanged(
        db,
        userId,
        { verifiedByOwner: user.verifiedByOwner },
        isOpenReset(userId, tokenHash, now),
      ),
      createdAt: now,
      payload: {},
    }),
    deleteUnprovenReverts(db, userId),
    // The link was mailed to the address, so it is verified.
    updateUser(db, userId, { password, ...VERIFIED }),
    ...deleteSignInMethods(db, userId, proved ? { which: "factors", demanded } : { which: "none" }),
    ...ended,
    ...(proved ? lost : [...deleteTotp(db, userId), ...setWorkspacesAside(db, userId, now)]),
  ];
  const reset = endsAccess ? endGivenAccess(db, userId, planned, statements) : runBatch(db, statements([]));
  await reset.catch(rejectedAs(isAccountMissing, "invalid_token"));
  deliverSoon(deps);
  return { userId };
}

/**
 * Uses up the link. The operator knows whom it was given to, so it proves the address: if nobody had, everything ends that
 * gives access to the account, as with `resetPassword`.
 * @throws AppError `invalid_token`, `account_disabled`
 */
export async function useSignInLink(deps: Dependencies, token: string, client: SignInClient): Promise<User> {
  const { db, clock } = deps;
  const link = await claimSignInLink(db, await hashToken(token), clock.now().toISOString());
  const user = link && (await findUserById(db, link.userId));
  // A reset in between ends the link.
  if (!user || user.password !== link.password) throw appError("invalid_token");
  requireEnabled(deps, user, "link", client);
  return hasProvedAddress(deps, user) ? user : takeOver(deps, user);
}

/** Ends what a stranger may have in an account whose address nobody has proved. @throws AppError `invalid_token` */
async function takeOver(deps: Dependencies, { id, email, verifiedByOwner }: User): Promise<User> {
  const { db, clock, takeTurn } = deps;
  const now = clock.now().toISOString();
  const { endGivenAccess } = await import("../../../db/queries/given-access");
  const { setWorkspacesAside } = await import("../../../db/queries/set-aside");
  await endGivenAccess(db, id, { now, takeTurn }, (ended) => [
    queueAccountMail(db, "password_changed", {
      userId: id,
      unchanged: isUnchanged(db, id, { email, verifiedByOwner }),
      createdAt: now,
      payload: {},
    }),
    deleteEmailReverts(db, id),
    updateUser(db, id, { password: "", ...VERIFIED }),
    ...deleteTotp(db, id),
    ...deleteSignInMethods(db, id, { which: "none" }),
    ...ended,
    ...setWorkspacesAside(db, id, now),
  ]).catch(rejectedAs(isAccountMissing, "invalid_token"));
  return required(findUserById(db, id), "invalid_token");
}
