import { recordDeletionNotice, recordSomeNotices } from "../../../db/queries/deletion-notices";
import {
  claimNotifications,
  type NotificationOutcome,
  updateClaimedNotification,
} from "../../../db/queries/notification-claims";
import {
  findEnabledOwner,
  findNotificationContext,
  type NotificationContext,
} from "../../../db/queries/notification-context";
import { type Notification, releaseNotifications } from "../../../db/queries/notifications";
import { insertUnsubscribeLink, type UnsubscribeLink } from "../../../db/queries/unsubscribe-links";
import {
  CHANNELS,
  type Channel,
  DELIVERY_FAILURES,
  type DeliveryFailure,
  type FinalFailure,
  isForAccount,
  isForRecipient,
  NOTIFICATION_KINDS,
} from "../../contract/notifications";
import type { RetryPolicy } from "../../contract/retry-policy";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";
import { DAY_MS, MINUTE_MS } from "../../lib/durations";
import { withoutRecipients } from "../../lib/log-text";
import { sleep, withDeadline } from "../../lib/retry";
import { randomToken } from "../../lib/tokens";
import { DeliveryError } from "../../ports/mailer";
import { type Attempt, Delivery, type Outcome, type Sender } from "../delivery/delivery-queue";
import { isWithheld, passGate } from "./account-gate";
import { composeMail, composeSms, loadTexts, markRequestor } from "./compose";
import { passDigest } from "./digests";
import { loadLogo } from "./mail-brand";
import { countUnrequested, hashOfRecipient, isTextable, lacksTextMessages } from "./message-limits";
import { outdatedReason } from "./notification-kinds";

/** For ports without their own timeout. Longer than the adapters' timeouts. */
const SEND_TIMEOUT_MS = 65_000;
/** Time beside sending, for preparing the message and for recording the outcome in a busy database. */
const RECORD_MS = 35_000;
/** A run claims nothing more after this time; the next run continues. */
const RUN_MS = 55_000;
/** On a server it goes on behind the jobs: they run each minute only if all of them take less. */
const WAITED_MS = 5000;
/** Eight attempts in two days. A gateway's Retry-After is the minimum, up to a day. */
const RETRIES: RetryPolicy = {
  delays: [0.5, 2, 8, 32, 128, 512, 2048].map((minutes) => minutes * MINUTE_MS),
  givesUp: true,
  jitter: 0.25,
  maxRetryAfter: DAY_MS,
};
/** A message that fails again after as many outages have ended fails by itself. */
const OWN_FAILURE = 3;
const MAX_ATTEMPTS = RETRIES.delays.length + 1;
const ERROR_LENGTH = 500;
/** For recording what is being sent, up to seven calls for each, and for webhooks and the hourly jobs. */
const LEAVES_CALLS = 400;

/** Mail and SMS do not wait for each other. */
const LIMITS: Record<Channel, { slots: number; share: number }> = {
  email: { slots: 8, share: 3 },
  sms: { slots: 4, share: 2 },
};

const timeoutOf = ({ mailer }: Dependencies, channel: Channel) =>
  Math.max(SEND_TIMEOUT_MS, (channel === "email" && mailer.timeoutMs) || 0);

/** No account gets all slots. */
function limitsOf(deps: Dependencies, channel: Channel): Sender<Notification, MessageAttempt>["limits"] {
  const { slots, share } = LIMITS[channel];
  const fewer = deps.runLimits?.slots[channel] ?? slots;
  const claimMs = timeoutOf(deps, channel) + RECORD_MS;
  return { slots: fewer, share: Math.min(share, fewer - 1), claimMs };
}

type MessageAttempt = Attempt & {
  error: string;
  failure: DeliveryFailure | null;
  /** Where it went. */
  recipient?: string;
};

/** Sends the mails and text messages that are due, in the background of a request. */
export async function sendDue(deps: Dependencies, channels: readonly Channel[] = CHANNELS): Promise<void> {
  const endsAt = Date.now() + (deps.runLimits?.afterResponseMs ?? RUN_MS);
  await Promise.all(channels.map((channel) => deliveryBy(deps, channel).sendDue(endsAt)));
}

/**
 * Like `sendDue`; also tries whether a channel works again that was down, and then sends all that waits for it. A message
 * whose server is slow, or what is left of many, is sent in the background: the next job does not wait for it.
 */
export async function drainOutbox(deps: Dependencies): Promise<void> {
  const endsAt = Date.now() + RUN_MS;
  const draining = Promise.all(
    CHANNELS.map(async (channel) => {
      const delivery = deliveryBy(deps, channel);
      await delivery.sendDue(endsAt);
      await delivery.resume(endsAt);
    }),
  );
  const ended = new AbortController();
  await Promise.race([draining, sleep(deps.runLimits ? RUN_MS : WAITED_MS, ended.signal)]).finally(() =>
    ended.abort(),
  );
  deps.background.run("outbox", () => draining);
}

function deliveryBy(deps: Dependencies, channel: Channel) {
  const { db, clock, takeTurn } = deps;
  return new Delivery<Notification, MessageAttempt>(deps, {
    queue: channel,
    name: "notification",
    limits: limitsOf(deps, channel),
    leavesCalls: LEAVES_CALLS,
    retries: RETRIES,
    claim: (claim) => claimNotifications(db, { ...claim, channel }),
    send: (notification) => send(deps, notification),
    record: (notification, attempt, outcome) => record(deps, notification, attempt, outcome),
    async onAnswer(recovered) {
      const delays = RETRIES.delays.map((delay) => delay / 1000);
      if (recovered) await releaseNotifications(db, channel, clock.now().toISOString(), { delays, takeTurn });
      return recovered;
    },
  });
}

async function send(deps: Dependencies, notification: Notification): Promise<MessageAttempt | undefined> {
  const { attempts, lastError, failure } = notification;
  if (attempts > MAX_ATTEMPTS)
    return {
      result: "rejected",
      permanent: true,
      error: lastError ?? "The process stopped during every attempt",
      failure: failure ?? "internal",
    };
  try {
    return await trySending(deps, notification);
  } catch (error) {
    const { outage, answered, unclear, retryAfterSeconds, ...options } =
      error instanceof DeliveryError ? error.options : { permanent: false };
    // A message that may have been delivered is retried only once, so there is at most one duplicate.
    const twice = unclear && notification.payload.maybeSent !== undefined;
    const failure = failureOf(error);
    // Others got through after each: the server is up, but drops the connection for this message.
    const isOwn = failure === "unreachable" && (notification.payload.released ?? 0) >= OWN_FAILURE;
    return {
      result: outage && !isOwn ? "outage" : "rejected",
      error: causes(error).trim().slice(0, ERROR_LENGTH) || "Unknown failure",
      failure: isOwn ? "postponed" : failure,
      permanent: options.permanent || twice,
      answered,
      unclear,
      retryAfterSeconds,
    };
  }
}

const NOT_VERIFIED: MessageAttempt = {
  result: "cancelled",
  error: "The account's address is not verified",
  failure: "unverified",
};

const postponed = (
  limit: string,
  { retryAfterSeconds }: Pick<MessageAttempt, "retryAfterSeconds">,
): MessageAttempt => ({
  result: "postponed",
  error: `A limit is reached (${limit})`,
  failure: "postponed",
  retryAfterSeconds,
});

/** @returns undefined if it is part of a digest now */
async function trySending(
  deps: Dependencies,
  notification: Notification,
): Promise<MessageAttempt | undefined> {
  const { config, db, clock, mailer, smsSender } = deps;
  const { kind, channel } = notification;
  const recipientHash = await hashOfRecipient(notification.recipient);
  const found = await toEnabledAccount(
    db,
    notification,
    await findNotificationContext(db, notification, { recipientHash, now: clock.now().toISOString() }),
  );
  const outdated = outdatedReason(notification, found, clock.now());
  if (outdated) return { result: "cancelled", error: outdated, failure: "outdated" };
  if (channel === "sms" && found.user && lacksTextMessages(deps, found.user)) return NOT_VERIFIED;
  if (isForRecipient(kind) && !isTextable(deps.config, notification))
    return { result: "cancelled", error: DELIVERY_FAILURES.sms_country, failure: "sms_country" };
  if (isWithheld(deps, notification, found.user)) return NOT_VERIFIED;
  const digest = await passDigest(deps, notification, found);
  if (digest === "gathered") {
    deps.background.run("outbox", () => sendDue(deps));
    return undefined;
  }
  if (digest !== "alone")
    return { ...postponed("", digest), error: "It waits for the digest", failure: "digest" };
  const unsubscribeLink = await unsubscribeLinkOf(deps, notification, {
    recipientHash,
    stored: found.unsubscribeLink,
  });
  if (unsubscribeLink?.unsubscribedAt)
    return { result: "cancelled", error: "The recipient does not want mails", failure: "unsubscribed" };
  const exceeded = await countUnrequested(deps, notification, found.user);
  if (exceeded) return postponed(exceeded.code, exceeded.details);
  const recipient = (isForAccount(kind) && found.user?.email) || notification.recipient;
  const passed = await passGate(deps, notification, recipient);
  if (!("id" in passed)) return postponed("account-mail", passed);
  const addressed = { ...passed, recipient };
  const t = await loadTexts(deps, notification, found);
  const context = markRequestor(deps, notification, found, t);
  const logo = channel === "email" && isForRecipient(kind) ? await loadLogo(deps, found) : undefined;
  const sending =
    channel === "email"
      ? mailer.send(await composeMail(config, addressed, { ...context, unsubscribeLink }, t, logo))
      : smsSender.send(composeSms(config, addressed, context, t));
  const timeout = timeoutOf(deps, channel);
  await withDeadline(sending, timeout, () => noResponse(timeout));
  return { result: "sent", error: "", failure: null, recipient };
}

/** A notice to the assignee of an envelope goes to an owner of its workspace while the assignee's account is disabled. */
async function toEnabledAccount(
  db: Dependencies["db"],
  { kind }: Notification,
  found: NotificationContext,
): Promise<NotificationContext> {
  const { user, envelope } = found;
  if (!user?.disabledAt || !isForAccount(kind) || envelope?.userId !== user.id) return found;
  const owner = await findEnabledOwner(db, envelope, { besideWatchers: kind === "submission" });
  return { ...found, user: owner ?? user };
}

const noResponse = (timeout: number) =>
  new DeliveryError(`No answer in ${timeout / 1000} seconds`, { permanent: false, unclear: true });

/** The link by which the recipient of the mail stops those of its sender. Undefined for any other message. */
async function unsubscribeLinkOf(
  { db, clock }: Dependencies,
  { userId, kind, channel }: Notification,
  { recipientHash, stored }: { recipientHash: string; stored: UnsubscribeLink | undefined },
): Promise<UnsubscribeLink | undefined> {
  if (userId === null || channel !== "email" || !isForRecipient(kind)) return undefined;
  const created = { recipientHash, token: randomToken(), createdAt: clock.now().toISOString() };
  return stored ?? insertUnsubscribeLink(db, userId, created);
}

/** The public kind of a failure: a relay's error text may name private hosts. */
function failureOf(error: unknown): FinalFailure {
  if (!(error instanceof DeliveryError)) return "internal";
  const { permanent, outage, unset } = error.options;
  if (unset) return "not_configured";
  if (outage) return "unreachable";
  return permanent ? "refused" : "postponed";
}

async function record(
  { db, clock, log, mailer, takeTurn }: Dependencies,
  notification: Notification,
  attempt: MessageAttempt,
  outcome: Outcome,
): Promise<void> {
  const { id, kind, channel, attempts, claimedBy, envelopeId, userId } = notification;
  const now = clock.now().toISOString();
  const columns = outcomeColumns(notification, attempt, outcome, now);
  const known = columns.status === "sent" && !mailer.localOnly ? knownBy(notification, now) : null;
  const effects = known
    ? [recordDeletionNotice(db, ...known, await recordSomeNotices(db, ...known, takeTurn))]
    : [];
  await updateClaimedNotification(db, { id, claimedBy: claimedBy ?? "", now }, columns, effects);
  const sent = { id, kind, channel, attempts, envelopeId, userId };
  const fields = { ...sent, status: columns.status, error: withoutRecipients(attempt.error) };
  if (attempt.result === "sent") log.info("notification sent", sent);
  else if (attempt.result === "cancelled") log.info("notification cancelled", fields);
  else if (attempt.result === "postponed")
    log[attempt.failure === "digest" ? "info" : "warn"]("notification postponed", fields);
  else log.error("notification not sent", fields);
}

/** The deletions that a sent message lists, whose notice period it begins, and who is told of them; null if it lists none. */
function knownBy({ kind, userId, payload, createdAt }: Notification, now: string) {
  if (NOTIFICATION_KINDS[kind].lists !== "deletions" || userId === null) return null;
  const notice = { workspaceId: Number(payload.workspaceId), announcedBy: createdAt, now };
  return [{ userId, role: "owner" } as const, notice] as const;
}

function outcomeColumns(
  { payload }: Notification,
  { error: lastError, failure, unclear, recipient }: MessageAttempt,
  outcome: Outcome,
  now: string,
): NotificationOutcome {
  if (outcome.status === "sent") {
    // Later messages to the recipient follow the language of the receipt, and their page shows the note.
    const { receiptLanguage, note, documentIds } = payload;
    const kept = { receiptLanguage, note, documentIds };
    return { status: "sent", sentAt: now, lastError: null, failure, payload: kept, recipient };
  }
  if (outcome.status === "waiting") {
    const { attempts, nextAttemptAt } = outcome;
    const marked = unclear && { payload: { ...payload, maybeSent: 1 as const } };
    return { status: "queued", attempts, nextAttemptAt, lastError, failure, ...marked };
  }
  // Its token is no longer needed.
  const ended = { lastError, failure, payload: "token" in payload ? {} : payload };
  // The time of the failure, by which the index finds it.
  return outcome.status === "failed"
    ? { status: "failed", nextAttemptAt: now, ...ended }
    : { status: outcome.status, ...ended };
}
