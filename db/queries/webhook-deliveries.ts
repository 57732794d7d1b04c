import { and, asc, desc, eq, exists, inArray, isNull, lt, lte, ne, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { webhookDeliveries, webhookSnapshots, webhooks } from "../schema";
import { ofEnabledAccount } from "./webhooks";

export type WebhookDelivery = typeof webhookDeliveries.$inferSelect;

/** The webhooks of enabled accounts that have a delivery due and are not paused, longest waiting first. */
export async function listDueWebhooks(db: Database, now: string, limit: number): Promise<number[]> {
  const rows = await db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(
      and(
        eq(webhooks.enabled, true),
        ofEnabledAccount(db),
        or(isNull(webhooks.pausedUntil), lte(webhooks.pausedUntil, now)),
        exists(
          db
            .select({ id: webhookDeliveries.id })
            .from(webhookDeliveries)
            .where(and(eq(webhookDeliveries.webhookId, webhooks.id), due(now))),
        ),
      ),
    )
    .orderBy(asc(webhooks.pausedUntil))
    .limit(limit);
  return rows.map(({ id }) => id);
}

const due = (now: string) =>
  and(
    // A literal, as the condition of the partial index.
    sql`${webhookDeliveries.status} = 'pending'`,
    lte(webhookDeliveries.nextAttemptAt, now),
    or(isNull(webhookDeliveries.claimedUntil), lte(webhookDeliveries.claimedUntil, now)),
  );

type DeliveryClaim = {
  webhookId: number;
  claimedBy: string;
  now: string;
  claimedUntil: string;
  limit: number;
};

/**
 * Claims the oldest deliveries of a webhook. Of one envelope, only the first waiting delivery, so that events arrive in
 * order.
 */
export async function claimDeliveries(db: Database, claim: DeliveryClaim): Promise<WebhookDelivery[]> {
  const { webhookId, claimedBy, now, claimedUntil, limit } = claim;
  const earlier = alias(webhookDeliveries, "earlier");
  const chosen = db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        due(now),
        notExists(
          db
            .select({ id: earlier.id })
            .from(earlier)
            .where(
              and(
                eq(earlier.envelopeId, webhookDeliveries.envelopeId),
                eq(earlier.webhookId, webhookId),
                eq(earlier.status, "pending"),
                lt(earlier.id, webhookDeliveries.id),
              ),
            ),
        ),
      ),
    )
    .orderBy(asc(webhookDeliveries.id))
    .limit(limit);
  const rows = await db
    .update(webhookDeliveries)
    .set({ claimedBy, claimedUntil, attempts: sql`${webhookDeliveries.attempts} + 1` })
    .where(inArray(webhookDeliveries.id, chosen))
    .returning();
  return rows.sort((one, other) => one.id - other.id);
}

export type DeliveryOutcome = Pick<
  WebhookDelivery,
  "status" | "statusCode" | "durationMs" | "response" | "failure" | "nextAttemptAt"
>;
type WebhookState = Partial<Pick<typeof webhooks.$inferInsert, "failures" | "failingSince" | "pausedUntil">>;

/**
 * The statements that record an attempt, unless another process has claimed the delivery meanwhile. A delivery that
 * was given up meanwhile because its webhook was switched off is not retried.
 */
export function recordTry(
  db: Database,
  { id, webhookId, claimedBy }: { id: number; webhookId: number; claimedBy: string },
  outcome: DeliveryOutcome,
  state: WebhookState,
): Statement[] {
  return [
    db
      .update(webhookDeliveries)
      .set({ ...outcome, claimedBy: null, claimedUntil: null })
      .where(
        and(
          eq(webhookDeliveries.id, id),
          eq(webhookDeliveries.claimedBy, claimedBy),
          outcome.status === "pending" ? eq(webhookDeliveries.status, "pending") : undefined,
        ),
      ),
    db.update(webhooks).set(state).where(eq(webhooks.id, webhookId)),
  ];
}

/** The deliveries of one of the caller's webhooks, newest first. */
export async function listDeliveries(
  db: Database,
  userId: number,
  webhookId: number,
  { limit, cursor }: { limit: number; cursor?: number },
): Promise<{ rows: WebhookDelivery[]; next: number | null }> {
  const rows = await db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.userId, userId),
        eq(webhookDeliveries.webhookId, webhookId),
        cursor === undefined ? undefined : lt(webhookDeliveries.id, cursor),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** Queues a test for one of the caller's webhooks. Fails if that is switched off or does not exist, see `isTestRejected`. */
export async function insertTest(
  db: Database,
  userId: number,
  webhookId: number,
  now: string,
): Promise<WebhookDelivery> {
  const messageId = sql`'msg_' || lower(hex(randomblob(16)))`;
  const [row] = await db
    .insert(webhookDeliveries)
    .values({
      webhookId: sql<number>`(${enabledWebhook(db, userId, webhookId)})`,
      userId,
      messageId,
      event: "webhook.test",
      at: now,
      nextAttemptAt: now,
      createdAt: now,
    })
    .returning();
  if (!row) throw new Error("The test was not inserted");
  return row;
}

/** Whether a test was not inserted because its webhook is switched off or does not exist. */
export const isTestRejected = (error: unknown) => violates(error, "not null", webhookDeliveries.webhookId);

const enabledWebhook = (db: Database, userId: number, webhookId: number) =>
  db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(eq(webhooks.id, webhookId), eq(webhooks.userId, userId), eq(webhooks.enabled, true)));

/**
 * Queues a delivery again, with all attempts. One that is being sent does not change, nor does one of a webhook that is
 * switched off.
 */
export async function requeueDelivery(
  db: Database,
  userId: number,
  webhookId: number,
  { id, now }: { id: number; now: string },
): Promise<WebhookDelivery | undefined> {
  const own = and(
    eq(webhookDeliveries.userId, userId),
    eq(webhookDeliveries.webhookId, webhookId),
    eq(webhookDeliveries.id, id),
  );
  await db
    .update(webhookDeliveries)
    .set({ status: "pending", attempts: 0, nextAttemptAt: now })
    .where(
      and(
        own,
        or(isNull(webhookDeliveries.claimedUntil), lte(webhookDeliveries.claimedUntil, now)),
        exists(enabledWebhook(db, userId, webhookId)),
      ),
    );
  return db.query.webhookDeliveries.findFirst({ where: own });
}

/** The caller's envelope as it was when it was deleted. */
export async function findSnapshot(db: Database, userId: number, envelopeId: number) {
  const row = await db.query.webhookSnapshots.findFirst({
    where: and(eq(webhookSnapshots.userId, userId), eq(webhookSnapshots.envelopeId, envelopeId)),
  });
  return row?.data;
}

/** The statements that delete deliveries created before then, and all but the latest `limit` of each webhook. */
export function deleteOldDeliveries(
  db: Database,
  { before, limit }: { before: string; limit: number },
): Statement[] {
  const newer = alias(webhookDeliveries, "newer");
  const beyond = sql`${webhookDeliveries.id} <= (select ${newer.id} from ${webhookDeliveries} as newer where ${newer.webhookId} = ${webhookDeliveries.webhookId} order by ${newer.id} desc limit 1 offset ${limit})`;
  const finished = ne(webhookDeliveries.status, "pending");
  return [
    db.delete(webhookDeliveries).where(and(finished, or(lt(webhookDeliveries.createdAt, before), beyond))),
    db
      .delete(webhookSnapshots)
      .where(
        and(
          lt(webhookSnapshots.createdAt, before),
          notExists(
            db
              .select({ id: webhookDeliveries.id })
              .from(webhookDeliveries)
              .where(eq(webhookDeliveries.envelopeId, webhookSnapshots.envelopeId)),
          ),
        ),
      ),
  ];
}
