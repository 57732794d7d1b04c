import { sql } from "drizzle-orm";
import type { Database } from "../client";
import { instance } from "../schema";

const ROW = 1;

/** The id that the database shares with its file store; null if it has none yet. */
export async function findInstanceId(db: Database): Promise<string | null> {
  const [found] = await db.select({ id: instance.id }).from(instance);
  return found?.id ?? null;
}

/** Records the id unless the database has one. @returns the id that it has */
export async function insertInstanceId(db: Database, token: string): Promise<string> {
  await db.insert(instance).values({ row: ROW, id: token }).onConflictDoNothing();
  return (await findInstanceId(db)) ?? token;
}

export async function replaceInstanceId(db: Database, token: string): Promise<void> {
  await db
    .insert(instance)
    .values({ row: ROW, id: token })
    .onConflictDoUpdate({ target: instance.row, set: { id: sql`excluded.id` } });
}
