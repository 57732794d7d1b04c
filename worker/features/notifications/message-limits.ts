import type { Notification } from "../../../db/queries/notifications";
import type { AppConfig } from "../../config";
import { isForRecipient } from "../../contract/notifications";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError } from "../../errors";
import { hashToken } from "../../lib/tokens";
import { type Hit, hitAll, sendingRules } from "../rate-limits/rate-rules";
import { hasProvedAddress } from "../sign-in-policy/proved-address";
import { KINDS } from "./notification-kinds";

/** A message to a recipient. */
export type Message = Pick<Notification, "channel" | "recipient">;

/** Identifies a recipient in rows that outlive their envelopes. */
export const hashOfRecipient = (recipient: string): Promise<string> => hashToken(recipientKey(recipient));

/**
 * A canonical form of an address or number, so that a counter by it cannot be bypassed: without case, the "+tag" that
 * most mail servers ignore, and everything in a number but its digits.
 */
function recipientKey(recipient: string): string {
  const at = recipient.lastIndexOf("@");
  if (at < 0) return recipient.replace(/\D/g, "");
  const [mailbox = ""] = recipient.slice(0, at).split("+");
  return `${mailbox}${recipient.slice(at)}`.toLowerCase();
}

/** What a message counts as: one of the account to this recipient, one of all accounts to them, one text message. */
export async function messageHits(
  config: AppConfig,
  userId: number,
  { channel, recipient }: Message,
): Promise<Hit[]> {
  const { messagesToRecipient, messagesFromAll, textMessages } = sendingRules(config);
  const hash = await hashOfRecipient(recipient);
  const hits: Hit[] = [
    {
      rule: messagesToRecipient,
      subject: `${userId}:${hash}`,
      exceeded: (retryAfterSeconds) =>
        appError("too_many_messages", {
          retryAfterSeconds,
          params: { recipient, limit: messagesToRecipient.limit },
        }),
    },
    {
      rule: messagesFromAll,
      subject: hash,
      exceeded: (retryAfterSeconds) =>
        appError("recipient_busy", { retryAfterSeconds, params: { recipient } }),
    },
  ];
  if (channel === "sms")
    hits.push({
      rule: textMessages,
      subject: String(userId),
      exceeded: (retryAfterSeconds) =>
        appError("too_many_texts", { retryAfterSeconds, params: { limit: textMessages.limit } }),
    });
  return hits;
}

/** Whether the account may not send text messages: they cost the operator money. */
export const lacksTextMessages = (deps: Dependencies, user: { verifiedByOwner: boolean }) =>
  deps.config.limitsRates && !hasProvedAddress(deps, user);

/**
 * Counts a message to a recipient that no user has just requested: a scheduled reminder, a notice, a receipt. If a
 * limit is reached, it waits for the next window. Messages that a user sends are counted in the request.
 * @returns the limit's error; null if it may be sent
 */
export async function countUnrequested(
  { config, rateLimiter }: Dependencies,
  notification: Notification,
): Promise<AppError | null> {
  const { userId, kind, dedupeKey, attempts } = notification;
  if (!isForRecipient(kind) || attempts > 1 || userId === null) return null;
  const { counts } = KINDS[kind];
  if (
    counts === "never" ||
    (counts === "if scheduled" && !SCHEDULED.some((key) => dedupeKey.startsWith(key)))
  )
    return null;
  return hitAll(rateLimiter, await messageHits(config, userId, notification));
}

/** How the keys of invitations begin whose link was replaced together with others. */
export const COUNTED_LINK = "link:";
/** How the keys of messages begin that count when they are sent: also reminders that the schedule queued. */
const SCHEDULED = ["reminder:", COUNTED_LINK];
