import { sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ListQuery } from "../../worker/contract/fields";
import { LIMITS } from "../../worker/contract/limits";
import type { Database } from "../client";
import type { Json } from "./json-row";
import { prepared } from "./prepared";

type ScopedTable = SQLiteTable & { id: SQLiteColumn; userId: SQLiteColumn; workspaceId: SQLiteColumn };

/** Rows of a list, and the cursor of the next page; null if this is the last one. */
export type Page<Row> = { rows: Row[]; next: number | null };

type Scope = { userId: number; workspaceId?: number; limit: number; before: number };

/**
 * A list of the caller's own rows, newest first, in pages of at most `LIMITS.pageMax` rows and `LIMITS.pageBytes`.
 * A larger row is a page by itself. SQLite goes from row to row and stops where the page is full, so that it never
 * holds more than a page; a last row without content tells that there are more.
 */
export function scopedList<Row>(
  table: ScopedTable,
  row: Json<Row>,
  joins = sql``,
): (db: Database, userId: number, query: ListQuery) => Promise<Page<Row>> {
  const inAccount = pageQuery(table, row, joins, false);
  const inWorkspace = pageQuery(table, row, joins, true);

  return async (db, userId, { workspaceId, limit = LIMITS.pageMax, cursor }) => {
    const scope: Scope = { userId, limit, before: cursor ?? Number.MAX_SAFE_INTEGER, workspaceId };
    const found = await (workspaceId === undefined ? inAccount : inWorkspace)(db).all(scope);
    const fits = found.filter(
      ({ row, total }, index) => row !== null && (index === 0 || total <= LIMITS.pageBytes),
    );
    const isLast = fits.length === found.length;
    return { rows: fits.map(({ row }) => row as Row), next: isLast ? null : (fits.at(-1)?.id ?? null) };
  };
}

function pageQuery<Row>(
  table: ScopedTable,
  row: Json<Row>,
  joins: ReturnType<typeof sql>,
  byWorkspace: boolean,
) {
  const workspace = byWorkspace ? sql`and ${table.workspaceId} = ${sql.placeholder("workspaceId")}` : sql``;
  const newestBefore = (id: ReturnType<typeof sql>) =>
    sql`${table.id} = (select max(${table.id}) from ${table} where ${table.userId} = ${sql.placeholder("userId")} ${workspace} and ${table.id} < ${id})`;
  const hasRoom = sql`page.count < ${sql.placeholder("limit")} and page.bytes + octet_length(page.row) < ${sql.raw(String(LIMITS.pageBytes))}`;
  const pages = sql`(
    with recursive page(id, row, count, bytes) as (
      select ${table.id}, ${row.sql}, 1, 0 from ${table} ${joins} where ${newestBefore(sql`${sql.placeholder("before")}`)}
      union all
      select ${table.id}, case when ${hasRoom} then ${row.sql} end, page.count + 1, page.bytes + octet_length(page.row)
      from page cross join ${table} on ${newestBefore(sql`page.id`)} ${joins} where page.row is not null
    ) select id, row, bytes + ifnull(octet_length(row), 0) as total from page
  )`;
  const read = (json: string): Row => row.read(JSON.parse(json));
  return prepared((db) =>
    db
      .select({ id: sql<number>`id`, row: sql<Row | null>`row`.mapWith(read), total: sql<number>`total` })
      .from(pages)
      .prepare(),
  );
}
