import type { Caller } from "../../../db/queries/envelope-events";
import type { FullEnvelope } from "../../../db/queries/envelopes";
import { listNotifications, type Notification } from "../../../db/queries/notifications";
import type { User } from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { AppError, appError } from "../../errors";
import { DAY_MS } from "../../lib/durations";
import { countAll, type Hit, sendingRules } from "../../lib/rate-rules";
import { recipientsOf } from "../notifications/outbox";
import { recipientSubject } from "../notifications/unattended";

type Reach = Parameters<typeof recipientsOf>[0];

const NEW_ACCOUNT_MS = 7 * DAY_MS;

/** The sending account. */
export type Sender = Caller & { user: Pick<User, "createdAt" | "isVerified" | "timeZone"> };

/**
 * Counts messages that a user is about to send to recipients. Call it last before the write.
 * @throws AppError `too_many_messages`
 */
export async function countMessages(
  { config, rateLimiter }: Dependencies,
  userId: number,
  recipients: readonly string[],
): Promise<void> {
  await countAll(
    rateLimiter,
    recipients.map((recipient) => messageHit(config, userId, recipient)),
  );
}

/**
 * The same for an envelope that is sent to a new recipient.
 * @throws AppError `verify_email`, `too_many_invitations`, `too_many_messages`
 */
export async function countInvitation(
  deps: Dependencies,
  { userId, user }: Sender,
  recipients: readonly string[],
): Promise<void> {
  const { config, clock, mailer, rateLimiter } = deps;
  const { invitations, unverifiedEnvelopes } = sendingRules(config);
  const hits: Hit[] = recipients.map((recipient) => messageHit(config, userId, recipient));
  if (clock.now().getTime() - Date.parse(user.createdAt) < NEW_ACCOUNT_MS)
    hits.push({
      rule: invitations,
      subject: String(userId),
      exceeded: (retryAfterSeconds) =>
        appError("too_many_invitations", { retryAfterSeconds, params: { limit: invitations.limit } }),
    });
  if (!user.isVerified && !mailer.localOnly)
    hits.push({
      rule: unverifiedEnvelopes,
      subject: String(userId),
      exceeded: () => appError("verify_email"),
    });
  await countAll(rateLimiter, hits);
}

export const addressesOf = (fields: Reach) => recipientsOf(fields).map(({ recipient }) => recipient);

/**
 * Counts an envelope that is sent after it was stored: a draft, or a sent envelope with a new address, counts as an
 * invitation.
 * @throws AppError like `countInvitation`
 */
export async function countChange(
  deps: Dependencies,
  sender: Sender,
  stored: FullEnvelope,
  fields: Reach,
): Promise<void> {
  const addresses = addressesOf(fields);
  const known = stored.status === "draft" ? [] : [stored.customerEmail, stored.recipientPhone];
  if (addresses.every((address) => known.includes(address)))
    await countMessages(deps, sender.userId, addresses);
  else await countInvitation(deps, sender, addresses);
}

/**
 * Saves as a draft what cannot be sent before the address is verified, so that no input is lost.
 * @throws AppError `verify_email` with the `draftId`; or the original error
 */
export async function saveDraftAndThrow(
  error: unknown,
  save: false | (() => Promise<FullEnvelope>),
): Promise<never> {
  if (!save || !(error instanceof AppError) || error.code !== "verify_email") throw error;
  const { id } = await save();
  throw unverified(id);
}

/** The error for an envelope that was saved as a draft because its owner's address is not verified. */
export const unverified = (draftId: number) => appError("verify_email", { params: { draftId } });

/**
 * Refunds the count of queued messages that were replaced. If a sender claimed one before the change, both are
 * sent and counted.
 */
export async function uncountReplaced(
  { config, db, rateLimiter }: Dependencies,
  userId: number,
  envelopeId: number,
  waiting: readonly Notification[],
): Promise<void> {
  const ids = waiting.map(({ id }) => id);
  const left = new Set((await listNotifications(db, userId, envelopeId, { ids })).map(({ id }) => id));
  for (const { id, recipient } of waiting) {
    const { rule, subject } = messageHit(config, userId, recipient);
    if (!left.has(id)) await rateLimiter.refund(rule, subject);
  }
}

function messageHit(config: Dependencies["config"], userId: number, recipient: string): Hit {
  const rule = sendingRules(config).messagesToRecipient;
  return {
    rule,
    subject: recipientSubject(userId, recipient),
    exceeded: (retryAfterSeconds) =>
      appError("too_many_messages", { retryAfterSeconds, params: { recipient, limit: rule.limit } }),
  };
}
