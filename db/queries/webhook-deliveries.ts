import { and, desc, eq, exists, inArray, isNull, lt, lte, notExists, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Database, runBatchAndRead, type Statement } from "../client";
import { violates } from "../errors";
import {
  envelopeEvents,
  envelopes,
  webhookCursors,
  webhookDeliveries,
  webhookSnapshotParts,
  webhookSnapshots,
  webhooks,
  workspaceMembers,
} from "../schema";
import { type KeyClaim, recordKeyedResource } from "./idempotency-keys";
import { isMember, type Member, workspacesOf } from "./members";
import { equals, hasRows, pageOf, valuesOf } from "./query-helpers";

/** A new id, by which a receiver recognises a message that is sent again. */
export const MESSAGE_ID = sql`'msg_' || lower(hex(randomblob(16)))`;

/** A literal, as the condition of the partial index. */
export const isPending = sql`${webhookDeliveries.status} = 'pending'`;

export type WebhookDelivery = typeof webhookDeliveries.$inferSelect;

/** Whether the row's webhook is the caller's or, if it has a workspace, that of a workspace in which they have the role. */
export const ownWebhooks = (member: Member): SQL => {
  const { userId, workspaceId } = member;
  const personal = and(isNull(webhooks.workspaceId), eq(webhooks.userId, userId));
  const shared = inArray(webhooks.workspaceId, workspacesOf(member));
  return sql`(${workspaceId === undefined ? sql`(${personal}) or ` : sql``}${shared})`;
};

/** The deliveries of one of the caller's webhooks, newest first. */
export async function listDeliveries(
  db: Database,
  member: Member,
  webhookId: number,
  { limit, cursor }: { limit: number; cursor?: number },
): Promise<{ rows: WebhookDelivery[]; next: number | null }> {
  return pageOf(
    db
      .select()
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.webhookId, sql`(${ownWebhook(member, webhookId)})`),
          cursor === undefined ? undefined : lt(webhookDeliveries.id, cursor),
        ),
      )
      .orderBy(desc(webhookDeliveries.id)),
    limit,
  );
}

/** Queues a test for one of the caller's webhooks. Fails if that is switched off or does not exist, see `isTestRejected`. */
export async function insertTest(
  db: Database,
  member: Member,
  webhookId: number,
  now: string,
  claim?: KeyClaim,
): Promise<WebhookDelivery> {
  const insert = db
    .insert(webhookDeliveries)
    .values({
      webhookId: sql<number>`(${ownWebhook(member, webhookId, eq(webhooks.enabled, true))})`,
      userId: member.userId,
      messageId: MESSAGE_ID,
      event: "webhook.test",
      at: now,
      nextAttemptAt: now,
      createdAt: now,
    })
    .returning();
  const [[row]] = await db.batch([insert, ...recordKeyedResource(db, claim)]);
  if (!row) throw new Error("The test was not inserted");
  return row;
}

/** Whether a test was not inserted because its webhook is switched off or does not exist. */
export const isTestRejected = (error: unknown) => violates(error, "not null", webhookDeliveries.webhookId);

const ownWebhook = (member: Member, webhookId: number, state?: SQL) =>
  valuesOf(webhooks.id, and(eq(webhooks.id, webhookId), ownWebhooks(member), state));

/**
 * Queues a delivery again, with all attempts. One that is being sent does not change, nor does one of a webhook that is
 * switched off.
 */
export async function requeueDelivery(
  db: Database,
  member: Member,
  webhookId: number,
  { id, now }: { id: number; now: string },
): Promise<WebhookDelivery | undefined> {
  const own = equals(webhookDeliveries, { id, webhookId: sql`(${ownWebhook(member, webhookId)})` });
  const update = db
    .update(webhookDeliveries)
    .set({ status: "pending", attempts: 0, nextAttemptAt: now })
    .where(
      and(
        own,
        or(isNull(webhookDeliveries.claimedUntil), lte(webhookDeliveries.claimedUntil, now)),
        exists(ownWebhook(member, webhookId, eq(webhooks.enabled, true))),
      ),
    );
  return (await runBatchAndRead(db, [update], db.select().from(webhookDeliveries).where(own)))[0];
}

/** Whether the webhook is the workspace's, or of an owner of the workspace and for all of theirs. */
export const tellsOf = (workspaceId: SQLiteColumn | SQL): SQL =>
  sql`(${webhooks.workspaceId} = ${workspaceId} or (${webhooks.workspaceId} is null and exists (
  select 1 from ${workspaceMembers} as me where me.workspace_id = ${workspaceId} and me.user_id = ${webhooks.userId} and me.role = 'owner')))`;

/** The envelope of a delivery as it was when it was deleted, if its webhook still tells of the workspace. */
export async function findSnapshot(
  db: Database,
  { webhookId, envelopeId }: { webhookId: number; envelopeId: number },
) {
  const tells = tellsOf(sql`${webhookSnapshots.data} ->> '$.workspaceId'`);
  const rows = await db
    .select({ data: webhookSnapshots.data, text: webhookSnapshotParts.text })
    .from(webhookSnapshots)
    .innerJoin(webhooks, and(eq(webhooks.id, webhookId), tells))
    .leftJoin(webhookSnapshotParts, eq(webhookSnapshotParts.envelopeId, webhookSnapshots.envelopeId))
    .where(eq(webhookSnapshots.envelopeId, envelopeId))
    .orderBy(webhookSnapshotParts.part);
  const whole = rows.map(({ text }) => text ?? "").join("");
  return whole === "" ? rows[0]?.data : (JSON.parse(whole) as Record<string, unknown>);
}

/** Of each kind of old rows, those that one statement deletes: others wait for it. */
const DELETED_AT_ONCE = 2000;

/**
 * Deletes some of the deliveries that were created before then, or precede the latest `finished` of their webhook; of those
 * that wait, only what precedes the latest `waiting`.
 * @returns whether there may be more
 */
export async function deleteSomeOldDeliveries(
  db: Database,
  { before, finished, waiting }: { before: string; finished: number; waiting: number },
): Promise<boolean> {
  const preceding = (limit: number) =>
    sql`select old.id from (select id, (select last.id from webhook_deliveries as last where last.webhook_id = webhooks.id order by last.id desc limit 1 offset ${limit}) as until from webhooks) as own
      cross join webhook_deliveries as old on old.webhook_id = own.id and old.id <= own.until`;
  const some = sql`select id from (${preceding(waiting)} limit ${DELETED_AT_ONCE})
    union select id from (${preceding(finished)} and old.status <> 'pending' limit ${DELETED_AT_ONCE})
    union select id from (select id from webhook_deliveries where created_at < ${before} and status <> 'pending' limit ${DELETED_AT_ONCE})`;
  const deleted = await db
    .delete(webhookDeliveries)
    .where(sql`${webhookDeliveries.id} in (${some})`)
    .returning({ id: webhookDeliveries.id });
  return deleted.length >= DELETED_AT_ONCE;
}

/** Snapshots that one statement deletes, and after how many bytes it stops: others wait while they are overwritten. */
const SNAPSHOTS_AT_ONCE = 500;
const SNAPSHOT_BYTES_AT_ONCE = 2_000_000;

/**
 * The statement that deletes snapshots that no waiting delivery refers to: of those deliveries, or of all. What is too much
 * for one statement, the hourly job deletes.
 */
export function deleteIdleSnapshots(db: Database, deliveries?: SQL, isWaiting: SQL | undefined = isPending) {
  const requestIds = valuesOf(webhookDeliveries.envelopeId, deliveries);
  const { envelopeId, data } = webhookSnapshots;
  const waiting = valuesOf(webhookDeliveries.id, and(equals(webhookDeliveries, { envelopeId }), isWaiting));
  const idle = and(deliveries && inArray(envelopeId, requestIds), notExists(waiting));
  const bytes = sql`octet_length(${data}) + ifnull((select sum(octet_length(part.text)) from ${webhookSnapshotParts} as part where part.envelope_id = ${envelopeId}), 0)`;
  const some = sql`select id, sum(bytes) over (order by id rows between unbounded preceding and 1 preceding) as before
    from (select ${envelopeId} as id, ${bytes} as bytes from ${webhookSnapshots} where ${idle} limit ${SNAPSHOTS_AT_ONCE})`;
  return db
    .delete(webhookSnapshots)
    .where(
      sql`${envelopeId} in (select id from (${some}) where ifnull(before, 0) < ${SNAPSHOT_BYTES_AT_ONCE})`,
    );
}

/** Deletes some of them. @returns whether there may be more */
export const deleteSomeIdleSnapshots = (db: Database): Promise<boolean> =>
  hasRows(deleteIdleSnapshots(db).returning({ id: webhookSnapshots.envelopeId }));

/** The latest event: a webhook is only notified of later ones. */
export const lastEventId = sql<number>`coalesce((select max(${envelopeEvents.id}) from ${envelopeEvents}), 0)`;

/** The statement after which only later events get deliveries, if this holds. */
export const moveCursor = (db: Database, condition: SQL): Statement =>
  db
    .insert(webhookCursors)
    .select(sql`select 1, ${lastEventId} where ${condition}`)
    .onConflictDoUpdate({ target: webhookCursors.id, set: { eventId: sql`excluded.event_id` } });

/** The statements that give up what waits in an instance that was copied: two must not both send. It can be sent again. */
export const giveUpDeliveries = (db: Database): Statement[] => [
  moveCursor(db, sql`exists (select 1 from ${webhooks})`),
  db.update(webhookDeliveries).set({ status: "failed", nextAttemptAt: null }).where(isPending),
];

/** The statement that deletes the responses of receivers to messages about an envelope: they may repeat the message. */
export const deleteResponses = (db: Database, member: Member, envelopeId: number): Statement =>
  db
    .update(webhookDeliveries)
    .set({ response: null })
    .where(inArray(webhookDeliveries.envelopeId, ownEnvelopes(member, envelopeId)));

const ownEnvelopes = (member: Member, id: number) =>
  valuesOf(envelopes.id, and(eq(envelopes.id, id), isMember(envelopes.workspaceId, member)));
