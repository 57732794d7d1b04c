import { and, gt, isNotNull, type SQL, sql } from "drizzle-orm";
import { type Database, runBatch } from "../client";
import { bulkSends } from "../schema";
import { deleteUnsent, type Ended, isOld, stopBulkSends, unfinishedOf } from "./bulk-sends";
import { listed } from "./query-helpers";

/** Bulk sends, each with up to some hundreds of recipients, that one batch ends: others wait for it. */
const ENDED_AT_ONCE = 5;

async function idsOf(db: Database, where: SQL | undefined): Promise<number[]> {
  const query = db.select({ id: bulkSends.id }).from(bulkSends).where(where);
  const rows = await query.orderBy(bulkSends.id).limit(ENDED_AT_ONCE);
  return rows.map(({ id }) => id);
}

const isOneOf = (ids: readonly number[]) => sql`${bulkSends.id} in ${listed(ids)}`;

/**
 * Deletes what some bulk sends with a greater id, finished before this time, have not sent.
 * @returns the id of the last one, if there may be more
 */
export async function deleteSomeUnsent(
  db: Database,
  before: string,
  after: number,
): Promise<number | undefined> {
  const ids = await idsOf(db, and(gt(bulkSends.id, after), isOld(before), isNotNull(bulkSends.envelope)));
  await runBatch(db, deleteUnsent(db, isOneOf(ids)));
  return ids.length === ENDED_AT_ONCE ? ids.at(-1) : undefined;
}

/** Ends so many of the bulk sends that `stopBulkSends` has only a few left, in turn with others. */
export async function stopManyBulkSends(
  db: Database,
  of: Ended,
  { now, takeTurn }: { now: string; takeTurn: (() => Promise<unknown>) | undefined },
): Promise<void> {
  while (takeTurn) {
    const ids = await idsOf(db, unfinishedOf(of));
    if (ids.length < ENDED_AT_ONCE) return;
    await takeTurn();
    await runBatch(db, stopBulkSends(db, "bulk_send_stopped", now, { ...of, ids }));
  }
}
