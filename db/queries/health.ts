import { sql } from "drizzle-orm";
import type { Database } from "../client";

/** Resolves once the database has answered. */
export async function ping(db: Database): Promise<void> {
  await db.run(sql`select 1`);
}
