import type { Notification } from "../../../db/queries/notifications";
import type { User } from "../../../db/queries/users";
import type { AppConfig } from "../../config";
import { isForRecipient } from "../../contract/notifications";
import { countryCodeOf } from "../../contract/phone";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError } from "../../errors";
import { hashToken } from "../../lib/tokens";
import { type Hit, hitAll, isNewAccount, mailboxOf, sendingRules } from "../rate-limits/rate-rules";
import { hasProvedAddress } from "../sign-in-policy/proved-address";
import { KINDS } from "./notification-kinds";

/** A message to a recipient. */
export type Message = Pick<Notification, "channel" | "recipient">;

/** Identifies a recipient in rows that outlive their envelopes. */
export const hashOfRecipient = (recipient: string): Promise<string> => hashToken(recipientKey(recipient));

/** A canonical form of an address or number, so that a counter by it cannot be bypassed. */
const recipientKey = (recipient: string) =>
  recipient.includes("@") ? mailboxOf(recipient) : recipient.replace(/\D/g, "");

/**
 * What a message counts as: one of the account to this recipient, one of all accounts to them, one of each to anybody, and
 * one of all new accounts, of which there can be any number, together.
 */
export async function messageHits(
  { config, clock }: Pick<Dependencies, "config" | "clock">,
  account: Pick<User, "id" | "createdAt">,
  { channel, recipient }: Message,
): Promise<Hit[]> {
  const { messagesToRecipient, messagesFromAll, messagesOfAll, messagesOfNew, ...ofAccount } =
    sendingRules(config);
  const [share, code] =
    channel === "sms"
      ? ([ofAccount.textMessages, "too_many_texts"] as const)
      : ([ofAccount.mails, "too_many_mails"] as const);
  const hash = await hashOfRecipient(recipient);
  const ofAll = (rule: Hit["rule"]): Hit => ({
    rule,
    subject: "all",
    exceeded: (retryAfterSeconds) => appError("sending_paused", { retryAfterSeconds }),
  });
  return [
    {
      rule: messagesToRecipient,
      subject: `${account.id}:${hash}`,
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
    {
      rule: share,
      subject: String(account.id),
      exceeded: (retryAfterSeconds) => appError(code, { retryAfterSeconds, params: { limit: share.limit } }),
    },
    ofAll(messagesOfAll[channel]),
    ...(isNewAccount(account, clock.now()) ? [ofAll(messagesOfNew[channel])] : []),
  ];
}

/** Whether text messages go to the number's country: elsewhere they may cost the operator many times as much. */
export const isTextable = ({ smsCountries }: AppConfig, { channel, recipient }: Message): boolean =>
  channel !== "sms" ||
  smsCountries === null ||
  smsCountries.some((code) => code === countryCodeOf(recipient));

/** Whether the account may not send text messages: they cost the operator money. */
export const lacksTextMessages = (deps: Dependencies, user: { verifiedByOwner: boolean }) =>
  deps.config.limitsRates && !hasProvedAddress(deps, user);

/**
 * Counts a message to a recipient that no user has just requested: a scheduled reminder, a notice, a receipt. If a
 * limit is reached, it waits for the next window. Messages that a user sends are counted in the request.
 * @returns the limit's error; null if it may be sent
 */
export async function countUnrequested(
  deps: Dependencies,
  notification: Notification,
  account: User | undefined,
): Promise<AppError | null> {
  const { kind, dedupeKey, attempts } = notification;
  if (!isForRecipient(kind) || attempts > 1 || !account) return null;
  const { counts } = KINDS[kind];
  if (
    counts === "never" ||
    (counts === "if scheduled" && !SCHEDULED.some((key) => dedupeKey.startsWith(key)))
  )
    return null;
  return hitAll(deps.rateLimiter, await messageHits(deps, account, notification));
}

/** How the keys of invitations begin whose link was replaced together with others. */
export const COUNTED_LINK = "link:";
/** How the keys of messages begin that count when they are sent: also reminders that the schedule queued. */
const SCHEDULED = ["reminder:", COUNTED_LINK];
