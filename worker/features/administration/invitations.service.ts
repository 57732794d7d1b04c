import type { Actor } from "../../../db/queries/audit-log";
import { type KeyClaim, recordKeyedResource } from "../../../db/queries/idempotency-keys";
import {
  deleteInvitation,
  findOpenInvitation,
  insertInvitation,
  isInvitationRejected,
} from "../../../db/queries/invitations";
import type { Language } from "../../contract/options";
import { appError, rejectedAs, required } from "../../errors";
import { newInvitation } from "../auth/mailed-links";
import { queueAccountMail } from "../notifications/outbox";
import { type Administration, record } from "./accounts.service";

/**
 * Mails a link to create an account, which replaces an earlier one. The mail names the inviter, if there is one.
 * @param claim of the call's `Idempotency-Key`
 * @returns the token, so that an operator can pass it on without mail
 * @throws AppError `email_taken`, `invitations_off`
 */
export async function inviteAddress(
  deps: Administration,
  actor: Actor,
  { email, language, inviter = null }: { email: string; language: Language; inviter?: string | null },
  claim?: KeyClaim,
): Promise<{ token: string; expiresAt: string }> {
  const { db, config, clock } = deps;
  if (config.signUp === "off") throw appError("invitations_off");
  const now = clock.now();
  const createdAt = now.toISOString();
  const { token, fields } = await newInvitation(now);
  const invitedBy = actor.kind === "administrator" ? actor.user.id : null;
  await record(deps, actor, { action: "invitation_sent", subject: { email }, createdAt }, [
    ...deleteInvitation(db, email),
    insertInvitation(db, { ...fields, email, createdAt, invitedBy }),
    ...recordKeyedResource(db, claim, email),
    queueAccountMail(db, "account_invitation", {
      ...{ userId: null, to: email, createdAt },
      payload: { token, language, inviter },
    }),
  ]).catch(rejectedAs(isInvitationRejected, "email_taken"));
  return { token, expiresAt: fields.expiresAt };
}

/** @throws AppError `not_found` */
export async function withdrawInvitation(deps: Administration, actor: Actor, id: number): Promise<void> {
  const { db, clock } = deps;
  const createdAt = clock.now().toISOString();
  const { email } = await required(findOpenInvitation(db, { id }, createdAt), "not_found");
  const entry = { action: "invitation_withdrawn", subject: { email }, createdAt } as const;
  await record(deps, actor, entry, deleteInvitation(db, email));
}
