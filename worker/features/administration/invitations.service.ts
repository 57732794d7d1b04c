import { runBatch } from "../../../db/client";
import { type Actor, insertAuditEntry } from "../../../db/queries/audit-log";
import { type KeyClaim, recordKeyedResource } from "../../../db/queries/idempotency-keys";
import {
  deleteInvitation,
  insertInvitation,
  isInvitationRejected,
  listInvitations,
} from "../../../db/queries/invitations";
import { INVITATION_DAYS, type Language } from "../../contract/options";
import { appError } from "../../errors";
import { DAY_MS } from "../../lib/durations";
import { hashToken, randomToken } from "../../lib/tokens";
import { queueAccountMail } from "../notifications/outbox";
import { type Administration, actorName, throwIfRejected } from "./accounts.service";

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
  const { db, config, clock, log } = deps;
  if (config.signUp === "off") throw appError("invitations_off");
  const now = clock.now();
  const createdAt = now.toISOString();
  const expiresAt = new Date(now.getTime() + INVITATION_DAYS * DAY_MS).toISOString();
  const token = randomToken();
  const invitation = {
    email,
    tokenHash: await hashToken(token),
    createdAt,
    expiresAt,
    invitedBy: actor.kind === "administrator" ? actor.user.id : null,
  };
  await runBatch(db, [
    insertAuditEntry(db, actor, { action: "invitation_sent", subject: { email }, createdAt }),
    ...deleteInvitation(db, email),
    insertInvitation(db, invitation),
    ...recordKeyedResource(db, claim, email),
    queueAccountMail(db, "account_invitation", {
      userId: null,
      to: email,
      createdAt,
      payload: { token, language, inviter },
    }),
  ]).catch((error: unknown) => {
    throw isInvitationRejected(error) ? appError("email_taken") : throwIfRejected(error);
  });
  log.info("administration", { action: "invitation_sent", by: actorName(actor) });
  return { token, expiresAt };
}

/** @throws AppError `not_found` */
export async function withdrawInvitation(deps: Administration, actor: Actor, id: number): Promise<void> {
  const { db, clock, log } = deps;
  const createdAt = clock.now().toISOString();
  const invitation = (await listInvitations(db, createdAt)).find((open) => open.id === id);
  if (!invitation) throw appError("not_found");
  const { email } = invitation;
  await runBatch(db, [
    insertAuditEntry(db, actor, { action: "invitation_withdrawn", subject: { email }, createdAt }),
    ...deleteInvitation(db, email),
  ]).catch(throwIfRejected);
  log.info("administration", { action: "invitation_withdrawn", by: actorName(actor) });
}
