import type { InValue, ResultSet } from "@libsql/client";

export type SqlStatement = { sql: string; args: InValue[] };
export type SqlResult = Pick<ResultSet, "columns" | "rows" | "rowsAffected">;

/**
 * The methods of libSQL's client that Drizzle uses. `openFileClient` implements them for a file, `openServerClient` for a
 * server. Every failure of SQLite is a `LibsqlError` with its code.
 */
export interface SqlClient {
  execute(statement: SqlStatement): Promise<SqlResult>;
  /** Runs all statements or none. */
  batch(statements: SqlStatement[]): Promise<SqlResult[]>;
  /** A batch that may change tables that others reference: it runs without foreign keys. */
  migrate(statements: SqlStatement[]): Promise<SqlResult[]>;
  close(): void;
}

export const isRead = ({ sql }: SqlStatement): boolean => /^\s*select\b/i.test(sql);
/** Whether the statement changes rows: it may be part of a transaction, which `PRAGMA` and `VACUUM` may not. */
export const isChange = ({ sql }: SqlStatement): boolean => /^\s*(?:insert|update|delete|with)\b/i.test(sql);

/** Runs work one at a time, in the order in which it came. `isFree` says that none runs or waits. */
export function createTurns() {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const done = () => {
    waiting -= 1;
  };
  return {
    isFree: () => waiting === 0,
    take<T>(work: () => Promise<T>): Promise<T> {
      waiting += 1;
      const result = last.then(work);
      last = result.then(done, done);
      return result;
    },
  };
}
