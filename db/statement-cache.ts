import type { InValue, Row, Value } from "@libsql/client";
import type Libsql from "libsql";
import type { SqlResult } from "./sql-client";

/** Runs a prepared statement with these parameters. */
export type PreparedStatement = (args: InValue[]) => SqlResult;

/** The app has about a hundred statements; an insert of many rows adds one per number of rows. */
const MAX_STATEMENTS = 500;
const CACHED = /^\s*(?:select|insert|update|delete)\b/i;
/** Drizzle's `.limit(…)`. */
const WITH_LIMIT = /^\s*select\b.*\blimit \?$/is;

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
  const toRow = createRows(columns);
  const hasLimit = WITH_LIMIT.test(sql);
  let readOne: ((values: unknown[]) => unknown[][]) | undefined;
  return (args) => {
    const values = args.map(toSql);
    const isOne = hasLimit && values.at(-1) === 1;
    if (isOne) readOne ??= prepareOne(connection, sql);
    const rows = isOne && readOne ? readOne(values) : (statement.all(values) as unknown[][]);
    return { columns, rows: rows.map(toRow), rowsAffected: 0 };
  };
}

/**
 * Reads one row without libSQL's iterator, which makes it half as expensive again. Problem: after `all` has found no row,
 * `get` of the same statement finds none either. Therefore each has a statement of its own.
 */
function prepareOne(connection: Libsql.Database, sql: string): (values: unknown[]) => unknown[][] {
  const statement = connection.prepare(sql).safeIntegers(true);
  statement.raw(true);
  return (values) => {
    const row = statement.get(values) as unknown[] | undefined;
    return row ? [row] : [];
  };
}

/**
 * Rows with their values by index and by name; only the names are enumerable. The indexes are getters that all rows
 * share, because defining a property takes longer than the rest of a row.
 */
function createRows(columns: string[]): (values: unknown[]) => Row {
  // Of columns with the same name, the first one has it.
  const named = [...new Set(columns)].map((name) => [name, columns.indexOf(name)] as const);
  class StoredRow {
    [name: string]: Value;
    readonly #values: Value[];

    constructor(values: Value[]) {
      this.#values = values;
      for (const [name, index] of named) this[name] = values[index] as Value;
    }

    static {
      Object.defineProperty(StoredRow.prototype, "length", { value: columns.length });
      for (const index of columns.keys())
        Object.defineProperty(StoredRow.prototype, index, {
          get(this: StoredRow) {
            return this.#values[index];
          },
        });
    }
  }
  return (values) => new StoredRow(values.map(fromSql)) as unknown as Row;
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
