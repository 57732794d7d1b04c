import { and, asc, eq, gt, isNull, lt, lte, notExists, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../client";
import { envelopes, webhookDeliveries, webhooks } from "../schema";
import { type Claim, inTurn, placeInTurn } from "./fair-claims";
import { equals, pick } from "./query-helpers";
import { deleteIdleSnapshots, isPending, type WebhookDelivery } from "./webhook-deliveries";
import { hasEnabledReader } from "./webhooks";

const isClaimed = (now: string) => and(isPending, gt(webhookDeliveries.claimedUntil, now));
const due = (now: string) =>
  and(
    isPending,
    lte(webhookDeliveries.nextAttemptAt, now),
    or(isNull(webhookDeliveries.claimedUntil), lte(webhookDeliveries.claimedUntil, now)),
  );

/**
 * Claims deliveries of webhooks that are switched on and not paused, in turn over the accounts; those of slow receivers
 * after all others. Of one envelope, only the first waiting delivery, so that events arrive in order. A receiver that
 * fails gets a single message at a time.
 */
export async function claimDeliveries(db: Database, claim: Claim): Promise<WebhookDelivery[]> {
  const { claimedBy, now, claimedUntil, turn } = claim;
  const running = JSON.stringify(turn.running);
  // Further ones of a receiver only where the first ones of all leave some of the account's share: they are long to find.
  const chosen = sql`(
    with next as materialized (
      select ${webhooks.id} as webhook, ${webhooks.userId} as account, ${webhooks.slowTries} >= ${SLOW_TRIES} as slow,
        ${webhooks.failures} > 0 as failing, (${nextOf(db, sql`${webhooks.id}`, { now, after: sql`0`, limit: 1 })}) as first
      from ${webhooks} where ${isReady(db, now)} and ifnull(json_extract(${running}, '$."' || ${webhooks.userId} || '"'), 0) < ${turn.share}
    ), due as materialized (
      select *, count(*) over (partition by account order by slow) as before from next where first is not null
    ), waiting as (
      select first as id, account, slow, 1 as nth from due
      union all
      select delivery.id, account, slow, 1 + row_number() over (partition by webhook order by delivery.id)
      from due cross join ${webhookDeliveries} as delivery on delivery.id in (${nextOf(db, sql`due.webhook`, { now, after: sql`due.first`, limit: turn.share })})
      where before < ${turn.share} and not failing
    ), candidate as (
      select id, account, slow, ${placeInTurn(running, sql`slow, nth, id`)} as place from waiting
    )
    select id from candidate where place <= ${turn.share} order by slow, ${inTurn(turn.after)} limit ${turn.limit})`;
  const rows = await db
    .update(webhookDeliveries)
    .set({ claimedBy, claimedUntil, attempts: sql`${webhookDeliveries.attempts} + 1` })
    .where(sql`${webhookDeliveries.id} in ${chosen}`)
    .returning();
  return rows.sort((one, other) => one.id - other.id);
}

/** After so many slow attempts in a row, a receiver's messages wait behind all others. */
const SLOW_TRIES = 3;

const isReady = (db: Database, now: string) =>
  and(
    eq(webhooks.enabled, true),
    hasEnabledReader,
    or(isNull(webhooks.pausedUntil), lte(webhooks.pausedUntil, now)),
    or(eq(webhooks.failures, 0), notExists(deliveriesOf(db, webhooks.id, isClaimed(now)))),
  );

function nextOf(
  db: Database,
  webhookId: SQL,
  { now, after, limit }: { now: string; after: SQL; limit: number },
) {
  const earlier = alias(webhookDeliveries, "earlier");
  const same = pick(webhookDeliveries, "envelopeId", "webhookId");
  const sameEnvelope = and(
    equals(earlier, { ...same, status: "pending" }),
    lt(earlier.id, webhookDeliveries.id),
  );
  const isFirst = notExists(db.select({ id: earlier.id }).from(earlier).where(sameEnvelope));
  return deliveriesOf(db, webhookId, and(gt(webhookDeliveries.id, after), due(now), isFirst))
    .orderBy(asc(webhookDeliveries.id))
    .limit(limit);
}

const deliveriesOf = (db: Database, webhookId: SQL | typeof webhooks.id, where: SQL | undefined) =>
  db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), where));

export type DeliveryOutcome = Pick<
  WebhookDelivery,
  "status" | "statusCode" | "durationMs" | "response" | "failure" | "nextAttemptAt"
>;

/** The response of the receiver, while the envelope exists: it may repeat the message. */
const responseUnlessDeleted = (response: string | null) =>
  sql`case when ${webhookDeliveries.envelopeId} is null or exists (
    select 1 from ${envelopes} where ${envelopes.id} = ${webhookDeliveries.envelopeId}) then ${response} end`;

/**
 * The statements that record an attempt, and the state of its webhook after it; a delivery that another process has
 * claimed meanwhile stays as it is. One that was given up meanwhile because its webhook was switched off is not retried.
 */
export function recordTry(
  db: Database,
  { id, webhookId, claimedBy }: { id: number; webhookId: number; claimedBy: string | null },
  outcome: DeliveryOutcome,
  { isSlow, pausedUntil, now }: { isSlow: boolean; pausedUntil: string | null; now: string },
): Statement[] {
  const state =
    outcome.status === "delivered"
      ? { failures: 0, failingSince: null }
      : {
          failures: sql`${webhooks.failures} + 1`,
          failingSince: sql`ifnull(${webhooks.failingSince}, ${now})`,
        };
  return [
    db
      .update(webhookDeliveries)
      .set({
        ...outcome,
        response: responseUnlessDeleted(outcome.response),
        claimedBy: null,
        claimedUntil: null,
      })
      .where(
        equals(webhookDeliveries, {
          ...{ id, claimedBy: claimedBy ?? "" },
          ...(outcome.status === "pending" && { status: "pending" }),
        }),
      ),
    db
      .update(webhooks)
      .set({ ...state, pausedUntil, slowTries: isSlow ? sql`${webhooks.slowTries} + 1` : 0 })
      .where(eq(webhooks.id, webhookId)),
    deleteIdleSnapshots(db, eq(webhookDeliveries.id, id)),
  ];
}
