import { runBatch } from "../../../db/client";
import {
  deleteEmailReverts,
  findEmailRevert,
  insertEmailRevert,
  isRevertible,
  ownerByEmailRevert,
  releaseUnverifiedEmail,
} from "../../../db/queries/email-reverts";
import {
  findUserByEmail,
  insertPasswordReset,
  isResetRefused,
  type User,
  updateUser,
  VERIFIED,
} from "../../../db/queries/users";
import { deleteWaysIn, endProgramAccess } from "../../../db/queries/ways-in";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { DAY_MS } from "../../lib/durations";
import { hashToken, randomToken } from "../../lib/tokens";
import { deliverSoon, queueEmailChanged, queuePasswordReset } from "../notifications/outbox";
import { newPasswordReset, throwIfEmailTaken } from "./auth.service";

const WEEK_MS = 7 * DAY_MS;

/**
 * The link by which the holder of the account's present address can undo its replacement, as a token to mail and the
 * statements that keep it. There is none where the account goes back to an address whose holder can undo the change
 * away from it: the address in between was perhaps never the owner's.
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
 * "This wasn't me": puts back the address that the token was mailed to, takes away the password and every way in that
 * came up since, and mails a link to choose a new password. Later changes of the address cannot be undone any more,
 * earlier ones can: the first holder of the account has the last word.
 * @throws AppError `invalid_token`, `email_taken` where another account has verified the address meanwhile
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
  const holder = await findUserByEmail(db, email);
  await runBatch(db, [
    ...deleteWaysIn(db, userId, revert.createdAt),
    ...endProgramAccess(db, userId),
    insertPasswordReset(db, { ...reset.fields, userId: ownerByEmailRevert(db, tokenHash, createdAt) }),
    // Whoever has changed the address may have put it back already.
    ...(holder?.id === userId ? [] : [queueEmailChanged(db, userId, { createdAt, token: null })]),
    ...releaseUnverifiedEmail(db, userId, email),
    updateUser(db, userId, { email, password: "", ...VERIFIED }),
    queuePasswordReset(db, { id: userId, email }, { token: reset.token, createdAt }),
    deleteEmailReverts(db, userId, revert),
  ]).catch((error: unknown) => {
    throw isResetRefused(error) ? appError("invalid_token") : throwIfEmailTaken(error);
  });
  deliverSoon(deps);
  return { userId };
}
