import {
  and,
  eq,
  fillPlaceholders,
  getTableColumns,
  isNull,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type {
  PreparedQueryConfig,
  SQLiteColumn,
  SQLiteInsertValue,
  SQLitePreparedQuery,
  SQLiteTable,
} from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../client";

/**
 * A query whose SQL is built once per database instead of once per call, for frequent queries. Pass values through
 * `sql.placeholder`.
 */
export function prepared<Query>(prepare: (db: Database) => Query): (db: Database) => Query {
  const queries = new WeakMap<Database, Query>();
  return (db) => {
    let query = queries.get(db);
    if (!query) {
      query = prepare(db);
      queries.set(db, query);
    }
    return query;
  };
}

/** A prepared query with its values, as a statement of a batch. Drizzle itself passes no values to those of a batch. */
export function bind<Config extends PreparedQueryConfig>(
  query: SQLitePreparedQuery<Config>,
  values: Record<string, unknown>,
): RunnableQuery<Config["all"], "sqlite"> {
  const { sql: text, params } = query.getQuery();
  const bound = Object.assign(Object.create(query), {
    getQuery: () => ({ sql: text, params: fillPlaceholders(params, values) }),
  });
  return { _prepare: () => bound } as unknown as RunnableQuery<Config["all"], "sqlite">;
}

/** These columns of a table, by their names. */
export const pick = <Table extends SQLiteTable, Name extends keyof Table["_"]["columns"] & string>(
  table: Table,
  ...names: Name[]
) =>
  Object.fromEntries(names.map((name) => [name, getTableColumns(table)[name]])) as Pick<
    Table["_"]["columns"],
    Name
  >;

/** Whether the query finds, or the statement changes, a row: it returns them. */
export const hasRows = async (query: PromiseLike<unknown[]>): Promise<boolean> => (await query).length > 0;

/** The condition that a text begins with this: D1 rejects a pattern of LIKE of more than 50 bytes. */
export const beginsWith = (text: SQLWrapper, start: string): SQL =>
  sql`substr(${text}, 1, length(${start})) = ${start}`;

/** The condition that a row has these values, of which null is NULL. */
export const equals = <Table extends SQLiteTable>(
  table: Table,
  values: {
    [Name in keyof Table["$inferSelect"]]?: Table["$inferSelect"][Name] | SQLWrapper | null;
  },
): SQL | undefined => {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const conditions = Object.entries(values).map(([name, value]) => {
    const column = columns[name] as SQLiteColumn;
    return value === null ? isNull(column) : eq(column, value);
  });
  return and(...conditions);
};

/** The column's values in the rows that match, as a subquery for a condition. */
export const valuesOf = (column: SQLiteColumn, where: SQL | undefined): SQL<number> =>
  sql`(select ${column} from ${column.table} where ${where})`;

/** Waits for the caller's turn, so that others are served in between; undefined where each statement is a call. */
export type TakeTurn = (() => Promise<void>) | undefined;

/** The values as a subquery with one parameter, however many they are. */
export const listed = (values: readonly (string | number)[]) =>
  sql`(select value from json_each(${JSON.stringify(values)}))`;

/** D1 takes 2,000,000 bytes in a parameter. */
const BYTES_PER_LIST = 1_000_000;

/** The values as JSON lists, each short enough to be a parameter, and the index of the first value of each. */
export function shortLists(values: readonly unknown[]): { start: number; json: string }[] {
  const lists: { start: number; values: string[] }[] = [];
  const encoder = new TextEncoder();
  let bytes = BYTES_PER_LIST;
  for (const [start, value] of values.entries()) {
    const json = JSON.stringify(value);
    bytes += encoder.encode(json).length;
    if (bytes > BYTES_PER_LIST) {
      lists.push({ start, values: [] });
      bytes = encoder.encode(json).length;
    }
    lists.at(-1)?.values.push(json);
  }
  return lists.map(({ start, values }) => ({ start, json: `[${values.join()}]` }));
}

/** A page of a list that is read by id. The row after it says whether there are more. */
export async function pageOf<Row extends { id: number }>(
  query: { limit(count: number): PromiseLike<Row[]> },
  limit: number,
) {
  const rows = await query.limit(limit + 1);
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** All rows of a list in the order of their ids, a page of this size at a time: each is read after the last id. */
export async function* pagesAfter<Row extends { id: number }>(
  size: number,
  read: (after: number) => PromiseLike<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = 0; ; ) {
    const page = await read(after);
    if (page.length > 0) yield page;
    if (page.length < size) return;
    after = page.at(-1)?.id ?? after;
  }
}

/** The maximum number of parameters in a D1 statement. */
const VALUES_PER_STATEMENT = 100;

/** The statements that insert any number of rows, each within D1's limit of parameters. */
export function insertRows<Table extends SQLiteTable>(
  db: Database,
  table: Table,
  rows: SQLiteInsertValue<Table>[],
): Statement[] {
  // Of a column without value or default, each row has NULL instead of a parameter.
  const values = Object.entries(getTableColumns(table)).filter(
    ([name, { hasDefault }]) => hasDefault || rows.some((row) => name in row),
  );
  const rowsPerStatement = Math.floor(VALUES_PER_STATEMENT / values.length);
  const statements: Statement[] = [];
  for (let start = 0; start < rows.length; start += rowsPerStatement)
    statements.push(db.insert(table).values(rows.slice(start, start + rowsPerStatement)));
  return statements;
}
