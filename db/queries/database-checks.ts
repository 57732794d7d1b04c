import { sql } from "drizzle-orm";
import type { Database } from "../client";
import { jobRuns } from "../schema";

/** Resolves once the database has answered. */
export async function ping(db: Database): Promise<void> {
  await db.run(sql`select 1`);
}

/** Resolves once the database has accepted a write that changes no row. Fails if it is read-only or locked. */
export async function tryWriting(db: Database): Promise<void> {
  await db.update(jobRuns).set({ hour: "" }).where(sql`0`);
}
