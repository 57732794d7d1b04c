import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { envelopes, removedFiles, submissions, users } from "../schema";

/** Notes the files of the envelopes for removal, in the batch that takes their rows away. */
export function insertRemovedSubmissions(db: Database, which: SQL | undefined, now: string): Statement {
  const chosen = db.select({ id: envelopes.id }).from(envelopes).where(which);
  const files = db
    .select({
      key: submissions.filePath,
      removedAt: sql`${now}`.as("removed_at"),
      storeState: sql`null`.as("store_state"),
    })
    .from(submissions)
    .where(inArray(submissions.envelopeId, chosen));
  return db.insert(removedFiles).select(files).onConflictDoNothing();
}

/** Notes the picture that the account has now for removal, in the batch that replaces it. */
export function insertRemovedAvatar(db: Database, userId: number, now: string): Statement {
  const picture = db
    .select({
      key: sql`substr(${users.avatarUrl}, ${"/uploads/".length + 1})`.as("key"),
      removedAt: sql`${now}`.as("removed_at"),
      storeState: sql`null`.as("store_state"),
    })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.avatarUrl)));
  return db.insert(removedFiles).select(picture).onConflictDoNothing();
}

/** The names of files that are still to be removed from the store. */
export async function listRemovedFiles(db: Database, limit: number): Promise<string[]> {
  const rows = await db.select({ key: removedFiles.key }).from(removedFiles).limit(limit);
  return rows.map(({ key }) => key);
}

/** Forgets files that the store has removed. */
export async function deleteRemovedFiles(db: Database, keys: string[]): Promise<void> {
  const gone = sql`(select value from json_each(${JSON.stringify(keys)}))`;
  await db.delete(removedFiles).where(inArray(removedFiles.key, gone));
}
