import type { InValue, Row, Value } from "@libsql/client";
import type Libsql from "libsql";
import type { SqlResult } from "./sql-client";

/** Runs a prepared statement with these parameters. */
export type PreparedStatement = (args: InValue[]) => SqlResult;

/** The app has about a hundred statements; an insert of many rows adds one per number of rows. */
const MAX_STATEMENTS = 500;
const CACHED = /^\s*(?:select|insert|update|delete)\b/i;

/**
 * Prepares each statement once and reuses it: preparing is most of the cost of a short read. Above the limit the
 * oldest is dropped.
 */
export function cacheStatements(connection: Libsql.Database): (sql: string) => PreparedStatement {
  const cache = new Map<string, PreparedStatement>();
  return (sql) => {
    const cached = cache.get(sql);
    if (cached) return cached;
    const statement = prepare(connection, sql);
    if (!CACHED.test(sql)) return statement;
    const [oldest] = cache.size >= MAX_STATEMENTS ? cache.keys() : [];
    if (oldest !== undefined) cache.delete(oldest);
    cache.set(sql, statement);
    return statement;
  };
}

/** All statements name their columns, so altering a table never changes them. */
function prepare(connection: Libsql.Database, sql: string): PreparedStatement {
  const statement = connection.prepare(sql).safeIntegers(true);
  if (!statement.reader)
    return (args) => ({ columns: [], rows: [], rowsAffected: statement.run(args.map(toSql)).changes });
  statement.raw(true);
  const columns = statement.columns().map(({ name }) => name);
  return (args) => {
    const rows = statement.all(args.map(toSql)) as unknown[][];
    return { columns, rows: rows.map((values) => rowOf(columns, values)), rowsAffected: 0 };
  };
}

/** A row has its values by index, from its prototype, and by name; only the names are enumerable. */
function rowOf(columns: readonly string[], values: unknown[]): Row {
  const converted = values.map(fromSql);
  const row: Row = Object.create(converted);
  for (const [index, name] of columns.entries())
    if (!Object.hasOwn(row, name)) row[name] = converted[index] as Value;
  return row;
}

/** @throws RangeError for an integer that a number cannot hold */
function fromSql(value: unknown): Value {
  if (typeof value === "bigint") {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is too large for a number`);
    return number;
  }
  return value instanceof Uint8Array ? new Uint8Array(value).buffer : (value as Value);
}

/** @throws RangeError, TypeError for a value that SQLite cannot hold */
function toSql(value: InValue | undefined): unknown {
  if (value === undefined) throw new TypeError("undefined is not a value for the database");
  if (typeof value === "number" && !Number.isFinite(value))
    throw new RangeError(`${value} is not a value for the database`);
  if (typeof value === "boolean") return Number(value);
  if (value instanceof Date) return value.getTime();
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}
