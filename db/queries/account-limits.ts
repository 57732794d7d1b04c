import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { violates } from "../errors";
import { contacts, envelopes, templates, workspaces } from "../schema";

type OwnedTable = SQLiteTable & { userId: SQLiteColumn };

/**
 * The caller's id while the account has fewer than `max` rows in the table. After that NULL, which no row may have as
 * its owner: the insert fails, however many run at once.
 * @param owner the id as a guard that may be NULL, too
 */
export const ownerWithRoom = (
  table: OwnedTable,
  userId: number,
  max: number,
  owner: number | SQL<number> = userId,
) =>
  sql<number>`case when (select count(*) from ${table} where ${table.userId} = ${userId}) < ${max} then ${owner} end`;

/** Whether a row was not inserted because the account of `ownerWithRoom` has the most it may have. */
export const isAccountFull = (error: unknown) =>
  [workspaces, contacts, templates, envelopes].some(({ userId }) => violates(error, "not null", userId));
