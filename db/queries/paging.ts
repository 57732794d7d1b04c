import { type Placeholder, type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { LIMITS, SERVER_LIMITS } from "../../worker/contract/limits";
import { DEFAULT_SORT, type NameSort, sortState } from "../../worker/contract/list-orders";
import { foldedWords, typedPhone } from "../../worker/contract/searched-words";
import type { Database } from "../client";
import { workspaceMembers } from "../schema";
import { type Json, jsonRow } from "./json-row";
import { HAS_ROLE, type Member, type ScopedTable } from "./members";

/** Where a page ends: the last row's id, and what the list is sorted by; null if that is the id, or absent. */
export type Cursor = { value: string | number | null; id: number };

/** Rows of a list, and the cursor of the next page; null if this is the last one. */
export type Page<Row, Next = Cursor> = { rows: Row[]; next: Next | null };

export type PageCall = {
  workspaceId?: number | undefined;
  now?: string;
  limit?: number | undefined;
  cursor?: Cursor | undefined;
};

/** The row of a list that a query tests or sorts by is `own`. */
export type Order = {
  /** Without it, the list is sorted by id. */
  value?: SQL;
  descending: boolean;
  /** Whether the value may be NULL, which comes last in both directions. */
  mayLack?: boolean;
  /** Whether a row has the value, where an index tells that without it. */
  has?: SQL;
};

/** FROM and WHERE of the rows `own` of one of the caller's workspaces, or of this block of it. */
export type Source = (
  workspaceId: SQL,
  block?: Placeholder,
) => {
  from: SQL;
  where: SQL[];
  /** Whether it reads all that it finds, whatever the order. */
  isSearch?: boolean;
};

/** Reads a list in parts, between which others are served: see `search-in-blocks.ts`. */
export type Parts = {
  /** Finds the ids and sort values of a page. @returns the query of those that are still the caller's */
  findKeys(
    db: Database,
    member: Member,
    of: { workspaceId: number | undefined; table: ScopedTable },
    keys: Keys,
  ): Promise<SQL>;
  /**
   * Sums the numbers of all parts.
   * @param readerOf returns what reads the numbers of a part of this workspace
   */
  sum<Name extends string>(
    db: Database,
    member: Member,
    workspaceId: number | undefined,
    readerOf: (id: number, block?: Placeholder) => (block?: number) => Promise<Record<Name, number>>,
  ): Promise<Record<Name, number>>;
};

export type Listed<Row> = {
  table: ScopedTable;
  /** A text, and the function that converts it. The time of the call is `called.now`. */
  row: { sql: SQL; read(text: string): Row };
  joins?: SQL;
  /** Whether rows can be so long that a page of `LIMITS.pageMax` would not fit into a Worker's memory. */
  mayBeLong: boolean;
  /** How many bytes the names of its fields take in a response, if the row that is read here lacks them. */
  names?: (id: SQL) => SQL;
};

const dialect = new SQLiteAsyncDialect({ casing: "snake_case" });

/** The expression, which has no values, as text: building a long one takes half as long as SQLite takes to read a page. */
export function asText(expression: SQL): SQL {
  const { sql: text, params } = dialect.sqlToQuery(expression);
  if (params.length > 0) throw new Error(`An expression with values: ${text}`);
  return sql.raw(text);
}

/** A row of JSON for a list. */
export const parsed = <Row>(row: Json<Row>) => ({
  sql: asText(row.sql),
  read: (text: string) => row.read(JSON.parse(text)),
});

/** The caller's memberships, as rows `me`: the part of a query after FROM. */
export function memberships(member: Member, workspaceId = member.workspaceId): SQL {
  // Nobody's, if an API token may not use the workspace.
  const isAllowed = member.workspaceId === undefined || member.workspaceId === workspaceId;
  const only = workspaceId === undefined ? sql`` : sql` and me.workspace_id = ${workspaceId}`;
  return sql`${workspaceMembers} as me where me.user_id = ${isAllowed ? member.userId : 0}${HAS_ROLE[member.role]}${only}`;
}

/**
 * A page of the rows of the caller's workspaces that the source finds. With rows that may be long, the page also ends at
 * `SERVER_LIMITS.pageBytes`, and what does not fit is not read; a larger row is a page by itself.
 */
export async function listPage<Row>(
  db: Database,
  member: Member,
  { workspaceId, limit = LIMITS.pageMax, cursor, now = "" }: PageCall,
  {
    source,
    order,
    listed,
    parts,
  }: { source: Source; order: Order; listed: Listed<Row>; parts?: Parts | undefined },
): Promise<Page<Row>> {
  const asked = { source, order, cursor, limit: limit + 1 };
  const keys = parts
    ? await parts.findKeys(db, member, { workspaceId, table: listed.table }, asked)
    : keysOf(memberships(member, workspaceId), workspaceId !== undefined, asked);
  const found = await (listed.mayBeLong || limit > SHORT_ROWS
    ? longRows(db, keys, { limit, now }, listed)
    : shortRows(db, keys, now, listed));
  const rows = found.slice(0, limit).filter(({ row }) => row !== null);
  const last = rows.at(-1);
  return {
    rows: rows.map(({ row }) => listed.row.read(row as string)),
    next: last && rows.length < found.length ? { value: last.sorted, id: last.id } : null,
  };
}

/** As many rows that are not long as D1 takes in one. */
const SHORT_ROWS = 300;

type Found = { id: number; sorted: Cursor["value"]; row: string | null };

/** All rows in one, since the driver spends more time on a row than SQLite does. JSON has no line breaks. */
async function shortRows(
  db: Database,
  keys: SQL,
  now: string,
  { table, row, joins = sql`` }: Listed<unknown>,
): Promise<Found[]> {
  const [all] = await db.values<[keys: string, rows: string | null]>(
    sql`select json_group_array(json_array(keys.sorted, keys.id)) as keys, group_concat(${row.sql}, char(10)) as rows
      from (${keys}) as keys cross join (select ${now} as now) as called cross join ${table} on ${table.id} = keys.id ${joins}`,
  );
  const texts = all?.[1]?.split("\n") ?? [];
  const found: [Cursor["value"], number][] = JSON.parse(all?.[0] ?? "[]");
  return found.map(([sorted, id], index) => ({ id, sorted, row: texts[index] ?? null }));
}

/** Each step reads the next row; the steps end when the page is full. A final row without content means that there are more. */
async function longRows(
  db: Database,
  keys: SQL,
  { limit, now }: { limit: number; now: string },
  { table, row, joins = sql``, names = () => sql`0` }: Listed<unknown>,
): Promise<Found[]> {
  const bytes = sql`page.bytes + octet_length(page.row) + ${names(sql`page.id`)}`;
  // The next one is taken to be as long as this one: of a long row that does not fit, all would be read for nothing.
  const fits = sql`page.at < ${limit} and ${bytes} + octet_length(page.row) < ${SERVER_LIMITS.pageBytes}`;
  const found = await db.values<
    [number, Cursor["value"], string | null]
  >(sql`select * from (with recursive called(now) as (select ${now}), keys(at, id, sorted) as materialized (select row_number() over (), id, sorted from (${keys})),
    page(at, id, sorted, row, bytes) as (
      select keys.at, keys.id, keys.sorted, ${row.sql}, 0 from keys cross join called cross join ${table} on ${table.id} = keys.id ${joins} where keys.at = 1
      union all
      select keys.at, keys.id, keys.sorted, case when ${fits} then ${row.sql} end, ${bytes}
      from page cross join keys on keys.at = page.at + 1 cross join called cross join ${table} on ${table.id} = keys.id ${joins} where page.row is not null
    ) select id, sorted, case when at = 1 or bytes + octet_length(row) + ${names(sql`page.id`)} <= ${SERVER_LIMITS.pageBytes} then row end as row from page)`);
  // A row of libSQL has indexes, and is no array.
  return found.map(({ 0: id, 1: sorted, 2: row }) => ({ id, sorted, row }));
}

export type Keys = { source: Source; order: Order; cursor: Cursor | undefined; limit: number };

export const orderBy = (order: Order) =>
  sql`order by sorted is null, sorted ${directionOf(order)}, id ${directionOf(order)}`;

/** The ids and sort values of a page. In one workspace an index can have the order; several are read one by one. */
function keysOf(mine: SQL, inOne: boolean, keys: Keys): SQL {
  if (inOne) return keysIn(sql`(select me.workspace_id from ${mine})`, keys);
  const { order, limit } = keys;
  return sql`select found.value ->> 0 as sorted, found.value ->> 1 as id
    from (select me.workspace_id as id from ${mine}) as mine
    cross join json_each((select json_group_array(json_array(sorted, id)) from (${keysIn(sql`mine.id`, keys)}))) as found
    ${orderBy(order)} limit ${limit}`;
}

const directionOf = ({ descending }: Order) => sql.raw(descending ? "desc" : "asc");

/** The same of one workspace: those with a value, then those without. */
export function keysIn(
  workspaceId: SQL,
  { source, order, cursor, limit, block }: Keys & { block?: Placeholder },
): SQL {
  const { value, mayLack = false } = order;
  const { from, where, isSearch = false } = source(workspaceId, block);
  const direction = directionOf(order);
  const beyond = sql.raw(order.descending ? "<" : ">");
  const part = (sortedBy: SQL | undefined, ...conditions: SQL[]) => {
    const last = sortedBy && mayLack && isSearch ? sql`${sortedBy} is null, ` : sql``;
    const by = sql`${last}${sortedBy ? sql`${sortedBy} ${direction}, ` : sql``}own.id ${direction}`;
    return sql`select ${sortedBy ?? sql`null`} as sorted, own.id as id from ${from} where ${sql.join([...where, ...conditions], sql` and `)} order by ${by} limit ${limit}`;
  };
  const afterId = cursor ? [sql`own.id ${beyond} ${cursor.id}`] : [];
  if (!value) return part(undefined, ...afterId);
  const { has = sql`(${value} is not null)` } = order;
  const lacking = () => part(undefined, sql`not ${has}`, ...(cursor?.value === null ? afterId : []));
  if (cursor?.value === null) return lacking();
  const after = cursor ? [sql`(${value}, own.id) ${beyond} (${cursor.value}, ${cursor.id})`] : [];
  if (!mayLack) return part(value, ...after);
  if (isSearch) return part(value, ...after.map((each) => sql`(${value} is null or ${each})`));
  const having = part(value, has, ...after);
  return sql`select * from (select * from (${having}) union all select * from (${lacking()})) limit ${limit}`;
}

/** A row of numbers about all rows `own` that the source finds. */
export async function aggregate<Name extends string>(
  db: Database,
  member: Member,
  workspaceId: number | undefined,
  {
    source,
    totals,
    parts,
  }: { source: Source; totals: Json<Record<Name, number>>; parts?: Parts | undefined },
): Promise<Record<Name, number>> {
  const readerOf = (id: number | undefined, block?: Placeholder) => {
    const { from, where } = source(sql`mine.id`, block);
    const query = db
      .select({ json: sql<string>`${totals.sql}` })
      .from(
        sql`(select me.workspace_id as id from ${memberships(member, id)}) as mine cross join ${from} where ${sql.join(where, sql` and `)}`,
      )
      .prepare();
    return async (block?: number) => totals.read(JSON.parse((await query.get({ block }))?.json ?? "[]"));
  };
  return parts ? parts.sum(db, member, workspaceId, readerOf) : readerOf(workspaceId)();
}

type NamedCall = PageCall & {
  sort?: NameSort | undefined;
  filter?: string | undefined;
  /** Only of contacts. */
  tag?: string | undefined;
};

export type NamedList<Row> = {
  list(db: Database, member: Member, call: NamedCall): Promise<Page<Row>>;
  count(db: Database, member: Member, call: NamedCall): Promise<{ all: number }>;
};

const contains = (part: string) => sql`instr(own.filter_text, ${part})`;

/** Whether the row has each of the words, or the phone number. */
function hasWords(typed: string): SQL {
  const words = foldedWords(typed).map((word) => sql`(${sql.join(word.map(contains), sql` or `)})`);
  const all = words.length > 0 ? sql`(${sql.join(words, sql` and `)})` : sql`true`;
  const phone = typedPhone(typed);
  return phone === undefined ? all : sql`(${all} or ${contains(phone)})`;
}

/** The functions that list and count the rows of a table with `name_key` and `filter_text`. */
export function namedList<Row>(listed: Listed<Row>): NamedList<Row> {
  const sourceOf =
    ({ filter, tag }: Pick<NamedCall, "filter" | "tag">): Source =>
    (workspaceId) => ({
      from: sql`${listed.table} as own`,
      where: [
        sql`own.workspace_id = ${workspaceId}`,
        ...(filter === undefined ? [] : [hasWords(filter)]),
        // No tag contains a comma, so that only a whole one is found between quotation marks.
        ...(tag === undefined ? [] : [sql`instr(own.tags, ${JSON.stringify(tag)})`]),
      ],
    });
  return {
    list(db, member, { sort = DEFAULT_SORT, filter, tag, ...call }) {
      const { key, descending } = sortState(sort);
      const order = { descending, ...(key === "name" && { value: sql`own.name_key`, mayLack: true }) };
      return listPage(db, member, call, { source: sourceOf({ filter, tag }), order, listed });
    },
    count: (db, member, { workspaceId, ...found }) =>
      aggregate(db, member, workspaceId, {
        source: sourceOf(found),
        totals: jsonRow({ all: { sql: sql`count(*)`, read: Number } }),
      }),
  };
}
