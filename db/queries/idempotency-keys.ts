import { and, eq, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { idempotencyKeys } from "../schema";
import { equals, hasRows } from "./query-helpers";

/** A call that has claimed a key. */
export type KeyClaim = { userId: number; key: string; claimedBy: string };
type NewClaim = {
  requestHash: string;
  now: string;
  expiredBefore: string;
  /** A call that began before this time and has created nothing has probably ended without a response. */
  interruptedBefore: string;
  max: number;
};
export type KeyedCall = typeof idempotencyKeys.$inferSelect;
export type KeyedRejection = { status: number; body: string };

/**
 * Claims the key for a call that is about to run, in one statement: of concurrent calls, one succeeds. An expired key
 * can be claimed again, and so can that of a call that was interrupted before it created anything, for example because
 * the server was killed.
 * @returns whether it was claimed; false if it is in use, or if the account already has `max` keys
 */
export function claimIdempotencyKey(
  db: Database,
  { userId, key, claimedBy }: KeyClaim,
  { requestHash, now, expiredBefore, interruptedBefore, max }: NewClaim,
): Promise<boolean> {
  const count = sql`(select count(*) from ${idempotencyKeys} where ${idempotencyKeys.userId} = ${userId})`;
  return hasRows(
    db
      .insert(idempotencyKeys)
      .select(
        sql`select ${userId}, ${key}, ${requestHash}, null, null, ${now}, ${claimedBy}, null where ${count} < ${max}`,
      )
      .onConflictDoUpdate({
        target: [idempotencyKeys.userId, idempotencyKeys.key],
        set: { requestHash, status: null, body: null, createdAt: now, claimedBy, resource: null },
        setWhere: or(
          lte(idempotencyKeys.createdAt, expiredBefore),
          and(
            equals(idempotencyKeys, { status: null, resource: null }),
            lte(idempotencyKeys.createdAt, interruptedBefore),
          ),
        ),
      })
      .returning({ key: idempotencyKeys.key }),
  );
}

export const findIdempotencyKey = (db: Database, userId: number, key: string) =>
  db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)))
    .get();

/**
 * Records what a call creates, for the batch that creates it; the default is the row that the statement before has
 * inserted. A repetition then returns it. If another call has claimed the key
 * meanwhile, or something was created already, the hash is NULL, which violates NOT NULL and fails the whole batch.
 * @returns no statement for a call without a key
 */
export function recordKeyedResource(
  db: Database,
  claim: KeyClaim | undefined,
  resource: string | SQL<string | number | null> = sql<number>`last_insert_rowid()`,
): Statement[] {
  if (!claim) return [];
  const requestHash = sql`(select ${idempotencyKeys.requestHash} from ${idempotencyKeys} where ${unused(claim)})`;
  // The row exists if the hash is not NULL, so that only the resource is written.
  const insert = db.insert(idempotencyKeys).values({ ...claim, requestHash, createdAt: "", resource });
  return [
    insert.onConflictDoUpdate({
      target: [idempotencyKeys.userId, idempotencyKeys.key],
      set: { resource: sql`excluded.resource` },
    }),
  ];
}

/** The statement that adds a number to what `recordKeyedResource` has recorded before it in the batch. */
export const appendToKeyedResource = (
  db: Database,
  claim: KeyClaim | undefined,
  value: SQL<number>,
): Statement[] =>
  claim
    ? [
        db
          .update(idempotencyKeys)
          .set({ resource: sql`${idempotencyKeys.resource} || ' ' || ${value}` })
          .where(claimed(claim)),
      ]
    : [];

/** Whether a batch failed because the call can no longer create anything, see `recordKeyedResource`. */
export const isKeyLost = (error: unknown) => violates(error, "not null", idempotencyKeys.requestHash);

/** Records the response to a call that has created nothing, unless another one has claimed the key. */
export async function recordKeyedRejection(
  db: Database,
  claim: KeyClaim,
  rejection: KeyedRejection,
): Promise<void> {
  await db.update(idempotencyKeys).set(rejection).where(unused(claim));
}

/** Releases the key, so that the call can run again, unless it has created something. */
export async function releaseIdempotencyKey(db: Database, claim: KeyClaim): Promise<void> {
  await db.delete(idempotencyKeys).where(unused(claim));
}

const claimed = ({ userId, key, claimedBy }: KeyClaim) => equals(idempotencyKeys, { userId, key, claimedBy });

const unused = (claim: KeyClaim) => and(claimed(claim), isNull(idempotencyKeys.resource));
