import { runBatchAndRead } from "../../../db/client";
import { isReferenceGone } from "../../../db/errors";
import { insertEvents, listEvents } from "../../../db/queries/envelope-events";
import {
  type FullEnvelope,
  isEnvelopeMissing,
  ownEnvelopeId,
  updateReminded,
} from "../../../db/queries/envelopes";
import { type KeyClaim, recordKeyedResource } from "../../../db/queries/idempotency-keys";
import type { Member } from "../../../db/queries/members";
import {
  insertNotification,
  listNotifications,
  type Notification,
  requeueNotification,
  selectNotifications,
} from "../../../db/queries/notifications";
import type { RemindInput } from "../../contract/envelopes";
import {
  DELIVERY_FAILURES,
  isForAccount,
  isInTimeline,
  isRequestKind,
  type PayloadOf,
} from "../../contract/notifications";
import type { Dependencies } from "../../dependencies";
import { appError, rejectedAs } from "../../errors";
import { HOUR_MS } from "../../lib/durations";
import { isExpired, isOfEarlierRecipient } from "../envelope-rules/envelope-dates";
import { addressOn } from "../notifications/notification-kinds";
import { deliverSoon, queueForRecipient, recipientsOf } from "../notifications/outbox";
import { requireEnvelope } from "./envelopes.service";
import { requireRequestor } from "./requestor";
import { countMessages, type Sender } from "./sending-limits";

const REMIND_PAUSE_MS = HOUR_MS;

/** @throws AppError `envelope_not_found` */
export async function requireNotifications(
  deps: Dependencies,
  member: Member,
  envelopeId: number,
): Promise<Notification[]> {
  const notifications = await listNotifications(deps.db, member, envelopeId);
  if (notifications.length === 0) await requireEnvelope(deps, member, envelopeId);
  return notifications;
}

/** A notification as the envelope's owner sees it. */
export function notificationView(notification: Notification) {
  const { id, kind, channel, recipient, status, attempts, failure, createdAt, sentAt } = notification;
  const lastError = failure && DELIVERY_FAILURES[failure];
  return { id, kind, channel, recipient, status, attempts, lastError, createdAt, sentAt };
}

/**
 * Sends a notification again. One that was never sent is retried, to the current address of the envelope or the
 * account; of one that was sent, a copy is sent.
 * @returns the queued notifications
 * @throws AppError `envelope_not_found`, `not_found`, `envelope_not_open`, and those of `countMessages`
 */
export async function resendNotification(
  deps: Dependencies,
  sender: Sender,
  envelopeId: number,
  id: number,
): Promise<Notification> {
  const { db, clock } = deps;
  const { userId, address } = sender;
  const envelope = await requireEnvelope(deps, sender, envelopeId);
  const [stored] = await listNotifications(db, sender, envelopeId, { ids: [id] });
  if (!stored) throw appError("not_found");
  // Whoever watches it still, or else the assignee.
  const reader = envelope.watchers.find((id) => isForAccount(stored.kind) && id === stored.userId);
  const requestor = await requireRequestor(deps, sender, { userId: reader ?? envelope.userId });
  const recipient = isForAccount(stored.kind) ? requestor.email : currentAddress(deps, envelope, stored);
  await countMessages(deps, { ...sender, requestor }, [{ channel: stored.channel, recipient }], "repeated");

  const createdAt = clock.now().toISOString();
  const dedupeKey = `again:${id}:${crypto.randomUUID()}`;
  const { kind, channel } = stored;
  const isAnew = isRequestKind(kind) && isOfEarlierRecipient(envelope, stored.createdAt);
  // A reminder's note was for the other one.
  const payload = isAnew ? {} : stored.payload;
  const copy = {
    userId: requestor.id,
    envelopeId,
    kind,
    channel,
    payload,
    recipient,
    dedupeKey,
    createdAt,
  };
  const event = { userId, address, kinds: ["resent"], detail: recipient, at: createdAt } as const;
  const statements = [
    insertEvents(db, ownEnvelopeId(sender, envelopeId), event),
    stored.status === "sent" || isAnew
      ? insertNotification(db, copy)
      : requeueNotification(db, sender, id, {
          ...{ envelopeId, recipient, userId: requestor.id, now: createdAt },
        }),
  ];
  const queued = stored.status === "sent" || isAnew ? { dedupeKeys: [dedupeKey] } : { ids: [id] };
  const [sent] = await runBatchAndRead(
    db,
    statements,
    selectNotifications(db, sender, envelopeId, queued),
  ).catch(throwIfEnvelopeMissing);
  deliverSoon(deps);
  if (!sent) throw appError("not_found");
  return sent;
}

/**
 * The reminder that would be sent now, by channel. Its link is cut, since whoever has it can submit.
 * @throws AppError `envelope_not_found`, `envelope_not_open`, `unknown_document`
 */
export async function readReminder(
  deps: Dependencies,
  member: Member,
  envelopeId: number,
  input: RemindInput,
) {
  const envelope = await requireEnvelope(deps, member, envelopeId);
  requireOpen(deps, envelope);
  const now = deps.clock.now();
  const { previewReminder } = await import("./preview");
  const preview = await previewReminder(deps, envelope, reminderPayload(envelope, input), now);
  const { remindedAt } = envelope;
  return { ...preview, remindedAt, possibleAt: pauseAfter(remindedAt, now)?.toISOString() ?? null };
}

/** What the reminder is stored with. @throws AppError `unknown_document` */
function reminderPayload(
  { documents }: FullEnvelope,
  { note, documentIds }: RemindInput,
): PayloadOf<"reminder"> {
  const unknown = documentIds.find((id) => !documents.some((document) => document.id === id));
  if (unknown !== undefined) throw appError("unknown_document", { params: { document: String(unknown) } });
  return { ...(note && { note }), ...(documentIds.length > 0 && { documentIds }) };
}

/** When the next reminder can be sent after one at this time; null if it can be sent now. */
function pauseAfter(remindedAt: string | null, now: Date): Date | null {
  if (!remindedAt) return null;
  const end = new Date(Date.parse(remindedAt) + REMIND_PAUSE_MS);
  return end > now ? end : null;
}

/**
 * Reminds the recipient now, unless a reminder was queued within the last hour.
 * @param claim of the call's `Idempotency-Key`
 * @returns the reminders, one for each channel
 * @throws AppError `envelope_not_found`, `envelope_not_open`, `unknown_document`, `rate_limited`, and those of
 *   `countMessages`
 */
export async function remindNow(
  deps: Dependencies,
  sender: Sender,
  envelopeId: number,
  input: RemindInput,
  claim?: KeyClaim,
): Promise<Notification[]> {
  const { db, clock } = deps;
  const { userId, address } = sender;
  const envelope = await requireEnvelope(deps, sender, envelopeId);
  requireOpen(deps, envelope);
  const payload = reminderPayload(envelope, input);
  const requestor = await requireRequestor(deps, sender, envelope);
  const [before] = await listNotifications(db, sender, envelopeId, { kinds: ["reminder"], limit: 1 });
  const now = clock.now();
  const pause = pauseAfter(before?.createdAt ?? null, now);
  if (pause)
    throw appError("rate_limited", {
      retryAfterSeconds: Math.ceil((pause.getTime() - now.getTime()) / 1000),
    });

  // Two concurrent clicks see the same previous reminder and therefore queue the same key.
  const dedupeKey = `remind:${envelopeId}:${before?.id ?? 0}`;
  const createdAt = now.toISOString();
  await countMessages(deps, { ...sender, requestor }, recipientsOf(envelope), "repeated");
  const statements = [
    insertEvents(db, ownEnvelopeId(sender, envelopeId), {
      userId,
      address,
      kinds: ["reminded"],
      at: createdAt,
    }),
    ...queueForRecipient(db, envelope, { kind: "reminder", createdAt, dedupeKey, payload }),
    updateReminded(db, sender, envelopeId, createdAt),
    ...recordKeyedResource(db, claim, dedupeKey),
  ];
  const reminders = await runBatchAndRead(
    db,
    statements,
    selectNotifications(db, sender, envelopeId, remindersOf(dedupeKey)),
  )
    .catch(throwIfEnvelopeMissing)
    // The assignee's account was deleted meanwhile.
    .catch(rejectedAs(isReferenceGone, "envelope_changed"));
  deliverSoon(deps);
  return reminders.reverse();
}

const remindersOf = (dedupeKey: string) => ({ dedupeKeys: [`${dedupeKey}:email`, `${dedupeKey}:sms`] });

/** The reminders that `remindNow` has queued under this key. @throws AppError `envelope_not_found` */
export async function requireReminders(
  deps: Dependencies,
  member: Member,
  envelopeId: number,
  dedupeKey: string,
): Promise<Notification[]> {
  const reminders = await listNotifications(deps.db, member, envelopeId, remindersOf(dedupeKey));
  if (reminders.length === 0) await requireEnvelope(deps, member, envelopeId);
  return reminders;
}

/** Reports an envelope that was deleted meanwhile; rethrows anything else. */
const throwIfEnvelopeMissing = rejectedAs(isEnvelopeMissing, "envelope_not_found");

/** The recipient's current address for the notification. @throws AppError `envelope_not_open` */
function currentAddress(deps: Dependencies, envelope: FullEnvelope, notification: Notification): string {
  const { kind, channel, recipient, createdAt } = notification;
  if (isRequestKind(kind)) requireOpen(deps, envelope);
  // A receipt is for whoever has handed in what it names.
  else if ([createdAt, envelope.completedAt].some((at) => isOfEarlierRecipient(envelope, at)))
    throw appError("envelope_not_open");
  return addressOn(channel, envelope) || recipient;
}

/** @throws AppError `envelope_not_open` */
export function requireOpen({ clock }: Dependencies, envelope: FullEnvelope): void {
  if (envelope.status !== "pending" || isExpired(envelope, clock.now())) throw appError("envelope_not_open");
}

const MAX_EVENTS = 500;

/**
 * The envelope's events and messages, oldest first.
 * @throws AppError `envelope_not_found`
 */
export async function readTimeline(deps: Dependencies, member: Member, envelopeId: number) {
  const events = await listEvents(deps.db, member, envelopeId, MAX_EVENTS);
  const notifications = await requireNotifications(deps, member, envelopeId);
  const actions = events.map(({ at, ...event }) => ({ at, ...event }));
  return [...actions, ...notifications.flatMap(delivery)].sort(byTime);
}

/** A message is listed at the time it was sent, or was due. */
function delivery({ id, kind, channel, recipient, status, failure, createdAt, sentAt }: Notification) {
  if (!isInTimeline(kind)) return [];
  const entry = {
    kind: "delivery" as const,
    at: sentAt ?? createdAt,
    message: kind,
    channel,
    recipient,
    status,
    error: failure,
    notificationId: id,
  };
  return [entry];
}

/** Events come before messages of the same time: the sort is stable. */
const byTime = (a: { at: string }, b: { at: string }) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);
