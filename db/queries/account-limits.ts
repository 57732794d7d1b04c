import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { violates } from "../errors";
import { contacts, envelopes, templates, workspaces } from "../schema";

type OwnedTable = SQLiteTable & { userId: SQLiteColumn };

/**
 * The caller's id while the account has fewer than `max` rows in the table. Otherwise NULL, which violates NOT NULL:
 * the insert fails, even if many run concurrently.
 * @param owner the id as an expression that may itself be NULL, such as `unchangedAccount`
 */
export const ownerBelowLimit = (
  table: OwnedTable,
  userId: number,
  max: number,
  owner: number | SQL<number> = userId,
) =>
  sql<number>`case when (select count(*) from ${table} where ${table.userId} = ${userId}) < ${max} then ${owner} end`;

/** Whether a row was not inserted because the account already has the maximum number of rows, see `ownerBelowLimit`. */
export const isAccountFull = (error: unknown) =>
  [workspaces, contacts, templates, envelopes].some(({ userId }) => violates(error, "not null", userId));
