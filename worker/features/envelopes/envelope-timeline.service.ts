import { listEvents } from "../../../db/queries/envelope-events";
import type { Notification } from "../../../db/queries/notifications";
import type { Dependencies } from "../../dependencies";
import { requireNotifications } from "./envelope-notifications.service";

const MAX_EVENTS = 500;

/** The messages that concern an envelope. */
const MESSAGES = [
  "invitation",
  "update",
  "reminder",
  "returned",
  "submission",
  "receipt",
  "expiring",
  "expired",
  "infected",
] as const;

/**
 * The envelope's events and messages, oldest first.
 * @throws AppError `envelope_not_found`
 */
export async function readTimeline(deps: Dependencies, userId: number, envelopeId: number) {
  const events = await listEvents(deps.db, userId, envelopeId, MAX_EVENTS);
  const notifications = await requireNotifications(deps, userId, envelopeId);
  const actions = events.map(({ at, ...event }) => ({ at, ...event }));
  return [...actions, ...notifications.flatMap(delivery)].sort(byTime);
}

/** A message is listed at the time it was sent, or was due. */
function delivery({ id, kind, channel, recipient, status, failure, createdAt, sentAt }: Notification) {
  const message = MESSAGES.find((name) => name === kind);
  if (!message) return [];
  const entry = {
    kind: "delivery" as const,
    at: sentAt ?? createdAt,
    message,
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
