import { and, desc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { LIMITS, SERVER_LIMITS } from "../../worker/contract/limits";
import type { Database, Statement } from "../client";
import { signIns } from "../schema";
import type { Page } from "./paging";
import { pageOf } from "./query-helpers";

export type NewSignIn = Omit<typeof signIns.$inferInsert, "id" | "userId"> & { userId: number | SQL<number> };

/** Statements that record an attempt, and delete the account's oldest ones with the same outcome if it has too many. */
export function insertSignIn(db: Database, signIn: NewSignIn): Statement[] {
  const sameOutcome = and(eq(signIns.userId, signIn.userId), eq(signIns.succeeded, signIn.succeeded));
  const surplus = sql`(select id from ${signIns} where ${sameOutcome} order by id desc limit 1 offset ${SERVER_LIMITS.signInsPerAccount})`;
  return [
    db.insert(signIns).values(signIn),
    db.delete(signIns).where(and(sameOutcome, sql`${signIns.id} <= ${surplus}`)),
  ];
}

/** The account's attempts since then, the latest first. */
export async function listSignIns(
  db: Database,
  userId: number,
  {
    since,
    limit = LIMITS.pageMax,
    cursor,
  }: { since: string; limit?: number | undefined; cursor?: number | undefined },
): Promise<Page<typeof signIns.$inferSelect, number>> {
  return pageOf(
    db
      .select()
      .from(signIns)
      .where(
        and(
          eq(signIns.userId, userId),
          gte(signIns.at, since),
          cursor === undefined ? undefined : lt(signIns.id, cursor),
        ),
      )
      .orderBy(desc(signIns.id)),
    limit,
  );
}
