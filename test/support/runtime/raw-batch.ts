import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client";

/** A batch of raw statements with parameters. @returns the names of the error's class where it fails */
export async function runRawBatch(db: Pick<Database, "batch" | "all">): Promise<unknown> {
  try {
    const [first, second] = await db.batch([
      db.all<{ sum: number }>(sql`select ${1} + ${2} as sum`),
      db.all<{ text: string }>(sql`select ${"a"} || ${"b"} as text`),
    ]);
    return [first[0]?.sum, second[0]?.text];
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}
