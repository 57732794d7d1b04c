import { and, eq, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { conflictOf } from "../errors";
import { idempotencyKeys } from "../schema";

type Claim = {
  key: string;
  requestHash: string;
  now: string;
  expiredBefore: string;
  /** A call that began before this time and has no response has ended without one. */
  interruptedBefore: string;
  max: number;
};
export type KeyedAnswer = Pick<typeof idempotencyKeys.$inferSelect, "requestHash" | "status" | "body">;

/**
 * Claims the key for a call that is about to run, in one statement: of concurrent calls, one succeeds. An expired key
 * can be claimed again, and so can that of a call that was interrupted, for example because the server was killed.
 * @returns whether it was claimed; false if it is in use, or if the account already has `max` keys
 */
export async function claimIdempotencyKey(db: Database, userId: number, claim: Claim): Promise<boolean> {
  const { key, requestHash, now, expiredBefore, interruptedBefore, max } = claim;
  const count = sql`(select count(*) from ${idempotencyKeys} where ${idempotencyKeys.userId} = ${userId})`;
  const rows = await db
    .insert(idempotencyKeys)
    .select(sql`select ${userId}, ${key}, ${requestHash}, null, null, ${now} where ${count} < ${max}`)
    .onConflictDoUpdate({
      target: [idempotencyKeys.userId, idempotencyKeys.key],
      set: { requestHash, status: null, body: null, createdAt: now },
      setWhere: or(
        lte(idempotencyKeys.createdAt, expiredBefore),
        and(isNull(idempotencyKeys.status), lte(idempotencyKeys.createdAt, interruptedBefore)),
      ),
    })
    .returning({ key: idempotencyKeys.key });
  return rows.length > 0;
}

/** Whether a key was not claimed because its account no longer exists. */
export const isKeyWithoutAccount = (error: unknown) => conflictOf(error)?.kind === "foreign key";

export async function findIdempotencyKey(
  db: Database,
  userId: number,
  key: string,
): Promise<KeyedAnswer | undefined> {
  return db.query.idempotencyKeys.findFirst({ where: own(userId, key) });
}

/** Records the response to the call that claimed the key. */
export async function recordKeyedAnswer(
  db: Database,
  userId: number,
  key: string,
  answer: { status: number; body: string },
): Promise<void> {
  await db.update(idempotencyKeys).set(answer).where(own(userId, key));
}

/** Releases the key, so that the call can run again. */
export async function deleteIdempotencyKey(db: Database, userId: number, key: string): Promise<void> {
  await db.delete(idempotencyKeys).where(own(userId, key));
}

/** The statement that deletes all accounts' keys that were claimed before this time. */
export const deleteExpiredKeys = (db: Database, before: string): Statement =>
  db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before));

const own = (userId: number, key: string) =>
  and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key));
