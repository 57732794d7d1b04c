import { type SQL, sql } from "drizzle-orm";
import type { ListQuery } from "../../worker/contract/fields";
import { LIMITS } from "../../worker/contract/limits";
import type { Role } from "../../worker/contract/options";
import type { Database } from "../client";
import { workspaceMembers } from "../schema";
import type { Json } from "./json-row";
import { HAS_ROLE, type Member, type ScopedTable } from "./members";
import { prepared } from "./statements";

/** Rows of a list, and the cursor of the next page; null if this is the last one. */
export type Page<Row> = { rows: Row[]; next: number | null };
/** With the number of bytes read for each row. */
type MeasuredPage<Row> = Page<Row> & { bytes: number[] };

/** The caller's memberships, as rows `me`: the part of a query after FROM. */
type Memberships = { memberships: SQL };

type ListParts<Summary> = {
  joins?: SQL;
  filters?: Record<string, Filter>;
  /** Aggregates over the whole list, whatever the page. */
  summary?: Json<Summary>;
  /** JSON that is read with the page, in its statement. */
  version?: (parts: Memberships) => SQL;
};

type Filter = {
  /**
   * The subquery for the id of the newest row of the filtered list before another one, or NULL.
   */
  newest(parts: Memberships & { before: SQL }): SQL;
  /** The rows of its summary; without it, the filtered list has none. */
  where?: SQL;
  /** A table expression, of at least one row more than a page has, for `newest` to read. */
  with?(parts: Memberships & { before: SQL }): SQL;
};

/** `summarize` and `filter` ask for the summary and a filter, and give the values of their placeholders. */
type ListCall = ListQuery & {
  summarize?: Record<string, unknown>;
  filter?: { by: string; values: Record<string, unknown> };
};

/**
 * A page of the rows in the workspaces in which the caller has the role, newest first, with at most `LIMITS.pageMax` rows and `LIMITS.pageBytes`.
 * A larger row is a page by itself. What does not fit is not read: the longest rows of a page would not fit into a
 * Worker's memory. The query is recursive: each step finds the next older row by its index, and the steps end when the
 * page is full. A final row without content means that there are more.
 */
export function scopedList<Row, Summary = never>(
  table: ScopedTable,
  row: Json<Row>,
  { joins = sql``, summary, filters = {}, version }: ListParts<Summary> = {},
): (
  db: Database,
  member: Member,
  call: ListCall,
) => Promise<MeasuredPage<Row> & { summary: Summary | null; version: unknown }> {
  const queriesFor = (role: Role, byWorkspace: boolean) => {
    const scope = { role, byWorkspace };
    const queryFor = (filter?: Filter) => ({
      page: prepared((db) => pageQuery(db, table, row, { joins, filter, version }, scope)),
      summarized:
        filter && !filter.where
          ? undefined
          : prepared((db) => pageQuery(db, table, row, { joins, summary, filter, version }, scope)),
    });
    const filtered = Object.entries(filters).map(([name, filter]) => [name, queryFor(filter)] as const);
    return { ...queryFor(), filtered: new Map(filtered) };
  };
  const scopesFor = (role: Role) => ({
    inAll: queriesFor(role, false),
    inWorkspace: queriesFor(role, true),
  });
  const scopes = { owner: scopesFor("owner"), member: scopesFor("member"), viewer: scopesFor("viewer") };

  return async (db, member, call) => {
    const { limit, cursor, summarize, filter } = call;
    const { userId, workspaceId } = valuesOf(member, call);
    const { inAll, inWorkspace } = scopes[member.role];
    const queries = workspaceId === undefined ? inAll : inWorkspace;
    const { page, summarized } = (filter && queries.filtered.get(filter.by)) ?? queries;
    const isSummarized = summarize !== undefined && summarized !== undefined;
    const before = cursor ?? Number.MAX_SAFE_INTEGER;
    const found = await (isSummarized ? summarized : page)(db).all({
      userId,
      workspaceId,
      limit: limit ?? LIMITS.pageMax,
      before,
      ...summarize,
      ...filter?.values,
    });
    const beside = isSummarized || version ? found.pop()?.beside : undefined;
    const [totals, versions]: unknown[] = beside ? JSON.parse(beside) : [];
    const fits = found.filter(
      ({ row, total }, index) => row !== null && (index === 0 || total <= LIMITS.pageBytes),
    );
    const isLast = fits.length === found.length;
    return {
      rows: fits.map(({ row }) => row as Row),
      bytes: fits.map(({ total }, index) => total - (fits[index - 1]?.total ?? 0)),
      next: isLast ? null : (fits.at(-1)?.id ?? null),
      summary: totals && summary ? summary.read(totals) : null,
      version: versions ?? null,
    };
  };
}

/** The workspace of the list, undefined for all; nobody's if an API token may not use it. */
function valuesOf(member: Member, { workspaceId = member.workspaceId }: Pick<ListQuery, "workspaceId">) {
  const none = member.workspaceId !== undefined && member.workspaceId !== workspaceId;
  return { userId: none ? 0 : member.userId, workspaceId };
}

type Scope = { role: Role; byWorkspace: boolean };

const membershipsIn = ({ role, byWorkspace }: Scope) => {
  const workspace = byWorkspace ? sql` and me.workspace_id = ${sql.placeholder("workspaceId")}` : sql``;
  return sql`${workspaceMembers} as me where me.user_id = ${sql.placeholder("userId")}${HAS_ROLE[role]}${workspace}`;
};

/** Reads the `version` of a list without the list. */
export function scopedVersion(
  version: NonNullable<ListParts<unknown>["version"]>,
): (db: Database, member: Member, call: Pick<ListQuery, "workspaceId">) => Promise<unknown> {
  const queryFor = (scope: Scope) =>
    prepared((db) =>
      db
        .select({
          version: sql<string>`${version({ memberships: membershipsIn(scope) })}`.mapWith(JSON.parse),
        })
        .from(sql`(select 1)`)
        .limit(1)
        .prepare(),
    );
  const queriesFor = (role: Role) => ({
    inAll: queryFor({ role, byWorkspace: false }),
    inWorkspace: queryFor({ role, byWorkspace: true }),
  });
  const queries = {
    owner: queriesFor("owner"),
    member: queriesFor("member"),
    viewer: queriesFor("viewer"),
  };
  return async (db, member, call) => {
    const { userId, workspaceId } = valuesOf(member, call);
    const { inAll, inWorkspace } = queries[member.role];
    const [found] = await (workspaceId === undefined ? inAll : inWorkspace)(db).all({ userId, workspaceId });
    return found?.version;
  };
}

function pageQuery<Row>(
  db: Database,
  table: ScopedTable,
  row: Json<Row>,
  {
    joins,
    summary,
    filter,
    version,
  }: {
    joins: SQL;
    summary?: Json<unknown> | undefined;
    filter?: Filter | undefined;
    version: ListParts<unknown>["version"];
  },
  scope: Scope,
) {
  const memberships = membershipsIn(scope);
  // The newest row of each of the caller's workspaces by its index, and of these the newest.
  const newestOfAll: Filter["newest"] = ({ before }) =>
    sql`(select max((select max(own.id) from ${table} as own where own.workspace_id = me.workspace_id and own.id < ${before})) from ${memberships})`;
  const newestBefore = (before: SQL) =>
    sql`${table.id} = ${(filter?.newest ?? newestOfAll)({ memberships, before })}`;
  const fits = sql`page.count < ${sql.placeholder("limit")} and page.bytes + octet_length(page.row) < ${sql.raw(String(LIMITS.pageBytes))}`;
  const inScope = sql`${table.workspaceId} in (select me.workspace_id from ${memberships})${filter?.where ? sql` and ${filter.where}` : sql``}`;
  const totals = summary ? sql`(select ${summary.sql} from ${table} where ${inScope})` : sql`null`;
  const lastRow =
    summary || version
      ? sql`union all select 0, null, 0, json_array(json(${totals}), ${version?.({ memberships }) ?? sql`null`})`
      : sql``;
  const start = sql`${sql.placeholder("before")}`;
  const found = filter?.with ? sql`${filter.with({ memberships, before: start })},` : sql``;
  const pages = sql`(
    with recursive ${found} page(id, row, count, bytes) as (
      select ${table.id}, ${row.sql}, 1, 0 from ${table} ${joins} where ${newestBefore(start)}
      union all
      select ${table.id}, case when ${fits} then ${row.sql} end, page.count + 1, page.bytes + octet_length(page.row)
      from page cross join ${table} on ${newestBefore(sql`page.id`)} ${joins} where page.row is not null
    ) select id, row, bytes + ifnull(octet_length(row), 0) as total, null as beside from page ${lastRow}
  )`;
  const read = (json: string): Row => row.read(JSON.parse(json));
  return db
    .select({
      id: sql<number>`id`,
      row: sql<Row | null>`row`.mapWith(read),
      total: sql<number>`total`,
      beside: summary || version ? sql<string | null>`beside` : sql<null>`null`,
    })
    .from(pages)
    .prepare();
}
