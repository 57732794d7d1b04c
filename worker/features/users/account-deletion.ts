import { runBatch, type Statement } from "../../../db/client";
import {
  closeUser,
  deleteOwnEnvelopes,
  deleteUser,
  listOwnEnvelopes,
} from "../../../db/queries/account-deletion";
import type { Dependencies } from "../../dependencies";

/** Envelopes that one batch deletes, during which nobody else is served. */
const PART = 50;

type DeletionDependencies = Pick<Dependencies, "db" | "clock">;

/**
 * The statements that delete an account. One with many envelopes they only close, and mark as deleted:
 * `continueDeletion` deletes its rows.
 */
export async function accountDeletion(
  { db, clock }: DeletionDependencies,
  userId: number,
): Promise<Statement[]> {
  const now = clock.now().toISOString();
  const found = await listOwnEnvelopes(db, userId, PART);
  return found.length < PART
    ? deleteUser(db, userId, now)
    : closeUser(db, userId, { disabledAt: now, deletedAt: now });
}

/** Deletes some rows of an account that is marked as deleted, at last the account. @returns whether there are more */
export async function continueDeletion(
  { db, clock }: DeletionDependencies,
  userId: number,
): Promise<boolean> {
  const now = clock.now().toISOString();
  const found = await listOwnEnvelopes(db, userId, PART);
  const isLast = found.length < PART;
  const ids = found.map(({ id }) => id);
  await runBatch(db, isLast ? deleteUser(db, userId, now) : deleteOwnEnvelopes(db, userId, { ids, now }));
  return !isLast;
}
