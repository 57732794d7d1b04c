import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { envelopeEvents, webhookCursors, webhookDeliveries, webhooks } from "../schema";
import { ownerWithRoom } from "./account-limits";
import { prepared } from "./prepared";
import { ownWorkspace } from "./workspaces";

export type Webhook = typeof webhooks.$inferSelect;
type NewWebhook = Pick<Webhook, "url" | "events" | "description" | "secret" | "createdAt" | "updatedAt"> & {
  workspaceId: number | null;
};

const anyWebhook = prepared((db) =>
  db.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.enabled, true)).limit(1).prepare(),
);

/** Whether any webhook on this instance is switched on. */
export async function hasWebhooks(db: Database): Promise<boolean> {
  return (await anyWebhook(db).all()).length > 0;
}

/** The account's webhooks, newest first. */
export async function listWebhooks(db: Database, userId: number): Promise<Webhook[]> {
  return db.query.webhooks.findMany({ where: eq(webhooks.userId, userId), orderBy: desc(webhooks.id) });
}

export async function findWebhook(db: Database, userId: number, id: number): Promise<Webhook | undefined> {
  return db.query.webhooks.findFirst({ where: own(userId, id) });
}

/** A webhook as the one that delivers its messages sees it, whoever owns it. */
export async function findWebhookToDeliver(db: Database, id: number): Promise<Webhook | undefined> {
  return db.query.webhooks.findFirst({ where: eq(webhooks.id, id) });
}

/** The latest event: a webhook is notified of later ones. */
export const lastEventId = sql<number>`coalesce((select max(${envelopeEvents.id}) from ${envelopeEvents}), 0)`;

/** Makes a webhook for what happens from now on. Fails where the account has `max` of them, see `isAccountFull`. */
export async function insertWebhook(
  db: Database,
  userId: number,
  webhook: NewWebhook,
  max: number,
): Promise<Webhook> {
  const { workspaceId } = webhook;
  const noneYet = sql`not exists (select 1 from ${webhooks} where ${webhooks.enabled} = 1)`;
  const [, [row]] = await db.batch([
    // Nobody was told of what happened before, and nobody will be.
    db
      .insert(webhookCursors)
      .select(sql`select 1, ${lastEventId} where ${noneYet}`)
      .onConflictDoUpdate({ target: webhookCursors.id, set: { eventId: sql`excluded.event_id` } }),
    db
      .insert(webhooks)
      .values({
        ...webhook,
        userId: ownerWithRoom(webhooks, userId, max),
        workspaceId: workspaceId === null ? null : ownWorkspace(userId, workspaceId),
        sinceEventId: lastEventId,
      })
      .returning(),
  ]);
  if (!row) throw new Error("The webhook was not inserted");
  return row;
}

/** Whether a webhook was not inserted because the account has the most it may have. */
export const isTooManyWebhooks = (error: unknown) => violates(error, "not null", webhooks.userId);

type Changes = Partial<Omit<Webhook, "id" | "userId" | "createdAt" | "sinceEventId">> & {
  sinceEventId?: SQL<number>;
};

export async function updateWebhook(
  db: Database,
  userId: number,
  id: number,
  changes: Changes,
): Promise<Webhook | undefined> {
  const [row] = await db.update(webhooks).set(changes).where(own(userId, id)).returning();
  return row;
}

/** The statements that switch a webhook off; what waits is given up. */
export function switchOffWebhook(db: Database, userId: number, id: number, now: string): Statement[] {
  return [
    db
      .update(webhookDeliveries)
      .set({ status: "failed", failure: "switched_off", nextAttemptAt: null })
      .where(and(eq(webhookDeliveries.webhookId, id), eq(webhookDeliveries.status, "pending"))),
    db.update(webhooks).set({ enabled: false, updatedAt: now }).where(own(userId, id)),
  ];
}

/** @returns whether there was such a webhook */
export async function deleteWebhook(db: Database, userId: number, id: number): Promise<boolean> {
  const rows = await db.delete(webhooks).where(own(userId, id)).returning({ id: webhooks.id });
  return rows.length > 0;
}

const own = (userId: number, id: number) => and(eq(webhooks.userId, userId), eq(webhooks.id, id));
