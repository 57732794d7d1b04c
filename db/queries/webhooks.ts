import { and, desc, eq, exists, isNull, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { envelopeEvents, users, webhookCursors, webhookDeliveries, webhooks } from "../schema";
import { unchangedAccount } from "./account-guards";
import { ownerBelowLimit } from "./account-limits";
import { prepared } from "./prepared";
import type { User } from "./users";
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

/** A webhook whose messages may be delivered: it is switched on, and its account is enabled. */
export async function findWebhookToDeliver(db: Database, id: number): Promise<Webhook | undefined> {
  return db.query.webhooks.findFirst({
    where: and(eq(webhooks.id, id), eq(webhooks.enabled, true), ofEnabledAccount(db)),
  });
}

/** Whether the account of the row's webhook is enabled. */
export const ofEnabledAccount = (db: Database) =>
  exists(
    db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, webhooks.userId), isNull(users.disabledAt))),
  );

/** The latest event: a webhook is only notified of later ones. */
export const lastEventId = sql<number>`coalesce((select max(${envelopeEvents.id}) from ${envelopeEvents}), 0)`;

/**
 * The account's id while its password, address and verification are unchanged since the call was authorized: a reset,
 * a takeover or "This wasn't me" switches webhooks off, and a concurrent call must not add one afterwards.
 */
type Owner = Pick<User, "id" | "password" | "email" | "isVerified">;
const unchanged = (db: Database, { id, password, email, isVerified }: Owner) =>
  unchangedAccount(db, id, { password, email, isVerified });

/**
 * Creates a webhook for events from now on. Fails if the account already has `max` of them or has changed, see
 * `isWebhookRejected`.
 */
export async function insertWebhook(
  db: Database,
  owner: Owner,
  webhook: NewWebhook,
  max: number,
): Promise<Webhook> {
  const userId = owner.id;
  const { workspaceId } = webhook;
  const noneYet = sql`not exists (select 1 from ${webhooks} where ${webhooks.enabled} = 1)`;
  const [, [row]] = await db.batch([
    // Events from before the webhook are never delivered.
    db
      .insert(webhookCursors)
      .select(sql`select 1, ${lastEventId} where ${noneYet}`)
      .onConflictDoUpdate({ target: webhookCursors.id, set: { eventId: sql`excluded.event_id` } }),
    db
      .insert(webhooks)
      .values({
        ...webhook,
        userId: ownerBelowLimit(webhooks, userId, max, unchanged(db, owner)),
        workspaceId: workspaceId === null ? null : ownWorkspace(userId, workspaceId),
        sinceEventId: lastEventId,
      })
      .returning(),
  ]);
  if (!row) throw new Error("The webhook was not inserted");
  return row;
}

/** Whether a webhook was not inserted because the account already has the maximum, or has changed. */
export const isWebhookRejected = (error: unknown) => violates(error, "not null", webhooks.userId);

type Changes = Partial<
  Omit<Webhook, "id" | "userId" | "createdAt" | "secret" | "previousSecret" | "sinceEventId">
> & { sinceEventId?: SQL<number> };

/** @returns the changed webhook; undefined if it no longer exists or its owner's account has changed */
export async function updateWebhook(
  db: Database,
  owner: Owner,
  id: number,
  changes: Changes,
): Promise<Webhook | undefined> {
  const [row] = await db
    .update(webhooks)
    .set(changes)
    .where(ownedBy(db, owner, id))
    .returning();
  return row;
}

/** Replaces the secret. The previous one, as stored at that time, also signs for a while. */
export async function replaceWebhookSecret(
  db: Database,
  owner: Owner,
  id: number,
  { secret, until, now }: { secret: string; until: string; now: string },
): Promise<Webhook | undefined> {
  const [row] = await db
    .update(webhooks)
    .set({ secret, previousSecret: sql`${webhooks.secret}`, previousSecretUntil: until, updatedAt: now })
    .where(ownedBy(db, owner, id))
    .returning();
  return row;
}

/** The statements that switch a webhook off and cancel its waiting deliveries. */
export function switchOffWebhook(db: Database, userId: number, id: number, now: string): Statement[] {
  return [
    db
      .update(webhookDeliveries)
      .set({ status: "failed", failure: "switched_off", nextAttemptAt: null })
      .where(and(eq(webhookDeliveries.webhookId, id), eq(webhookDeliveries.status, "pending"))),
    db.update(webhooks).set({ enabled: false, updatedAt: now }).where(own(userId, id)),
  ];
}

/** The statements that switch off all webhooks of the account and cancel their waiting deliveries. */
export function switchOffAllWebhooks(db: Database, userId: number): Statement[] {
  return [
    db
      .update(webhookDeliveries)
      .set({ status: "failed", failure: "switched_off", nextAttemptAt: null })
      .where(and(eq(webhookDeliveries.userId, userId), eq(webhookDeliveries.status, "pending"))),
    db.update(webhooks).set({ enabled: false }).where(eq(webhooks.userId, userId)),
  ];
}

/** @returns whether the webhook existed */
export async function deleteWebhook(db: Database, userId: number, id: number): Promise<boolean> {
  const rows = await db.delete(webhooks).where(own(userId, id)).returning({ id: webhooks.id });
  return rows.length > 0;
}

const own = (userId: number, id: number) => and(eq(webhooks.userId, userId), eq(webhooks.id, id));

const ownedBy = (db: Database, owner: Owner, id: number) =>
  and(eq(webhooks.userId, unchanged(db, owner)), eq(webhooks.id, id));
