import { sql } from "drizzle-orm";
import type { Database } from "./client";

/** Database maintenance for the operator commands; the app itself never uses these. */

/** Copies the database as of one moment into a new file while others keep writing. */
export async function copyDatabase(db: Database, path: string): Promise<void> {
  await db.run(sql`vacuum into ${path}`);
}

/**
 * Merges the write-ahead log into the database file and leaves WAL mode. @returns false if another process has the
 * database open
 */
export async function closeJournal(db: Database): Promise<boolean> {
  const [row] = await db.all<{ journal_mode: string }>(sql`pragma journal_mode = delete`);
  return row?.journal_mode === "delete";
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

/** Takes the write lock and changes nothing. Fails if the database is not writable. */
export async function tryWriteLock(db: Database): Promise<void> {
  await db.run(sql`update users set id = id where 0`);
}
