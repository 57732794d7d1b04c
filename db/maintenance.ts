import { type SQL, sql } from "drizzle-orm";
import { type Database, runBatch, type Statement } from "./client";
import { isDatabaseBusy } from "./errors";
import { emptySearchIndex } from "./queries/search";
import { contacts, envelopeTexts, templates } from "./schema";

/** Database maintenance for the operator commands; the app itself never uses these. */

/** Copies the database as of one point in time into a new file while others keep writing. */
export async function copyDatabase(db: Database, path: string): Promise<void> {
  await db.run(sql`vacuum into ${path}`);
}

/** The bytes of its file. */
export async function databaseBytes(db: Database): Promise<number> {
  const [pages] = await db.all<{ page_count: number }>(sql`pragma page_count`);
  const [page] = await db.all<{ page_size: number }>(sql`pragma page_size`);
  return (pages?.page_count ?? 0) * (page?.page_size ?? 0);
}

/**
 * Merges the write-ahead log into the database file and leaves WAL mode. @returns false if another process has the
 * database open
 */
export async function closeJournal(db: Database): Promise<boolean> {
  const [row] = await db.all<{ journal_mode: string }>(sql`pragma journal_mode = delete`);
  return row?.journal_mode === "delete";
}

/** Whether no other process has the database file open. */
export async function isOpenOnlyHere(db: Database): Promise<boolean> {
  try {
    if (!(await closeJournal(db))) return false;
    await db.run(sql`pragma journal_mode = wal`);
    return true;
  } catch (error) {
    if (isDatabaseBusy(error)) return false;
    throw error;
  }
}

/** The problems that SQLite's integrity checks report, one line each. */
export async function listIntegrityErrors(db: Database): Promise<string[]> {
  const found = await db.all<{ integrity_check: string }>(sql`pragma integrity_check(10)`);
  const orphans = await db.all<{ table: string; parent: string }>(sql`pragma foreign_key_check`);
  return [
    ...found.map((row) => row.integrity_check).filter((text) => text !== "ok"),
    ...orphans
      .slice(0, 10)
      .map(({ table, parent }) => `a row of ${table} points to one of ${parent} that does not exist`),
  ];
}

/** The journal mode: `wal` lets readers and writers work at the same time. */
export async function journalMode(db: Database): Promise<string> {
  const [row] = await db.all<{ journal_mode: string }>(sql`pragma journal_mode`);
  return row?.journal_mode ?? "";
}

/** Runs the statements as one batch without the triggers that match. */
export async function runWithoutTriggers(db: Database, which: SQL, statements: Statement[]): Promise<void> {
  const triggers = await db.all<{ name: string; sql: string }>(
    sql`select name, sql from sqlite_master where type = 'trigger' and ${which}`,
  );
  await runBatch(db, [
    ...triggers.map((trigger) => db.run(sql`drop trigger ${sql.identifier(trigger.name)}`)),
    ...statements,
    ...triggers.map((trigger) => db.run(sql.raw(trigger.sql))),
  ]);
}

/** Takes the write lock and changes nothing. Fails if the database is not writable. */
export async function tryWriteLock(db: Database): Promise<void> {
  await db.run(sql`update users set id = id where 0`);
}

/**
 * Empties the full-text index and has every envelope indexed again, by the schedule and before searches, and the texts
 * that contacts and templates are found by computed again, by the schedule. @returns how many envelopes there are
 */
export async function resetSearchIndex(db: Database): Promise<number> {
  // Triggers would remove each row's words from the index, which is damaged.
  await runWithoutTriggers(db, sql`tbl_name = 'envelope_texts'`, [
    db.run(
      sql`insert into envelope_texts select id, workspace_id, '[]', 1, null from envelopes where true on conflict do update set workspace_id = excluded.workspace_id, texts = '[]', stale = 1, block = null`,
    ),
    emptySearchIndex(db),
    db.update(contacts).set({ filterText: null }),
    db.update(templates).set({ filterText: null }),
  ]);
  return db.$count(envelopeTexts);
}
