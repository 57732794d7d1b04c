import type { Config, InArgs, InStatement, ResultSet } from "@libsql/client";
import { ConnectionPool, Sqlite3Client } from "@libsql/client/sqlite3";
import { expandConfig, isInMemoryConfig } from "@libsql/core/config";

type Connection = ReturnType<ConnectionPool["acquireSync"]>;
type Prepared = ReturnType<Connection["prepare"]>;

/** Statements that one connection keeps; the app has about a hundred. */
const KEPT = 500;
const READS = /^\s*(?:select|pragma|explain)\b/i;
const KEEPS = /^\s*(?:select|insert|update|delete)\b/i;
const CONTROLS = /^\s*(?:begin|commit|rollback)\b/i;

/**
 * The client of a database in a file: @libsql/client's own, but a statement is prepared once, which is most of
 * what a call costs, and every write begins with the write lock. Without that a statement that finds the
 * database locked stays half-done until it is collected, and what the connection writes in the meantime is
 * acknowledged and not committed. One connection does: each call is done before the next is heard.
 */
export class FileClient extends Sqlite3Client {
  constructor(options: Config) {
    const config = expandConfig(options, true);
    const path = isInMemoryConfig(config) ? `file:${config.path}` : config.path;
    super(new RememberingPool(path, { timeout: config.timeout }, 1), config.intMode);
  }

  override async execute(statement: InStatement | string, args: InArgs = []): Promise<ResultSet> {
    const given = typeof statement === "string" ? { sql: statement, args } : statement;
    if (READS.test(given.sql)) return super.execute(given);
    const [result] = await super.batch([given], "write");
    if (!result) throw new Error("A statement without a result");
    return result;
  }

  override batch(statements: Parameters<Sqlite3Client["batch"]>[0]): Promise<ResultSet[]> {
    return super.batch(statements, statements.every(isRead) ? "deferred" : "write");
  }
}

const isRead = (statement: string | InStatement | [string, InArgs?]) =>
  READS.test(
    typeof statement === "string" ? statement : Array.isArray(statement) ? statement[0] : statement.sql,
  );

class RememberingPool extends ConnectionPool {
  readonly #seen = new WeakSet<Connection>();

  override acquireSync(forTransaction?: boolean): Connection {
    const connection = super.acquireSync(forTransaction);
    if (!this.#seen.has(connection)) rememberStatements(connection);
    this.#seen.add(connection);
    return connection;
  }
}

/** Has the connection prepare a statement once; the one that was made first goes first. */
function rememberStatements(connection: Connection): void {
  const kept = new Map<string, Prepared>();
  const prepare = connection.prepare.bind(connection);
  connection.prepare = (sql) => {
    if (CONTROLS.test(sql)) return control(prepare("select 1"), () => connection.exec(sql));
    if (!KEEPS.test(sql)) return prepare(sql);
    let statement = kept.get(sql);
    if (!statement) {
      statement = settled(prepare(sql));
      const [oldest] = kept.size >= KEPT ? kept.keys() : [];
      if (oldest !== undefined) kept.delete(oldest);
      kept.set(sql, statement);
    }
    return statement;
  };
}
