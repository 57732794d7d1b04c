import { type AnyColumn, Column, type GetColumnData, type SQL, sql } from "drizzle-orm";

/** An SQL expression that yields JSON, and the function that converts it to app values. */
export type Json<Value> = { sql: SQL; read(json: unknown): Value };
export type Fields = Record<string, AnyColumn | Json<unknown>>;
export type RowOf<F extends Fields> = {
  [Name in keyof F]: F[Name] extends AnyColumn
    ? GetColumnData<F[Name]>
    : F[Name] extends Json<infer Value>
      ? Value
      : never;
};

/** The maximum number of arguments of a function in D1. */
const MAX_ARGUMENTS = 32;

/**
 * A row as a JSON array in a single column. The driver spends more time per column and row than SQLite does on all of
 * them. A row of more than 32 fields becomes an array of such arrays.
 */
export function jsonRow<F extends Fields>(fields: F): Json<RowOf<F>> {
  const parts = Object.entries(fields).map(([name, field]) => {
    if (!(field instanceof Column)) return { name, sql: field.sql, read: field.read };
    // Stored JSON becomes part of the row's, so that it is parsed with it.
    if (isJsonColumn(field)) return { name, sql: sql`json(${field})`, read: undefined };
    return { name, sql: sql`${field}`, read: readerOf(field) };
  });
  const nested = parts.length > MAX_ARGUMENTS;
  return {
    sql: jsonArray(parts.map((part) => part.sql)),
    read(json) {
      const values = nested ? (json as unknown[][]).flat() : (json as unknown[]);
      const row: Record<string, unknown> = {};
      for (let position = 0; position < parts.length; position += 1) {
        const { name, read } = parts[position] as (typeof parts)[number];
        const value = values[position];
        row[name] = read === undefined ? value : read(value);
      }
      return row as RowOf<F>;
    },
  };
}

function jsonArray(values: SQL[]): SQL {
  if (values.length <= MAX_ARGUMENTS) return sql`json_array(${sql.join(values, sql`, `)})`;
  const groups: SQL[] = [];
  for (let start = 0; start < values.length; start += MAX_ARGUMENTS)
    groups.push(jsonArray(values.slice(start, start + MAX_ARGUMENTS)));
  return jsonArray(groups);
}

/** The same, or null if the column is null: the missing side of a left join. */
export function jsonRowUnlessNull<F extends Fields>(column: AnyColumn, fields: F): Json<RowOf<F> | null> {
  const row = jsonRow(fields);
  return {
    sql: sql`iif(${column} is null, null, ${row.sql})`,
    read: (json) => (json === null ? null : row.read(json)),
  };
}

/** The same rows, read in another form. */
export const mapped = <Value, Read>(
  { sql: expression, read }: Json<Value>,
  map: (value: Value) => Read,
): Json<Read> => ({
  sql: expression,
  read: (json) => map(read(json)),
});

/** A single value of a subquery; null if it finds no row. */
export function scalar<Value>(query: SQL): Json<Value | null> {
  return { sql: query, read: (json) => json as Value | null };
}

/**
 * All rows of a subquery, sorted by `position` here, because SQLite takes three times as long to prepare the query
 * with ORDER BY.
 */
export function jsonRows<F extends Fields>(
  fields: F,
  from: SQL,
  position: (row: RowOf<F>) => number,
): Json<RowOf<F>[]> {
  const row = jsonRow(fields);
  return {
    // What a subquery yields is JSON in older versions of SQLite only, and text in newer ones.
    sql: sql`json((select json_group_array(${row.sql}) from ${from}))`,
    read: (json) => (json as unknown[]).map(row.read).sort((one, other) => position(one) - position(other)),
  };
}

/** The value as a column for `select({ … })`. */
export function asColumn<Value>({ sql: expression, read }: Json<Value>): SQL<Value> {
  return expression.mapWith((text: string): Value => read(JSON.parse(text)));
}

const isJsonColumn = ({ columnType }: Column) => columnType === "SQLiteTextJson";

/** Undefined for a column whose values are stored as they are, as most are. */
function readerOf(column: Column): ((value: unknown) => unknown) | undefined {
  if (column.mapFromDriverValue === Column.prototype.mapFromDriverValue) return undefined;
  return (value) => (value === null ? null : column.mapFromDriverValue(value));
}
