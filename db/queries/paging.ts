import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ListQuery } from "../../worker/contract/fields";
import { LIMITS } from "../../worker/contract/limits";
import type { Database } from "../client";
import type { Json } from "./json-row";
import { prepared } from "./prepared";

type ScopedTable = SQLiteTable & { id: SQLiteColumn; userId: SQLiteColumn; workspaceId: SQLiteColumn };

/** Rows of a list, and the cursor of the next page; null if this is the last one. */
export type Page<Row> = { rows: Row[]; next: number | null };

type ListParts<Summary> = {
  joins?: SQL;
  /** Aggregates over the whole list, whatever the page. */
  summary?: Json<Summary>;
};

/** `summarize` asks for the summary and gives the values of its placeholders. */
type ListCall = ListQuery & { summarize?: Record<string, unknown> };

/**
 * A list of the caller's own rows, newest first, in pages of at most `LIMITS.pageMax` rows and `LIMITS.pageBytes`. A
 * larger row is a page by itself. SQLite reads row by row and stops when the page is full, so it never holds more than
 * one page; a final row without content means that there are more.
 */
export function scopedList<Row, Summary = never>(
  table: ScopedTable,
  row: Json<Row>,
  { joins = sql``, summary }: ListParts<Summary> = {},
): (db: Database, userId: number, call: ListCall) => Promise<Page<Row> & { summary: Summary | null }> {
  const queryFor = (byWorkspace: boolean) => ({
    page: pageQuery(table, row, { joins }, byWorkspace),
    summarized: pageQuery(table, row, { joins, summary }, byWorkspace),
  });
  const inAccount = queryFor(false);
  const inWorkspace = queryFor(true);

  return async (db, userId, { workspaceId, limit = LIMITS.pageMax, cursor, summarize }) => {
    const { page, summarized } = workspaceId === undefined ? inAccount : inWorkspace;
    const before = cursor ?? Number.MAX_SAFE_INTEGER;
    const found = await (summarize ? summarized : page)(db).all({
      userId,
      workspaceId,
      limit,
      before,
      ...summarize,
    });
    const totals = summarize && found.pop()?.summary;
    const fits = found.filter(
      ({ row, total }, index) => row !== null && (index === 0 || total <= LIMITS.pageBytes),
    );
    const isLast = fits.length === found.length;
    return {
      rows: fits.map(({ row }) => row as Row),
      next: isLast ? null : (fits.at(-1)?.id ?? null),
      summary: totals && summary ? summary.read(JSON.parse(totals)) : null,
    };
  };
}

function pageQuery<Row>(
  table: ScopedTable,
  row: Json<Row>,
  { joins, summary }: { joins: SQL; summary?: Json<unknown> | undefined },
  byWorkspace: boolean,
) {
  const workspace = byWorkspace ? sql`and ${table.workspaceId} = ${sql.placeholder("workspaceId")}` : sql``;
  const inScope = sql`${table.userId} = ${sql.placeholder("userId")} ${workspace}`;
  const newestBefore = (id: SQL) =>
    sql`${table.id} = (select max(${table.id}) from ${table} where ${inScope} and ${table.id} < ${id})`;
  const fits = sql`page.count < ${sql.placeholder("limit")} and page.bytes + octet_length(page.row) < ${sql.raw(String(LIMITS.pageBytes))}`;
  const summaryRow = summary
    ? sql`union all select 0, null, 0, (select ${summary.sql} from ${table} where ${inScope})`
    : sql``;
  const pages = sql`(
    with recursive page(id, row, count, bytes) as (
      select ${table.id}, ${row.sql}, 1, 0 from ${table} ${joins} where ${newestBefore(sql`${sql.placeholder("before")}`)}
      union all
      select ${table.id}, case when ${fits} then ${row.sql} end, page.count + 1, page.bytes + octet_length(page.row)
      from page cross join ${table} on ${newestBefore(sql`page.id`)} ${joins} where page.row is not null
    ) select id, row, bytes + ifnull(octet_length(row), 0) as total, null as summary from page ${summaryRow}
  )`;
  const read = (json: string): Row => row.read(JSON.parse(json));
  return prepared((db) =>
    db
      .select({
        id: sql<number>`id`,
        row: sql<Row | null>`row`.mapWith(read),
        total: sql<number>`total`,
        summary: summary ? sql<string | null>`summary` : sql<null>`null`,
      })
      .from(pages)
      .prepare(),
  );
}
