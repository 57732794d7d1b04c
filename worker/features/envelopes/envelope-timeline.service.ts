import { listEvents } from "../../../db/queries/envelope-events";
import type { Member } from "../../../db/queries/members";
import type { Notification } from "../../../db/queries/notifications";
import { isInTimeline } from "../../contract/notifications";
import type { Dependencies } from "../../dependencies";
import { requireNotifications } from "./envelope-notifications.service";

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
