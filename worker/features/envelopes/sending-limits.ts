import type { Caller } from "../../../db/queries/envelope-events";
import type { FullEnvelope } from "../../../db/queries/envelopes";
import { listNotifications } from "../../../db/queries/notifications";
import type { User } from "../../../db/queries/users";
import type { AppConfig } from "../../config";
import { isUnsent, needsPhone } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { AppError, appError } from "../../errors";
import { isTextable, lacksTextMessages, type Message, messageHits } from "../notifications/message-limits";
import { type MailSender, requireReachable } from "../notifications/unsubscribe.service";
import { type Hit, hitAll, isNewAccount, sendingRules } from "../rate-limits/rate-rules";
import { hasProvedAddress } from "../sign-in-policy/proved-address";
import { isSame, type Notices } from "./update-notices";

/** The errors of sending any message to a recipient. */
export const MESSAGE_ERRORS = [
  "recipient_unsubscribed",
  "verify_email_sms",
  "too_many_messages",
  "recipient_busy",
  "too_many_texts",
  "too_many_mails",
  "sending_paused",
  "sms_country",
] as const;

/** The sending account. */
export type Sender = Caller & { user: User };
/** The sending account, and the assignee on whose behalf it sends. */
export type SenderFor = Sender & { requestor: MailSender };

/**
 * What the messages say: what their recipient has been sent before, the same with another link, something new about the
 * same envelope, or an envelope that is new to one of them.
 */
type News = "repeated" | "link" | "changed" | "invitation";

/**
 * Counts messages that a user is about to send to recipients. Call it last before the write.
 * @throws AppError `recipient_unsubscribed`, `verify_email_sms`, `verify_email`, `too_many_invitations`,
 *   `too_many_messages`, `recipient_busy`, `too_many_texts`, `too_many_mails`, `sending_paused`, `sms_country`
 */
export async function countMessages(
  deps: Dependencies,
  sender: SenderFor,
  messages: readonly Message[],
  news: News,
): Promise<void> {
  // A link is replaced even if its recipient does not want the mail.
  if (news !== "link") await requireReachable(deps, sender.requestor, messages);
  requireTexts(deps, sender, messages);
  const hits = await Promise.all(messages.map((message) => messageHits(deps, sender.user, message)));
  const error = await hitAll(deps.rateLimiter, [
    ...hits.flat(),
    ...accountHits(deps, sender, messages, news),
  ]);
  if (error) throw error;
}

/**
 * Checks what is sent later, which counts when it is sent.
 * @throws AppError `recipient_unsubscribed`, `verify_email`, `verify_email_sms`, `sms_country`
 */
export async function requireSendable(
  deps: Dependencies,
  sender: SenderFor,
  messages: readonly Message[],
): Promise<void> {
  await requireReachable(deps, sender.requestor, messages);
  requireTexts(deps, sender, messages);
  const { limitsRates, unverifiedEnvelopes } = deps.config;
  if (limitsRates && unverifiedEnvelopes === 0 && isToStranger(deps, sender, messages))
    throw appError("verify_email");
}

/** Whether the account's address is not proved, and the messages go to somebody else. */
const isToStranger = (deps: Dependencies, { user }: Sender, messages: readonly Message[]): boolean =>
  !hasProvedAddress(deps, user) && !messages.every(({ recipient }) => recipient.toLowerCase() === user.email);

/** @throws AppError `verify_email_sms`, `sms_country` */
function requireTexts(deps: Dependencies, { user }: Sender, messages: readonly Message[]): void {
  if (messages.some(({ channel }) => channel === "sms") && lacksTextMessages(deps, user))
    throw appError("verify_email_sms");
  requireTextable(deps.config, messages);
}

/**
 * Counts the invitations of a bulk send, all at once or none; those of another day count when they are sent. Those to
 * recipients who do not want mails count too: they may want them again before it is their turn.
 * @param envelopes the messages of each
 * @returns what takes the count back, if nothing is sent
 * @throws AppError `verify_email`, `verify_email_sms`, `too_many_invitations`, `too_many_messages`, `recipient_busy`,
 *   `too_many_texts`, `too_many_mails`, `sending_paused`, `sms_country`
 */
export async function countBulkMessages(
  deps: Dependencies,
  sender: Sender,
  envelopes: readonly (readonly Message[])[],
  { isLater }: { isLater: boolean },
): Promise<() => Promise<void>> {
  const { config, rateLimiter } = deps;
  const { user } = sender;
  if (config.limitsRates && !hasProvedAddress(deps, user)) throw appError("verify_email");
  requireTextable(config, envelopes.flat());
  if (isLater) return async () => {};
  const hits = await Promise.all(envelopes.flat().map((message) => messageHits(deps, user, message)));
  const ofAccount = envelopes.flatMap((messages) => accountHits(deps, sender, messages, "invitation"));
  const all = [...hits.flat(), ...ofAccount];
  const error = await hitAll(rateLimiter, all);
  if (error) throw error;
  return () => rateLimiter.refundAll(all);
}

/** @throws AppError `sms_country` */
function requireTextable(config: AppConfig, messages: readonly Message[]): void {
  const unreachable = messages.find((message) => !isTextable(config, message));
  if (unreachable) throw appError("sms_country", { params: { recipient: unreachable.recipient } });
}

/** What counts for the account, once for all recipients of an envelope. */
function accountHits(deps: Dependencies, sender: Sender, messages: readonly Message[], news: News): Hit[] {
  const { userId, user } = sender;
  const { config, clock } = deps;
  const { invitations, unverifiedEnvelopes } = sendingRules(config);
  const hits: Hit[] = [];
  if (news === "invitation" && isNewAccount(user, clock.now()))
    hits.push({
      rule: invitations,
      subject: String(userId),
      exceeded: (retryAfterSeconds) =>
        appError("too_many_invitations", { retryAfterSeconds, params: { limit: invitations.limit } }),
    });
  if (news !== "repeated" && news !== "link" && isToStranger(deps, sender, messages))
    hits.push({
      rule: unverifiedEnvelopes,
      subject: String(userId),
      exceeded: () => appError("verify_email"),
    });
  return hits;
}

/**
 * Counts the notices of an envelope that is sent after it was stored: a draft, or a sent envelope with a new address,
 * counts as an invitation. A notice that replaces a waiting one was counted with that.
 * @throws AppError like `countMessages`
 */
export async function countNotices(
  deps: Dependencies,
  sender: SenderFor,
  stored: FullEnvelope,
  { added }: Notices,
): Promise<void> {
  if (added.length === 0) return;
  const known = isUnsent(stored.status) ? [] : [stored.customerEmail, stored.recipientPhone];
  const isInvitation = added.some(({ recipient }) => !known.includes(recipient));
  await countMessages(deps, sender, added, isInvitation ? "invitation" : "changed");
}

/**
 * Saves as a draft what cannot be sent before the address is proved, so that no input is lost.
 * @throws AppError `verify_email` or `verify_email_sms` with the `draftId`; or the original error
 */
export async function saveDraftAndThrow(
  error: unknown,
  save: false | (() => Promise<FullEnvelope>),
): Promise<never> {
  if (!save || !(error instanceof AppError)) throw error;
  if (error.code !== "verify_email" && error.code !== "verify_email_sms") throw error;
  const { id } = await save();
  throw appError(error.code, { params: { draftId: id } });
}

/** The error for an envelope that was saved as a draft because its owner's address is not proved. */
export const unverified = ({ id, notificationPreference }: FullEnvelope) =>
  appError(needsPhone(notificationPreference) ? "verify_email_sms" : "verify_email", {
    params: { draftId: id },
  });

/**
 * Corrects the counts after a change: a waiting notice to a former address was never sent, and one that a sender
 * claimed before the change is sent although a new one replaces it.
 */
export async function recountReplaced(
  deps: Dependencies,
  sender: Sender,
  envelope: FullEnvelope,
  { replaced }: Notices,
  messages: readonly Message[],
): Promise<void> {
  const { db, rateLimiter } = deps;
  const { id } = envelope;
  const ids = replaced.map((notice) => notice.id);
  const left = new Set((await listNotifications(db, sender, id, { ids })).map((notice) => notice.id));
  for (const notice of replaced) {
    const isSent = left.has(notice.id);
    const isRepeated = messages.some((message) => isSame(message, notice));
    if (isSent === isRepeated) {
      const hits = await messageHits(deps, sender.user, notice);
      if (isSent) await rateLimiter.hitAll(hits);
      else await rateLimiter.refundAll(hits);
    }
  }
}
