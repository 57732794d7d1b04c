import { fileURLToPath, pathToFileURL } from "node:url";
import type { Client } from "@libsql/client";
import { migrate } from "drizzle-orm/libsql/migrator";
import { drizzle } from "drizzle-orm/libsql/sqlite3";
import { retry } from "../worker/lib/retry";
import type { Database } from "./client";
import { openFileClient } from "./file-client";
import type { SqlClient } from "./sql-client";
import { requireMigratable } from "./version";

export type LibsqlDatabase = {
  db: Database;
  /**
   * Migrates the database, and calls `begins` before, if it has tables of an earlier version.
   * @throws SchemaError if another version, or another app, has created its tables
   */
  migrate(begins?: () => void): Promise<void>;
  /** Checkpoints and truncates the write-ahead log, which may still contain deleted data. */
  emptyJournal(): Promise<void>;
  close(): void;
};

/** Defined by a build, because its code is in another folder. */
declare const BUILT_MIGRATIONS: string | undefined;
const MIGRATIONS = fileURLToPath(
  new URL(typeof BUILT_MIGRATIONS === "string" ? BUILT_MIGRATIONS : "./migrations", import.meta.url),
);

type Options = {
  url: string;
  authToken?: string;
  /** How long a statement waits for a server's response. */
  responseMs?: number;
  /**
   * Opens a file that no process has open, and neither changes it nor creates files beside it. Opened otherwise, SQLite
   * creates a write-ahead log, which belongs to the user that runs this.
   */
  immutable?: boolean;
};

/**
 * Opens a libSQL database: a `file:` URL, an sqld server or Turso. Writers wait up to five seconds for
 * each other.
 */
export async function openLibsql({ immutable = false, ...options }: Options): Promise<LibsqlDatabase> {
  const path = pathOfFile(options.url);
  // Loaded when needed: a start that opens a file needs none of its modules.
  const openServer = path === null ? (await import("./server-client")).openServerClient : undefined;
  const client: SqlClient = openServer
    ? openServer(options)
    : openFileClient(immutable ? `${pathToFileURL(path ?? "").href}?immutable=1` : (path ?? ""));
  const pragma = (text: string) => client.execute({ sql: `PRAGMA ${text}`, args: [] });
  if (path !== null && !immutable) await retryWhileOthersStart(() => pragma("journal_mode=WAL"));
  // Drizzle calls no other method of a client.
  const db = drizzle(client as Client, { casing: "snake_case" });
  return {
    db,
    migrate: (begins = () => {}) =>
      retryWhileOthersStart(async () => {
        const state = await requireMigratable(db);
        if (state === "same") return;
        if (state === "older") begins();
        const patient = openServer?.({ ...options, responseMs: MIGRATION_MS });
        const migrated = patient ? drizzle(patient as Client) : db;
        await migrate(migrated, { migrationsFolder: MIGRATIONS }).finally(() => patient?.close());
      }),
    async emptyJournal() {
      if (path !== null) await pragma("wal_checkpoint(TRUNCATE)");
    },
    close: () => client.close(),
  };
}

/** The path of a `file:` URL as libSQL resolves it, relative ones included; null for any other URL. */
export function pathOfFile(url: string): string | null {
  const path = /^file:(?:\/\/[^/?]*)?([^?]*)/i.exec(url)?.[1];
  return path === undefined ? null : decodeURIComponent(path);
}

/** Changing a million rows takes a server minutes. */
const MIGRATION_MS = 60 * 60_000;
const TRIES = 40;
const PAUSE_MS = 100;

/**
 * Retries what fails when several servers start at once: switching to WAL, which does not wait for locks, and creating
 * tables that another server has just created.
 */
function retryWhileOthersStart<T>(work: () => Promise<T>): Promise<T> {
  return retry(work, (error, failures) => {
    const text = String(error) + String(error instanceof Error ? error.cause : "");
    return /SQLITE_BUSY|database is locked|already exists/i.test(text) && failures < TRIES ? PAUSE_MS : null;
  });
}
