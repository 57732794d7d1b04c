import { and, eq, exists, inArray, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Channel } from "../../worker/contract/notifications";
import { type Database, runBatch, type Statement } from "../client";
import { notifications } from "../schema";
import { type Claim, inTurn, NO_ACCOUNT, placeInTurn } from "./fair-claims";
import { type Notification, waitsForOutage } from "./notifications";
import { equals, prepared, valuesOf } from "./query-helpers";
import { insertFailureDeliveries } from "./webhook-events";

type ChannelClaim = Claim & { channel: Channel };

/** The account of a row, as the index `notifications_waiting` has it. */
export const ACCOUNT = sql`(case when ${notifications.userId} is null then ${sql.raw(String(NO_ACCOUNT))} else ${notifications.userId} end)`;

const merging = alias(notifications, "merging");

const isClaimable = (waiting: boolean) =>
  and(
    // A literal, as the condition of the partial index.
    sql`${notifications.status} = 'queued'`,
    eq(notifications.channel, sql.placeholder("channel")),
    // Nothing that may have been delivered tries out whether the channel works again.
    waiting
      ? and(waitsForOutage(NOW), sql`${notifications.payload} ->> '$.maybeSent' is null`)
      : lte(notifications.nextAttemptAt, NOW),
    or(isNull(notifications.claimedUntil), lte(notifications.claimedUntil, NOW)),
  );

/** Selects the next account, by id, that has something to claim. */
const accountAfter = (claimable: SQL | undefined, account: SQL) =>
  sql`select ${ACCOUNT} from ${notifications} where ${claimable} and ${ACCOUNT} > ${account} order by ${ACCOUNT} limit 1`;

const NOW = sql.placeholder("now");
const AFTER = sql.placeholder("after");
const SHARE = sql.placeholder("share");

/** Each change that queues a message claims several times, and the statement is long. */
const claimQuery = prepared((db) => ({ due: claimStatement(db, false), waiting: claimStatement(db, true) }));

function claimStatement(db: Database, waiting: boolean) {
  const claimable = isClaimable(waiting);
  // Only as many accounts are looked up as there are slots, whatever the number of waiting messages.
  const chosen = sql`(
    with recursive next(account) as (
      select coalesce((${accountAfter(claimable, sql`${AFTER}`)}), (${accountAfter(claimable, sql`-1`)}))
      union select coalesce((${accountAfter(claimable, sql`next.account`)}), (${accountAfter(claimable, sql`-1`)})) from next
      limit ${sql.placeholder("slots")}
    ), candidate as (
      select message.id, account, ${placeInTurn(sql.placeholder("running"), sql`message.next_attempt_at, message.id`)} as place
      from next cross join ${notifications} as message on message.id in (
        select id from ${notifications} where ${claimable} and ${ACCOUNT} = account
        order by ${notifications.nextAttemptAt}, ${notifications.id} limit ${SHARE})
    )
    select id from candidate where place <= ${SHARE} order by ${inTurn(AFTER)} limit ${sql.placeholder("limit")})`;
  return db
    .update(notifications)
    .set({
      claimedBy: sql`${sql.placeholder("claimedBy")}`,
      claimedUntil: sql`${sql.placeholder("claimedUntil")}`,
      attempts: sql`${notifications.attempts} + 1`,
    })
    .where(sql`${notifications.id} in ${chosen}`)
    .returning()
    .prepare();
}

/** Claims notifications of one channel, in turn over the accounts: of each, those that have been due longest. */
export function claimNotifications(db: Database, claim: ChannelClaim): Promise<Notification[]> {
  const { turn, waiting, ...values } = claim;
  const statement = claimQuery(db)[waiting ? "waiting" : "due"];
  return statement.all({ ...values, ...turn, running: JSON.stringify(turn.running) });
}

/** Messages that one batch merges: others wait for it. */
const MERGED_AT_ONCE = 1000;

/**
 * Merges what waits to the same address about the same into a claimed notification, whose payload counts it. A claimed
 * one on its first attempt waits too: its sender has not passed the gate.
 * @param takeTurn waits for the caller's turn: many are then merged in parts
 * @returns the payload; undefined if there is nothing to merge, or another sender has claimed the notification meanwhile
 */
export async function mergeWaiting(
  db: Database,
  {
    id,
    kind,
    channel,
    recipient,
    userId,
    claimedBy,
  }: Pick<Notification, "id" | "kind" | "channel" | "recipient" | "userId" | "claimedBy">,
  now: string,
  takeTurn?: () => Promise<void>,
): Promise<Notification["payload"] | undefined> {
  const waiting = and(
    // As the index `notifications_waiting` has them: an account may have many that were sent.
    sql`${notifications.status} = 'queued'`,
    equals(notifications, { channel, kind, recipient }),
    sql`${ACCOUNT} = ${userId ?? NO_ACCOUNT}`,
    ne(notifications.id, id),
    or(
      isNull(notifications.claimedUntil),
      lte(notifications.claimedUntil, now),
      lte(notifications.attempts, 1),
    ),
  );
  const some = db.select({ id: notifications.id }).from(notifications).where(waiting);
  const merged = inArray(notifications.id, takeTurn ? some.limit(MERGED_AT_ONCE) : some);
  const more = sql`coalesce(${notifications.payload} ->> '$.more', 0)`;
  const events = db
    .select({ sum: sql`sum(1 + ${more})` })
    .from(notifications)
    .where(merged);
  const isOwn = { id, claimedBy: claimedBy ?? "" };
  const own = db.select({ id: merging.id }).from(merging).where(equals(merging, isOwn));
  let payload: Notification["payload"] | undefined;
  for (;;) {
    const [[changed], removed] = await db.batch([
      db
        .update(notifications)
        .set({ payload: sql`json_set(${notifications.payload}, '$.more', ${more} + ${events})` })
        .where(and(equals(notifications, isOwn), exists(valuesOf(notifications.id, waiting))))
        .returning({ payload: notifications.payload }),
      db
        .delete(notifications)
        .where(and(merged, exists(own)))
        .returning({ id: notifications.id }),
    ]);
    payload = changed?.payload ?? payload;
    if (!takeTurn || removed.length < MERGED_AT_ONCE) return payload;
    await takeTurn();
  }
}

export type NotificationOutcome = Partial<
  Pick<
    Notification,
    "status" | "sentAt" | "lastError" | "failure" | "nextAttemptAt" | "payload" | "attempts" | "recipient"
  >
>;

/**
 * Stores the outcome of a claimed notification, unless another sender has claimed it meanwhile.
 * @param effects statements about what a sent message changes, whoever has claimed it
 */
export async function updateClaimedNotification(
  db: Database,
  { id, claimedBy, now }: { id: number; claimedBy: string; now: string },
  outcome: NotificationOutcome,
  effects: Statement[],
): Promise<void> {
  await runBatch(db, [
    ...effects,
    ...(outcome.status === "failed" ? [insertFailureDeliveries(db, { id, claimedBy, now })] : []),
    db
      .update(notifications)
      .set({ ...outcome, claimedBy: null, claimedUntil: null })
      .where(equals(notifications, { id, claimedBy })),
  ]);
}
