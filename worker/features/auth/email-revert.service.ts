import { runBatch } from "../../../db/client";
import {
  deleteEmailReverts,
  findEmailRevert,
  insertEmailRevert,
  isRevertible,
  ownerByEmailRevert,
  releaseUnverifiedEmail,
} from "../../../db/queries/email-reverts";
import { deleteSignInMethods, endProgramAccess } from "../../../db/queries/sign-in-methods";
import {
  findUserByEmail,
  insertPasswordReset,
  isResetRejected,
  type User,
  updateUser,
  VERIFIED,
} from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { DAY_MS } from "../../lib/durations";
import { hashToken, randomToken } from "../../lib/tokens";
import { deliverSoon, queueEmailChanged, queuePasswordReset } from "../notifications/outbox";
import { newPasswordReset, throwIfEmailTaken } from "./auth.service";

const WEEK_MS = 7 * DAY_MS;

/**
 * The link by which the account's current address can undo its replacement: a token to mail and the statements that
 * store it. There is no link if the account returns to an address that could undo the change itself: the address in
 * between may never have been the owner's.
 */
export async function newEmailRevert({ db, clock }: Dependencies, user: User, newEmail: string) {
  const now = clock.now();
  const createdAt = now.toISOString();
  if (await isRevertible(db, user.id, newEmail, createdAt)) return { token: null, statements: [] };
  const token = randomToken();
  const revert = {
    tokenHash: await hashToken(token),
    userId: user.id,
    email: user.email,
    createdAt,
    expiresAt: new Date(now.getTime() + WEEK_MS).toISOString(),
  };
  return { token, statements: [insertEmailRevert(db, revert)] };
}

/**
 * "This wasn't me": restores the address that the token was mailed to, removes the password and every way to sign in
 * that was added since, and mails a link to choose a new password. Later changes of the address can no longer be
 * undone, earlier ones can, so the first owner of the account can always restore it.
 * @throws AppError `invalid_token`, `email_taken` if another account has verified the address meanwhile
 */
export async function revertEmail(deps: Dependencies, token: string): Promise<{ userId: number }> {
  const { db, clock } = deps;
  const now = clock.now();
  const createdAt = now.toISOString();
  const tokenHash = await hashToken(token);
  const revert = await findEmailRevert(db, tokenHash, createdAt);
  if (!revert) throw appError("invalid_token");
  const { userId, email } = revert;
  const reset = await newPasswordReset(now);
  const addressOwner = await findUserByEmail(db, email);
  await runBatch(db, [
    ...deleteSignInMethods(db, userId, revert.createdAt),
    ...endProgramAccess(db, userId),
    insertPasswordReset(db, { ...reset.fields, userId: ownerByEmailRevert(db, tokenHash, createdAt) }),
    // The attacker may have changed the address back already.
    ...(addressOwner?.id === userId ? [] : [queueEmailChanged(db, userId, { createdAt, token: null })]),
    ...releaseUnverifiedEmail(db, userId, email),
    updateUser(db, userId, { email, password: "", ...VERIFIED }),
    queuePasswordReset(db, { id: userId, email }, { token: reset.token, createdAt }),
    deleteEmailReverts(db, userId, revert),
  ]).catch((error: unknown) => {
    throw isResetRejected(error) ? appError("invalid_token") : throwIfEmailTaken(error);
  });
  deliverSoon(deps);
  return { userId };
}
