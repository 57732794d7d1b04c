import type { Client } from "@libsql/client";
import { drizzle } from "drizzle-orm/libsql/sqlite3";
import type { Database } from "../client";
import { instance } from "../schema";
import { openServerSnapshot } from "../server-client";
import { insertRows, readLastIds, readPages, writeLastIds } from "./rows";
import { ARCHIVED_TABLES } from "./tables";

/**
 * Copies the rows of a libSQL server as of one point in time into an empty, migrated database, while others keep writing. All
 * reads are in one read transaction, which locks nothing. The server ends it if it is not used for ten seconds, so each
 * page of rows is written before the next is read. Each waits for `beforePage`.
 */
export async function copyServerRows(
  source: { url: string; authToken?: string },
  target: Database,
  beforePage: () => Promise<void> = async () => {},
): Promise<void> {
  const snapshot = await openServerSnapshot(source);
  try {
    // Of a client, single queries call only `execute`.
    const rows: Database = drizzle(snapshot as unknown as Client, { casing: "snake_case" });
    for (const table of Object.values(ARCHIVED_TABLES))
      for await (const page of readPages(rows, table)) {
        await beforePage();
        await insertRows(target, table, page);
      }
    await insertRows(target, instance, await rows.select().from(instance));
    await writeLastIds(target, await readLastIds(rows));
  } finally {
    snapshot.close();
  }
}
