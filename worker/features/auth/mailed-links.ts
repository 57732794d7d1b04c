import type { Database, Statement } from "../../../db/client";
import { isUnchanged } from "../../../db/queries/account-guards";
import { insertEmailRevert, isRevertible } from "../../../db/queries/email-reverts";
import { listLostWorkspaces, renewOwnerRevert } from "../../../db/queries/owner-reverts";
import { insertPasswordReset, type User } from "../../../db/queries/users";
import { INVITATION_DAYS } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { DAY_MS, HOUR_MS } from "../../lib/durations";
import { hashToken, randomToken } from "../../lib/tokens";
import { queueAccountMail } from "../notifications/outbox";

/** For so long after a change, a link can undo it. */
const REVERT_MS = 7 * DAY_MS;

/** Each link is a token to mail, of which the database stores only the hash, in `fields`. */

/** A link to confirm an address, replacing an earlier one. */
export async function newVerification(now: Date) {
  const { token, fields } = await newLink(now, DAY_MS);
  return { token, fields: { verificationToken: fields.tokenHash, verificationExpiry: fields.expiresAt } };
}

/** A link to remove an unconfirmed address from an account, replacing an earlier one. */
export async function newRelease(now: Date) {
  const { token, fields } = await newLink(now, DAY_MS);
  return { token, fields: { releaseToken: fields.tokenHash, releaseExpiry: fields.expiresAt } };
}

/** A single-use link to choose a new password. */
export const newPasswordReset = (now: Date) => newLink(now, HOUR_MS);

/**
 * Such a link, and the statements that store and mail it. They fail, see `isResetRejected`, if the account has another
 * address by then.
 */
export async function mailedPasswordReset(
  db: Database,
  { id: userId, email }: Pick<User, "id" | "email">,
  now: Date,
) {
  const { token, fields } = await newPasswordReset(now);
  const mail = { userId, to: email, createdAt: now.toISOString(), payload: { token } };
  return {
    token,
    statements: [
      insertPasswordReset(db, { ...fields, userId }, isUnchanged(db, userId, { email })),
      queueAccountMail(db, "password_reset", mail),
    ],
  };
}

/**
 * The statements that mail an account links to be an owner again of workspaces that it has left, or where it has given up the
 * role, within 7 days: who did that may not have been the account's owner. With `since`, also where others ended that from then on, whose
 * mails went to another address.
 */
export async function mailedOwnerReverts(
  db: Database,
  userId: number,
  { to, now, since }: { to: string; now: Date; since?: string },
): Promise<Statement[]> {
  const createdAt = now.toISOString();
  const after = new Date(now.getTime() - REVERT_MS).toISOString();
  const lost = await listLostWorkspaces(db, userId, { after, since });
  const mailed = lost.map(async ({ id, workspace }) => {
    const { token, fields } = await newRevert(now);
    const payload = { workspace, name: "", token };
    return [
      renewOwnerRevert(db, userId, id, fields),
      queueAccountMail(db, "owner_demoted", { userId, to, createdAt, payload }),
    ];
  });
  return (await Promise.all(mailed)).flat();
}

/** A link of an invitation, or of an account that was made for somebody. */
export const newInvitation = (now: Date) => newLink(now, INVITATION_DAYS * DAY_MS);

/** A link to undo a change of the address, or what took the role of an owner. */
export const newRevert = (now: Date) => newLink(now, REVERT_MS);

/**
 * The link by which the account's current address can undo its replacement: a token to mail and the statements that
 * store it. There is no link if the account returns to an address that could undo the change itself: the address in
 * between may never have been the owner's.
 */
export async function newEmailRevert(
  { db, clock }: Dependencies,
  user: Pick<User, "id" | "email" | "isVerified" | "verifiedByOwner">,
  newEmail: string,
) {
  const now = clock.now();
  const createdAt = now.toISOString();
  if (await isRevertible(db, user.id, newEmail, createdAt)) return { token: null, statements: [] };
  const { token, fields } = await newRevert(now);
  const { id: userId, email, isVerified, verifiedByOwner } = user;
  const revert = { ...fields, userId, email, isVerified, verifiedByOwner, createdAt };
  return { token, statements: [insertEmailRevert(db, revert)] };
}

export async function newLink(now: Date, lifeMs: number) {
  const token = randomToken();
  const expiresAt = new Date(now.getTime() + lifeMs).toISOString();
  return { token, fields: { tokenHash: await hashToken(token), expiresAt } };
}
