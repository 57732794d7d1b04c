import { and, eq, type SQL, sql } from "drizzle-orm";
import type { WebhookEvent } from "../../worker/contract/envelope-events";
import type { Database, Statement } from "../client";
import {
  destinations,
  envelopeDocuments,
  envelopeEvents,
  envelopes,
  fileDeliveries,
  notifications,
  webhookCursors,
  webhookDeliveries,
  webhookSnapshotParts,
  webhookSnapshots,
  webhooks,
} from "../schema";
import { isMember, type Member } from "./members";
import { lastEventId, MESSAGE_ID, tellsOf } from "./webhook-deliveries";

const isSubscribed = (event: unknown) =>
  sql`exists (select 1 from json_each(${webhooks.events}) where json_each.value = ${event})`;
const concerned = sql`${webhooks.enabled} = 1 and ${tellsOf(envelopes.workspaceId)}`;
const COLUMNS = sql`webhook_id, user_id, message_id, event, envelope_id, notification_id, at, next_attempt_at, created_at`;
const EVENT = sql`'request.' || ${envelopeEvents.kind}`;

const cursor = sql`coalesce((select ${webhookCursors.eventId} from ${webhookCursors} where ${webhookCursors.id} = 1), 0)`;

/**
 * Creates deliveries of the next `limit` new events. An envelope's events are written in the batch of the change itself,
 * so they are the outbox. In one batch, so that each event gets a delivery once, whichever process runs it. Several
 * documents that are reviewed in one call are one event.
 * @returns whether there are more
 */
export async function insertDeliveries(db: Database, now: string, limit: number): Promise<boolean> {
  const page = sql`(select max(id) from (
    select ${envelopeEvents.id} from ${envelopeEvents} where ${envelopeEvents.id} > ${cursor} order by ${envelopeEvents.id} limit ${limit}))`;
  const [, , [last]] = await db.batch([
    db.insert(webhookCursors).select(sql`select 1, ${lastEventId} where true`).onConflictDoNothing(),
    insertEventDeliveries(db, sql`${envelopeEvents.id} > ${cursor} and ${envelopeEvents.id} <= ${page}`, now),
    db
      .update(webhookCursors)
      .set({ eventId: sql`coalesce(${page}, ${webhookCursors.eventId})` })
      .where(eq(webhookCursors.id, 1))
      .returning({
        hasMore: sql<number>`exists (select 1 from ${envelopeEvents} where ${envelopeEvents.id} > event_id)`,
      }),
  ]);
  return Boolean(last?.hasMore);
}

const insertEventDeliveries = (db: Database, where: SQL, now: string): Statement =>
  raw(
    db,
    sql`insert into ${webhookDeliveries} (${COLUMNS})
      select ${webhooks.id}, ${webhooks.userId}, ${MESSAGE_ID}, ${EVENT}, ${envelopes.id}, null, ${envelopeEvents.at}, ${now}, ${now}
      from ${envelopeEvents} cross join ${envelopes} on ${envelopes.id} = ${envelopeEvents.envelopeId} cross join ${webhooks} on ${concerned}
      where ${where} and ${envelopeEvents.id} > ${webhooks.sinceEventId} and ${isSubscribed(EVENT)}
        and not exists (select 1 from ${envelopeEvents} as earlier
          where earlier.envelope_id = ${envelopes.id} and earlier.kind = ${envelopeEvents.kind}
            and earlier.at = ${envelopeEvents.at} and earlier.id < ${envelopeEvents.id})
      order by ${envelopeEvents.id}`,
  );

/** A part of a snapshot: if each character has four bytes, D1 still takes it, in a row of 2,000,000. */
const PART = /.{1,450000}/gsu;

/**
 * The statements that queue deliveries about a deletion and store a snapshot of the envelope for them; must precede the
 * deletion.
 */
export function insertDeletionDeliveries(
  db: Database,
  member: Member,
  {
    envelopeId,
    workspaceId,
    text,
    now,
  }: { envelopeId: number; workspaceId: number; text: string; now: string },
): Statement[] {
  const event: WebhookEvent = "request.deleted";
  const own = and(eq(envelopes.id, envelopeId), isMember(envelopes.workspaceId, member));
  const parts = text.match(PART) ?? [];
  const isLong = parts.length > 1;
  const isWaiting = sql`exists (select 1 from ${webhookDeliveries} where ${webhookDeliveries.envelopeId} = ${envelopeId} and ${webhookDeliveries.status} = 'pending')`;
  return [
    insertEventDeliveries(
      db,
      sql`${envelopeEvents.envelopeId} = ${envelopeId} and ${envelopeEvents.id} > ${cursor} and ${own}`,
      now,
    ),
    raw(
      db,
      sql`insert into ${webhookDeliveries} (${COLUMNS})
        select ${webhooks.id}, ${webhooks.userId}, ${MESSAGE_ID}, ${event}, ${envelopes.id}, null, ${now}, ${now}, ${now}
        from ${envelopes} join ${webhooks} on ${concerned} where ${own} and ${isSubscribed(event)}`,
    ),
    raw(
      db,
      sql`insert or replace into ${webhookSnapshots} (envelope_id, user_id, data, created_at)
        select ${envelopes.id}, ${envelopes.userId}, ${isLong ? JSON.stringify({ workspaceId }) : text}, ${now} from ${envelopes} where ${own} and ${isWaiting}`,
    ),
    ...(isLong ? parts : []).map((part, index) =>
      raw(
        db,
        sql`insert into ${webhookSnapshotParts} (envelope_id, part, text)
          select ${envelopes.id}, ${index}, ${part} from ${envelopes} where ${own} and ${isWaiting}`,
      ),
    ),
  ];
}

/** The statement that queues deliveries about documents, as far as nothing has looked at them since they were read. */
export function insertDocumentDeliveries(
  db: Database,
  event: WebhookEvent & `document.${string}`,
  documents: readonly { documentId: number; checkAt: string | null }[],
  now: string,
): Statement {
  const read = sql`json_each(${JSON.stringify(documents)})`;
  return raw(
    db,
    sql`insert into ${webhookDeliveries} (${COLUMNS}, document_id)
      select ${webhooks.id}, ${webhooks.userId}, ${MESSAGE_ID}, ${event}, ${envelopes.id}, null, ${now}, ${now}, ${now}, ${envelopeDocuments.id}
      from ${read} as read cross join ${envelopeDocuments} on ${envelopeDocuments.id} = read.value ->> '$.documentId' and ${envelopeDocuments.checkAt} is read.value ->> '$.checkAt'
        cross join ${envelopes} on ${envelopes.id} = ${envelopeDocuments.envelopeId} cross join ${webhooks} on ${concerned} where ${isSubscribed(event)}`,
  );
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

/** The statement that queues deliveries about one of a file that is still claimed; must precede `recordFile`. */
export const insertFileEvent = (
  db: Database,
  event: Extract<WebhookEvent, "file.delivered" | "destination.failed">,
  {
    id,
    claimedBy,
    now,
    whileActive,
  }: { id: number; claimedBy: string | null; now: string; whileActive: boolean },
): Statement =>
  raw(
    db,
    sql`insert into ${webhookDeliveries} (${COLUMNS}, file_delivery_id)
      select ${webhooks.id}, ${webhooks.userId}, ${MESSAGE_ID}, ${event}, ${envelopes.id}, null, ${now}, ${now}, ${now}, ${fileDeliveries.id}
      from ${fileDeliveries} join ${envelopes} on ${envelopes.id} = ${fileDeliveries.envelopeId} join ${webhooks} on ${concerned}
        join ${destinations} on ${destinations.id} = ${fileDeliveries.destinationId} and ${destinations.workspaceId} = ${envelopes.workspaceId}
      where ${fileDeliveries.id} = ${id} and ${fileDeliveries.claimedBy} = ${claimedBy} and ${isSubscribed(event)} and ${whileActive ? isActive : sql`1`}`,
  );

/** Of several attempts that fail at once, only the first one finds it so. */
const isActive = sql`${destinations.state} = 'active'`;

const raw = (db: Database, statement: ReturnType<typeof sql>): Statement => db.run(statement);
