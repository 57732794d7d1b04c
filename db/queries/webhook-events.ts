import { and, eq, sql } from "drizzle-orm";
import type { WebhookEvent } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import {
  envelopeEvents,
  envelopes,
  notifications,
  webhookCursors,
  webhookDeliveries,
  webhookSnapshots,
  webhooks,
} from "../schema";

const MESSAGE_ID = sql`'msg_' || lower(hex(randomblob(16)))`;
const isSubscribed = (event: unknown) =>
  sql`exists (select 1 from json_each(${webhooks.events}) where json_each.value = ${event})`;
/** The webhooks of the envelope's owner, for its workspace or for all. */
const concerned = sql`${webhooks.userId} = ${envelopes.userId} and ${webhooks.enabled} = 1 and (${webhooks.workspaceId} is null or ${webhooks.workspaceId} = ${envelopes.workspaceId})`;
const COLUMNS = sql`webhook_id, user_id, message_id, event, request_id, notification_id, at, next_attempt_at, created_at`;
const EVENT = sql`'request.' || ${envelopeEvents.kind}`;

/**
 * The statements that create deliveries of new events. An envelope's events are written in the batch of the change
 * itself, so they are the outbox. In one batch, so that each event gets a delivery once, whichever process runs it.
 * Several documents that are reviewed in one call are one event.
 */
export function insertDeliveries(db: Database, now: string): Statement[] {
  return [
    db
      .insert(webhookCursors)
      .select(
        sql`select 1, coalesce((select max(${envelopeEvents.id}) from ${envelopeEvents}), 0) where true`,
      )
      .onConflictDoNothing(),
    raw(
      db,
      sql`insert into ${webhookDeliveries} (${COLUMNS})
        select ${webhooks.id}, ${webhooks.userId}, ${MESSAGE_ID}, ${EVENT}, ${envelopes.id}, null, ${envelopeEvents.at}, ${now}, ${now}
        from ${envelopeEvents} cross join ${envelopes} on ${envelopes.id} = ${envelopeEvents.envelopeId} cross join ${webhooks} on ${concerned}
        where ${envelopeEvents.id} > (select ${webhookCursors.eventId} from ${webhookCursors} where ${webhookCursors.id} = 1)
          and ${envelopeEvents.id} > ${webhooks.sinceEventId} and ${isSubscribed(EVENT)}
          and not exists (select 1 from ${envelopeEvents} as earlier
            where earlier.request_id = ${envelopes.id} and earlier.kind = ${envelopeEvents.kind}
              and earlier.at = ${envelopeEvents.at} and earlier.id < ${envelopeEvents.id})
        order by ${envelopeEvents.id}`,
    ),
    db
      .update(webhookCursors)
      .set({ eventId: sql`coalesce((select max(${envelopeEvents.id}) from ${envelopeEvents}), 0)` })
      .where(eq(webhookCursors.id, 1)),
  ];
}

/**
 * The statements that queue deliveries about a deletion and store a snapshot of the envelope for them; must precede the
 * deletion.
 */
export function insertDeletionDeliveries(
  db: Database,
  userId: number,
  { envelopeId, data, now }: { envelopeId: number; data: Record<string, unknown>; now: string },
): Statement[] {
  const event: WebhookEvent = "request.deleted";
  const own = and(eq(envelopes.userId, userId), eq(envelopes.id, envelopeId));
  const isDelivered = sql`exists (select 1 from ${webhookDeliveries} where ${webhookDeliveries.envelopeId} = ${envelopeId})`;
  return [
    ...insertDeliveries(db, now),
    raw(
      db,
      sql`insert into ${webhookDeliveries} (${COLUMNS})
        select ${webhooks.id}, ${webhooks.userId}, ${MESSAGE_ID}, ${event}, ${envelopes.id}, null, ${now}, ${now}, ${now}
        from ${envelopes} join ${webhooks} on ${concerned} where ${own} and ${isSubscribed(event)}`,
    ),
    raw(
      db,
      sql`insert or replace into ${webhookSnapshots} (request_id, user_id, data, created_at)
        select ${envelopes.id}, ${envelopes.userId}, ${JSON.stringify(data)}, ${now} from ${envelopes} where ${own} and ${isDelivered}`,
    ),
  ];
}

/**
 * The statement that queues deliveries about a message that failed for good; must precede `updateClaimedNotification`.
 */
export function insertFailureDeliveries(
  db: Database,
  { id, claimedBy, now }: { id: number; claimedBy: string; now: string },
): Statement {
  const event: WebhookEvent = "notification.failed";
  return raw(
    db,
    sql`insert into ${webhookDeliveries} (${COLUMNS})
      select ${webhooks.id}, ${webhooks.userId}, ${MESSAGE_ID}, ${event}, ${envelopes.id}, ${notifications.id}, ${now}, ${now}, ${now}
      from ${notifications} join ${envelopes} on ${envelopes.id} = ${notifications.envelopeId} join ${webhooks} on ${concerned}
      where ${notifications.id} = ${id} and ${notifications.claimedBy} = ${claimedBy} and ${isSubscribed(event)}`,
  );
}

const raw = (db: Database, statement: ReturnType<typeof sql>): Statement => db.run(statement);
