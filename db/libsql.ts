import { fileURLToPath } from "node:url";
import { createClient } from "@libsql/client";
import { drizzle } from "drizzle-orm/libsql";
import { migrate } from "drizzle-orm/libsql/migrator";
import type { Database } from "./client";
import * as schema from "./schema";

export type LibsqlDatabase = { db: Database; migrate(): Promise<void>; close(): void };

/**
 * Opens a libSQL database: a `file:` URL, `:memory:`, a sqld server or Turso. Writers wait up to five
 * seconds for each other.
 */
export async function openLibsql(options: { url: string; authToken?: string }): Promise<LibsqlDatabase> {
  const client = createClient({ ...options, timeout: 5000 });
  if (options.url.startsWith("file:")) {
    await client.execute("PRAGMA journal_mode=WAL");
  }
  const db = drizzle(client, { schema, casing: "snake_case" });
  return {
    db,
    migrate: () => migrate(db, { migrationsFolder: fileURLToPath(new URL("./migrations", import.meta.url)) }),
    close: () => client.close(),
  };
}
