import { runBatch } from "../../../db/client";
import { type Caller, insertEvents } from "../../../db/queries/envelope-events";
import { type FullEnvelope, isEnvelopeMissing, ownEnvelopeId } from "../../../db/queries/envelopes";
import { type KeyClaim, recordKeyedResource } from "../../../db/queries/idempotency-keys";
import {
  insertNotification,
  listNotifications,
  type Notification,
  requeueNotification,
} from "../../../db/queries/notifications";
import type { User } from "../../../db/queries/users";
import { DELIVERY_FAILURES } from "../../contract/notifications";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { isExpired } from "../../lib/expiration";
import { deliverSoon, queueForRecipient } from "../notifications/outbox";
import { isForAccount } from "../notifications/relevance";
import { requireEnvelope } from "./envelopes.service";
import { addressesOf, countMessages } from "./sending-limits";

const REMIND_PAUSE_MS = 60 * 60 * 1000;

/** @throws AppError `envelope_not_found` */
export async function requireNotifications(
  deps: Dependencies,
  userId: number,
  envelopeId: number,
): Promise<Notification[]> {
  const notifications = await listNotifications(deps.db, userId, envelopeId);
  if (notifications.length === 0) await requireEnvelope(deps, userId, envelopeId);
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
 * @throws AppError `envelope_not_found`, `not_found`, `envelope_not_open`, `too_many_messages`
 */
export async function resendNotification(
  deps: Dependencies,
  { userId, address, user }: Caller & { user: Pick<User, "email"> },
  envelopeId: number,
  id: number,
): Promise<Notification> {
  const { db, clock } = deps;
  const envelope = await requireEnvelope(deps, userId, envelopeId);
  const [stored] = await listNotifications(db, userId, envelopeId, { ids: [id] });
  if (!stored) throw appError("not_found");
  const recipient = isForAccount(stored.kind) ? user.email : currentAddress(deps, envelope, stored);
  await countMessages(deps, userId, [recipient]);

  const createdAt = clock.now().toISOString();
  const dedupeKey = `again:${id}:${crypto.randomUUID()}`;
  const { kind, channel, payload } = stored;
  const copy = { userId, envelopeId, kind, channel, payload, recipient, dedupeKey, createdAt };
  const event = { userId, address, kinds: ["resent"], detail: recipient, at: createdAt } as const;
  await runBatch(db, [
    insertEvents(db, ownEnvelopeId(userId, envelopeId), event),
    stored.status === "sent"
      ? insertNotification(db, copy)
      : requeueNotification(db, userId, id, { recipient, now: createdAt }),
  ]).catch(throwIfEnvelopeMissing);
  deliverSoon(deps);
  const queued = stored.status === "sent" ? { dedupeKeys: [dedupeKey] } : { ids: [id] };
  const [sent] = await listNotifications(db, userId, envelopeId, queued);
  if (!sent) throw appError("not_found");
  return sent;
}

/**
 * Reminds the recipient now, unless a reminder was queued within the last hour.
 * @param claim of the call's `Idempotency-Key`
 * @returns the reminders, one for each channel
 * @throws AppError `envelope_not_found`, `envelope_not_open`, `rate_limited`, `too_many_messages`
 */
export async function remindNow(
  deps: Dependencies,
  { userId, address }: Caller,
  envelopeId: number,
  claim?: KeyClaim,
): Promise<Notification[]> {
  const { db, clock } = deps;
  const envelope = await requireEnvelope(deps, userId, envelopeId);
  requireOpen(deps, envelope);
  const [before] = await listNotifications(db, userId, envelopeId, { kind: "reminder", limit: 1 });
  const now = clock.now();
  const wait = before ? Date.parse(before.createdAt) + REMIND_PAUSE_MS - now.getTime() : 0;
  if (wait > 0) throw appError("rate_limited", { retryAfterSeconds: Math.ceil(wait / 1000) });

  // Two concurrent clicks see the same previous reminder and therefore queue the same key.
  const dedupeKey = `remind:${envelopeId}:${before?.id ?? 0}`;
  const createdAt = now.toISOString();
  await countMessages(deps, userId, addressesOf(envelope));
  await runBatch(db, [
    insertEvents(db, ownEnvelopeId(userId, envelopeId), {
      userId,
      address,
      kinds: ["reminded"],
      at: createdAt,
    }),
    ...queueForRecipient(db, envelope, { kind: "reminder", createdAt, dedupeKey }),
    ...recordKeyedResource(db, claim, dedupeKey),
  ]).catch(throwIfEnvelopeMissing);
  deliverSoon(deps);
  return requireReminders(deps, userId, envelopeId, dedupeKey);
}

/** The reminders that `remindNow` has queued under this key. @throws AppError `envelope_not_found` */
export async function requireReminders(
  deps: Dependencies,
  userId: number,
  envelopeId: number,
  dedupeKey: string,
): Promise<Notification[]> {
  const dedupeKeys = [`${dedupeKey}:email`, `${dedupeKey}:sms`];
  const reminders = await listNotifications(deps.db, userId, envelopeId, { dedupeKeys });
  if (reminders.length === 0) await requireEnvelope(deps, userId, envelopeId);
  return reminders;
}

/** Reports an envelope that was deleted meanwhile; rethrows anything else. */
function throwIfEnvelopeMissing(error: unknown): never {
  throw isEnvelopeMissing(error) ? appError("envelope_not_found") : error;
}

/** The recipient's current address for the notification. @throws AppError `envelope_not_open` */
function currentAddress(deps: Dependencies, envelope: FullEnvelope, notification: Notification): string {
  const { kind, channel, recipient } = notification;
  if (kind !== "receipt") requireOpen(deps, envelope);
  return (channel === "email" ? envelope.customerEmail : envelope.recipientPhone) || recipient;
}

function requireOpen({ clock }: Dependencies, envelope: FullEnvelope): void {
  if (envelope.status !== "pending" || isExpired(envelope, clock.now())) throw appError("envelope_not_open");
}
