import { runBatch } from "../../../db/client";
import { isUnchanged } from "../../../db/queries/account-guards";
import { isAccountMissing, unconfirmedEmail } from "../../../db/queries/notifications";
import {
  canConfirm,
  confirmPendingEmail,
  findUserByVerification,
  releaseByToken,
  verifyUser,
} from "../../../db/queries/pending-emails";
import { type User, updateUser } from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { appError, required } from "../../errors";
import { hashToken } from "../../lib/tokens";
import { deliverSoon, queueAccountMail } from "../notifications/outbox";
import { mailboxOf, RATE_RULES, requireAllowed } from "../rate-limits/rate-rules";
import { newEmailRevert, newRelease, newVerification } from "./mailed-links";
import { throwIfEmailTaken } from "./sign-up";

/**
 * Confirms the address that the token was mailed to. The first address of an account needs the link alone, which verifies
 * it; a session of the account proves it. A changed one needs the session in any case, and so does one of `ADMIN_EMAILS`:
 * otherwise, the reader of the mail could confirm somebody else's account, and make it an administrator.
 * @throws AppError `invalid_token`, `confirm_signed_in`, `email_taken`
 */
export async function verifyEmail(
  deps: Dependencies,
  token: string,
  session: { userId: number; sid: string } | undefined,
): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now().toISOString();
  const tokenHash = await hashToken(token);
  const user = await required(findUserByVerification(db, tokenHash, now), "invalid_token");
  const sid = session?.userId === user.id ? session.sid : undefined;
  const { pendingEmail, isVerified } = user;
  const needsSession = isVerified || pendingEmail !== null || deps.config.adminEmails.includes(user.email);
  if (needsSession && sid === undefined) throw appError("confirm_signed_in");
  if (pendingEmail !== null && pendingEmail !== user.email && sid !== undefined)
    return replaceEmail(deps, { ...user, pendingEmail }, { tokenHash, sid });
  if (!(await verifyUser(db, user.id, { tokenHash, sid, now }))) throw appError("invalid_token");
}

/** Replaces the account's address with the confirmed one, and mails the old one a link to undo that. */
async function replaceEmail(
  deps: Dependencies,
  user: User & { pendingEmail: string },
  { tokenHash, sid }: { tokenHash: string; sid: string },
): Promise<void> {
  const { db, clock } = deps;
  const createdAt = clock.now().toISOString();
  const revert = await newEmailRevert(deps, user, user.pendingEmail);
  await runBatch(db, [
    queueAccountMail(db, "email_changed", {
      userId: user.id,
      unchanged: canConfirm(tokenHash, sid, createdAt),
      createdAt,
      payload: { token: revert.token },
    }),
    ...revert.statements,
    ...confirmPendingEmail(db, user.id, user.pendingEmail),
  ]).catch((error: unknown) => {
    throw isAccountMissing(error) ? appError("invalid_token") : throwIfEmailTaken(error);
  });
  deliverSoon(deps);
}

/** Mails a new verification link, which replaces the previous one. @throws AppError `rate_limited` */
export async function resendVerification(deps: Dependencies, user: User): Promise<void> {
  const { db, clock, rateLimiter } = deps;
  const { email, pendingEmail, isVerified, verifiedByOwner } = user;
  if (isVerified && verifiedByOwner && pendingEmail === null) return;
  requireAllowed(await rateLimiter.hit(RATE_RULES.mailsToAddress, mailboxOf(pendingEmail ?? email)));
  const now = clock.now();
  const { token, fields } = await newVerification(now);
  const userId = user.id;
  await runBatch(db, [
    queueAccountMail(db, "verification", {
      userId,
      to: unconfirmedEmail(userId),
      unchanged: isUnchanged(db, userId, { email, pendingEmail, isVerified, verifiedByOwner }),
      createdAt: now.toISOString(),
      payload: { token },
    }),
    updateUser(db, user.id, fields),
  ]).catch((error: unknown) => {
    // Verified or changed meanwhile: a change sends its own mail.
    if (!isAccountMissing(error)) throw error;
  });
  deliverSoon(deps);
}

/** Mails an address that an account has not confirmed yet a link that removes it there. */
export async function mailRelease(deps: Dependencies, userId: number, pendingEmail: string): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const { token, fields } = await newRelease(now);
  await runBatch(db, [
    queueAccountMail(db, "email_claimed", {
      userId,
      to: unconfirmedEmail(userId),
      unchanged: isUnchanged(db, userId, { pendingEmail }),
      createdAt: now.toISOString(),
      payload: { token },
    }),
    updateUser(db, userId, fields),
  ]).catch((error: unknown) => {
    // Confirmed or removed meanwhile.
    if (!isAccountMissing(error)) throw error;
  });
  deliverSoon(deps);
}

/**
 * Removes an unconfirmed address from the account that entered it, and notifies the account at its own address.
 * @throws AppError `invalid_token`
 */
export async function releaseEmail(deps: Dependencies, token: string): Promise<{ userId: number }> {
  const now = deps.clock.now().toISOString();
  const userId = await releaseByToken(deps.db, await hashToken(token), now);
  if (userId === undefined) throw appError("invalid_token");
  deliverSoon(deps);
  return { userId };
}
