import { sql } from "drizzle-orm";
import type { Database } from "../client";
import { instance, jobRuns } from "../schema";

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

/** Gives the database another id. The one that it had becomes an earlier one. */
export async function replaceInstanceId(db: Database, token: string): Promise<void> {
  const earlier = await listInstanceIds(db);
  await db
    .insert(instance)
    .values({ row: ROW, id: token, earlierIds: earlier })
    .onConflictDoUpdate({ target: instance.row, set: { id: token, earlierIds: earlier } });
}

/** The id of the instance, and then the earlier ones. */
export async function listInstanceIds(db: Database): Promise<string[]> {
  const [found] = await db.select().from(instance);
  return found ? [found.id, ...found.earlierIds] : [];
}

/** Records the ids of an instance whose archive was restored or imported. */
export async function addEarlierInstances(db: Database, instances: readonly string[]): Promise<void> {
  const [id, ...earlier] = await listInstanceIds(db);
  const earlierIds = [...new Set([...earlier, ...instances])].filter((known) => known !== id);
  await db.update(instance).set({ earlierIds });
}

/** Resolves once the database has answered. */
export async function ping(db: Database): Promise<void> {
  await db.run(sql`select 1`);
}

/** Resolves once the database has accepted a write that changes no row. Fails if it is read-only or locked. */
export async function tryWriting(db: Database): Promise<void> {
  await db.update(jobRuns).set({ hour: "" }).where(sql`0`);
}
