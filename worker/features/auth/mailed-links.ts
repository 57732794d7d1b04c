import type { Database, Statement } from "../../../db/client";
import { isUnchanged } from "../../../db/queries/account-guards";
import { listLostWorkspaces, renewOwnerRevert } from "../../../db/queries/owner-reverts";
import { insertPasswordReset, type User } from "../../../db/queries/users";
import { INVITATION_DAYS } from "../../contract/options";
import { DAY_MS, HOUR_MS } from "../../lib/durations";
import { hashToken, randomToken } from "../../lib/tokens";
import { queueAccountMail } from "../notifications/outbox";

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
 * role: who did that may not have been the account's owner. With `since`, also where others ended that from then on, whose
 * mails went to another address.
 */
export async function mailedOwnerReverts(
  db: Database,
  userId: number,
  { to, now, since }: { to: string; now: Date; since?: string },
): Promise<Statement[]> {
  const createdAt = now.toISOString();
  const lost = await listLostWorkspaces(db, userId, { now: createdAt, since });
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
export const newRevert = (now: Date) => newLink(now, 7 * DAY_MS);

export async function newLink(now: Date, lifeMs: number) {
  const token = randomToken();
  const expiresAt = new Date(now.getTime() + lifeMs).toISOString();
  return { token, fields: { tokenHash: await hashToken(token), expiresAt } };
}
