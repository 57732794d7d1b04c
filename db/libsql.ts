import { fileURLToPath } from "node:url";
import { createClient } from "@libsql/client";
import { drizzle } from "drizzle-orm/libsql";
import { migrate } from "drizzle-orm/libsql/migrator";
import type { Database } from "./client";
import { openDatabaseFile } from "./libsql-file";
import * as schema from "./schema";

export type LibsqlDatabase = {
  db: Database;
  migrate(): Promise<void>;
  /** Writes a file's journal into it and empties it: what was deleted may still stand there. */
  emptyJournal(): Promise<void>;
  close(): void;
};

/**
 * Opens a libSQL database: a `file:` URL, `:memory:`, a sqld server or Turso. Writers wait up to five
 * seconds for each other.
 */
export async function openLibsql(options: { url: string; authToken?: string }): Promise<LibsqlDatabase> {
  const path = pathOfFile(options.url);
  const client = path === null ? createClient({ ...options, fetch: fetchInTime }) : openDatabaseFile(path);
  if (path !== null) await besideOthers(() => client.execute("PRAGMA journal_mode=WAL"));
  const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));
  const db = drizzle(client, { schema, casing: "snake_case" });
  return {
    db,
    migrate: () => besideOthers(() => migrate(db, { migrationsFolder })),
    async emptyJournal() {
      if (path !== null) await client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    },
    close: () => client.close(),
  };
}

/** Longer than the slowest statement takes; without it a server that falls silent is waited for without end. */
const ANSWER_MS = 20_000;

const fetchInTime = (request: Request) => fetch(request, { signal: AbortSignal.timeout(ANSWER_MS) });

/** The path that a `file:` URL names as libSQL reads it, relative ones as well; null where it names no file. */
export function pathOfFile(url: string): string | null {
  const path = /^file:(?:\/\/[^/?]*)?([^?]*)/i.exec(url)?.[1];
  return path === undefined || path === ":memory:" ? null : decodeURIComponent(path);
}

const TRIES = 40;
const PAUSE_MS = 100;

/**
 * Does what servers that start at once get into each other's way with: the change of the journal, which waits for
 * nobody, and the making of tables, which the slower finds made.
 */
async function besideOthers<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const inTheWay = /SQLITE_BUSY|database is locked|already exists/i.test(
        String(error) + String(error instanceof Error ? error.cause : ""),
      );
      if (!inTheWay || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
