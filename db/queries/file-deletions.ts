import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../client";
import { envelopes, fileDeletions, submissions, users } from "../schema";
import { listed, valuesOf } from "./query-helpers";

/** The columns of `file_deletions` for a finished file. */
export const deletionColumns = <Key>(key: Key, now: string) => ({
  key,
  removedAt: sql`${now}`.as("removed_at"),
  storeState: sql`null`.as("store_state"),
});

/** The key of the picture that the column has the address of. */
export const keyIn = (url: SQLiteColumn) => sql`substr(${url}, ${"/uploads/".length + 1})`.as("key");

/** Records the files of these envelopes for deletion, in the batch that deletes their rows. */
export function insertSubmissionDeletions(db: Database, which: SQL | undefined, now: string): Statement {
  const chosen = valuesOf(envelopes.id, which);
  const files = db
    .select(deletionColumns(submissions.filePath, now))
    .from(submissions)
    .where(inArray(submissions.envelopeId, chosen));
  return db.insert(fileDeletions).select(files).onConflictDoNothing();
}

/** Records files without a row for deletion. */
export const insertFileDeletions = (db: Database, keys: readonly string[], now: string): Statement =>
  db
    .insert(fileDeletions)
    .select(sql`select value, ${now}, null from json_each(${JSON.stringify(keys)}) where 1`)
    .onConflictDoNothing();

/** Records the account's current picture for deletion, in the batch that replaces it. */
export function insertAvatarDeletion(db: Database, userId: number, now: string): Statement {
  const picture = db
    .select(deletionColumns(keyIn(users.avatarUrl), now))
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.avatarUrl)));
  return db.insert(fileDeletions).select(picture).onConflictDoNothing();
}

/** The keys of files to delete, with the store's id of unfinished uploads. */
export const listFileDeletions = (db: Database, limit: number) =>
  db
    .select({ key: fileDeletions.key, storeState: fileDeletions.storeState })
    .from(fileDeletions)
    .limit(limit);

export async function deleteFileDeletions(db: Database, keys: string[]): Promise<void> {
  const deletedKeys = listed(keys);
  await db.delete(fileDeletions).where(inArray(fileDeletions.key, deletedKeys));
}
