import {
  canRevert,
  deleteEmailReverts,
  findEmailRevert,
  releaseUnprovedEmail,
} from "../../../db/queries/email-reverts";
import { endGivenAccess } from "../../../db/queries/given-access";
import { insertJoinedSince } from "../../../db/queries/notifications";
import { releasePendingEmail } from "../../../db/queries/pending-emails";
import { deleteTotp } from "../../../db/queries/second-factors";
import { setWorkspacesAside } from "../../../db/queries/set-aside";
import { deleteSignInMethods } from "../../../db/queries/sign-in-methods";
import {
  findUserByEmail,
  findUserById,
  insertPasswordReset,
  isResetRejected,
  updateUser,
  VERIFIED,
} from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { appError, required } from "../../errors";
import { hashToken } from "../../lib/tokens";
import { deliverSoon, queueAccountMail, unprovedMark } from "../notifications/outbox";
import { hasProvedAddress } from "../sign-in-policy/proved-address";
import { mailedOwnerReverts, newPasswordReset } from "./mailed-links";
import { throwIfEmailTaken } from "./sign-up";

/**
 * "This wasn't me": restores the address that the token was mailed to, removes the password and every way to sign in
 * that was added since, and mails a link to choose a new password. Later changes of the address can no longer be
 * undone, earlier ones can, so the first owner of the account can always restore it. If the address
 * was not proved, its owner may be a stranger to those before: then everything ends that they have, and what they made is set aside.
 * @throws AppError `invalid_token`, `account_disabled`, `email_taken` if another account has proved the address meanwhile
 */
export async function revertEmail(deps: Dependencies, token: string): Promise<{ userId: number }> {
  const { db, clock, config } = deps;
  const now = clock.now();
  const createdAt = now.toISOString();
  const tokenHash = await hashToken(token);
  const revert = await required(findEmailRevert(db, tokenHash, createdAt), "invalid_token");
  const { userId, email, createdAt: since } = revert;
  const proved = hasProvedAddress(deps, revert);
  const user = await required(findUserById(db, userId), "invalid_token");
  if (user.disabledAt !== null) throw appError("account_disabled");
  const reset = await newPasswordReset(now);
  const lost = await mailedOwnerReverts(db, userId, { to: email, now, since });
  const addressOwner = await findUserByEmail(db, email);
  const planned = { now: createdAt, takeTurn: deps.takeTurn };
  await endGivenAccess(db, userId, planned, (ended) => [
    ...deleteTotp(db, userId, proved ? since : undefined),
    ...deleteSignInMethods(db, userId, proved ? { which: "earlier", since } : { which: "none" }),
    ...ended,
    ...(proved ? lost : setWorkspacesAside(db, userId, createdAt)),
    insertPasswordReset(db, { ...reset.fields, userId }, canRevert(tokenHash, createdAt)),
    // The attacker may have changed the address back already.
    ...(addressOwner?.id === userId
      ? []
      : [
          queueAccountMail(db, "email_changed", {
            userId,
            createdAt,
            payload: { token: null, ...unprovedMark(user) },
          }),
        ]),
    ...releaseUnprovedEmail(db, userId, email),
    updateUser(db, userId, { email, password: "", ...VERIFIED }),
    ...releasePendingEmail(db, email, createdAt),
    insertJoinedSince(db, userId, { since, now: createdAt }),
    ...(config.allowsPasswords
      ? [
          queueAccountMail(db, "password_reset", {
            userId,
            to: email,
            createdAt,
            payload: { token: reset.token },
          }),
        ]
      : []),
    deleteEmailReverts(db, userId, proved ? revert : undefined),
  ]).catch((error: unknown) => {
    throw isResetRejected(error) ? appError("invalid_token") : throwIfEmailTaken(error);
  });
  deliverSoon(deps);
  return { userId };
}
