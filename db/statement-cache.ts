import type { ConnectionPool } from "@libsql/client/sqlite3";

type Connection = ReturnType<ConnectionPool["acquireSync"]>;
type Statement = ReturnType<Connection["prepare"]>;

/** The app has about a hundred; a list adds one for each number of rows that it writes at once. */
const MOST = 500;
const WORTH_KEEPING = /^\s*(?:select|insert|update|delete)\b/i;

/**
 * Prepares a statement once and gives it again afterwards: to prepare is most of what a short read costs. Of too
 * many the oldest goes.
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

/** What the client asks of a statement each time is answered once: it names its columns, so they stay as they are. */
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
