import { LibsqlError } from "@libsql/client/sqlite3";
import Libsql from "libsql";
import type { SqlResult, SqlStatement } from "./sql-client";
import { cacheStatements, type PreparedStatement } from "./statement-cache";

/** Overwrites deleted data in the file. By default SQLite leaves it there until the space is reused. */
const ERASE_DELETED = "PRAGMA secure_delete=ON";

type Opened = { connection: Libsql.Database; prepare: (sql: string) => PreparedStatement };

/** One connection to a database file. Each call runs from start to end without yielding to other code. */
export interface FileConnection {
  run(statement: SqlStatement): SqlResult;
  /** Runs all statements or none, on one state of the database. */
  read(statements: SqlStatement[]): SqlResult[];
  /**
   * The same with the write lock taken first: otherwise a batch that starts with a read fails if another process has
   * written since.
   */
  write(statements: SqlStatement[]): SqlResult[];
  /**
   * Writes several batches in one transaction, which costs one fsync: of each, all statements or none. Fails as a whole,
   * with nothing written, unless what fails is a batch's own fault, such as a constraint.
   */
  writeTogether(batches: SqlStatement[][]): PromiseSettledResult<SqlResult[]>[];
  migrate(statements: SqlStatement[]): SqlResult[];
  close(): void;
}

/**
 * Opens a connection with the first call. Problem: after SQLITE_BUSY, libSQL leaves a prepared statement open. Later
 * writes on that connection then report success without being committed, and reads return old data. Therefore a
 * transaction begins and ends without prepared statements, and any failure except that of a constraint closes the
 * connection; the next call opens another one.
 */
export function openFileConnection(path: string): FileConnection {
  let opened: Opened | undefined;
  let closed = false;

  function open(): Opened {
    if (closed) throw new LibsqlError("The client is closed", "CLIENT_CLOSED");
    opened ??= connect(path);
    return opened;
  }

  function disconnect() {
    const connection = opened?.connection;
    opened = undefined;
    if (connection) closeConnection(connection);
  }

  function guard<T>(work: (connection: Opened) => T): T {
    try {
      return work(open());
    } catch (error) {
      if (error instanceof Libsql.SqliteError && !isConstraint(error)) disconnect();
      throw toLibsqlError(error);
    }
  }

  const run = (statement: SqlStatement) => guard(({ prepare }) => prepare(statement.sql)(statement.args));

  const runAll = (statements: SqlStatement[]) => statements.map(run);

  function savepoint(statements: SqlStatement[]): PromiseSettledResult<SqlResult[]> {
    const exec = (text: string) => guard(({ connection }) => connection.exec(text));
    exec("SAVEPOINT batch");
    try {
      const value = runAll(statements);
      exec("RELEASE batch");
      return { status: "fulfilled", value };
    } catch (reason) {
      if (!opened?.connection.inTransaction) throw reason;
      exec("ROLLBACK TO batch; RELEASE batch");
      return { status: "rejected", reason };
    }
  }

  function transaction<T>(begin: string, work: () => T): T {
    beginTransaction(open().connection, begin);
    try {
      const results = work();
      guard(({ connection }) => connection.exec("COMMIT"));
      return results;
    } finally {
      if (opened?.connection.inTransaction) guard(({ connection }) => connection.exec("ROLLBACK"));
    }
  }

  return {
    run,
    read: (statements) => transaction("BEGIN DEFERRED", () => runAll(statements)),
    write: (statements) => transaction("BEGIN IMMEDIATE", () => runAll(statements)),
    writeTogether: (batches) => transaction("BEGIN IMMEDIATE", () => batches.map(savepoint)),
    migrate(statements) {
      guard(({ connection }) => connection.exec("PRAGMA foreign_keys=OFF"));
      try {
        return transaction("BEGIN IMMEDIATE", () => runAll(statements));
      } finally {
        // A reopened connection has foreign keys enabled.
        guard(({ connection }) => connection.exec("PRAGMA foreign_keys=ON"));
      }
    },
    close() {
      closed = true;
      disconnect();
    },
  };
}

function connect(path: string): Opened {
  try {
    const connection = new Libsql(path);
    connection.exec(ERASE_DELETED);
    return { connection, prepare: cacheStatements(connection) };
  } catch (error) {
    throw toLibsqlError(error);
  }
}

/** Leaves nothing open if the lock is held elsewhere, so that the connection remains usable. */
function beginTransaction(connection: Libsql.Database, begin: string): void {
  try {
    connection.exec(begin);
  } catch (error) {
    throw toLibsqlError(error);
  }
}

/** SQLite closes a connection only when its last statement is collected, so the lock is released first. */
function closeConnection(connection: Libsql.Database): void {
  try {
    if (connection.inTransaction) connection.exec("ROLLBACK");
  } finally {
    connection.close();
  }
}

const isConstraint = ({ code }: { code: string }) => code.startsWith("SQLITE_CONSTRAINT");

/** SQLITE_BUSY of SQLITE_BUSY_SNAPSHOT. */
const BASE_CODE = /^SQLITE_[A-Z]+/;

function toLibsqlError(error: unknown): unknown {
  if (!(error instanceof Libsql.SqliteError)) return error;
  const [code = error.code] = BASE_CODE.exec(error.code) ?? [];
  return new LibsqlError(error.message, code, error.code, error.rawCode, error);
}
