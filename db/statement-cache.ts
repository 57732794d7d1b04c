import type { ConnectionPool } from "@libsql/client/sqlite3";

type Connection = ReturnType<ConnectionPool["acquireSync"]>;
type Statement = ReturnType<Connection["prepare"]>;

/** The app has about a hundred statements; an insert of many rows adds one per number of rows. */
const MOST = 500;
const WORTH_KEEPING = /^\s*(?:select|insert|update|delete)\b/i;

/**
 * Prepares each statement once and reuses it: preparing is most of the cost of a short read. Above the limit the
 * oldest is dropped.
 */
export function keepStatements(prepare: (sql: string) => Statement): (sql: string) => Statement {
  const kept = new Map<string, Statement>();
  return (sql) => {
    const known = kept.get(sql);
    if (known) return known;
    const statement = prepare(sql);
    if (!WORTH_KEEPING.test(sql)) return statement;
    const [oldest] = kept.size >= MOST ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(sql, settled(statement));
    return statement;
  };
}

const noRows = (): never => {
  throw new Error("The statement has no rows");
};

/**
 * Caches what the client asks of a statement on each call. All statements name their columns, so the answer never
 * changes.
 */
function settled(statement: Statement): Statement {
  const columns = statement.safeIntegers(true).columns();
  const { reader } = statement;
  if (reader) statement.raw(true);
  return Object.assign(statement, {
    safeIntegers: () => statement,
    raw: reader ? () => statement : noRows,
    columns: () => columns,
  });
}
