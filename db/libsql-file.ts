import { ConnectionPool, LibsqlError, Sqlite3Client } from "@libsql/client/sqlite3";
import { retry } from "../worker/lib/retry";
import { keepStatements } from "./statement-cache";

type Connection = ReturnType<ConnectionPool["acquireSync"]>;
type Statement = ReturnType<Connection["prepare"]>;
type Batch = Parameters<Sqlite3Client["batch"]>[0];

/** How long a write waits for another process. SQLite's own busy timeout would block the event loop. */
const WAIT_MS = 5000;
const LONGEST_PAUSE_MS = 50;
/** Overwrites deleted data in the file. By default SQLite leaves it there until the space is reused. */
const ERASING = "PRAGMA secure_delete=ON";

/**
 * A client for a database file. A write that finds the database locked retries without blocking the event loop, and
 * fails with SQLITE_BUSY after five seconds. Reads continue meanwhile.
 */
export function openDatabaseFile(path: string): Sqlite3Client {
  return new PatientClient(new SoleConnection(path), "number");
}

class PatientClient extends Sqlite3Client {
  readonly #writes = createQueue();

  override execute(...[statement, args]: Parameters<Sqlite3Client["execute"]>) {
    const work = () => super.execute(statement, args);
    if (isRead(statement)) return untilFree(work, performance.now() + WAIT_MS);
    if (!isChange(statement)) return this.#writes(work);
    return this.#writes(async () => {
      const given = typeof statement === "string" ? { sql: statement, args: args ?? [] } : statement;
      const [result] = await super.batch([given], "write");
      if (!result) throw new Error("A statement without a result");
      return result;
    });
  }

  /**
   * Takes the write lock before the first statement. Otherwise a batch that starts with a read fails if another
   * process has written since.
   */
  override batch(statements: Batch) {
    return statements.every(isRead)
      ? untilFree(() => super.batch(statements, "deferred"), performance.now() + WAIT_MS)
      : this.#writes(() => super.batch(statements, "write"));
  }
}

const isRead = (statement: Batch[number]) => /^\s*select\b/i.test(textOf(statement));
const isChange = (statement: Batch[number]) => /^\s*(?:insert|update|delete|with)\b/i.test(textOf(statement));

function textOf(statement: Batch[number]): string {
  const [text] = Array.isArray(statement) ? statement : [statement];
  return typeof text === "string" ? text : text.sql;
}

/**
 * Runs work immediately while the queue is empty. Work that fails with SQLITE_BUSY, and everything after it, is
 * retried in order.
 */
function createQueue() {
  let waiting = 0;
  let turn: Promise<unknown> = Promise.resolve();

  return async <T>(work: () => Promise<T>): Promise<T> => {
    const deadline = performance.now() + WAIT_MS;
    if (waiting === 0) {
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
    }
    waiting += 1;
    const mine = turn.then(() => untilFree(work, deadline));
    turn = mine
      .catch(() => {})
      .finally(() => {
        waiting -= 1;
      });
    return mine;
  };
}

function untilFree<T>(work: () => Promise<T>, deadline: number): Promise<T> {
  return retry(work, (error, failures) => {
    if (!isBusy(error) || performance.now() >= deadline) return null;
    // A random delay, so that two processes do not collide again and again.
    return Math.min(2 ** failures, LONGEST_PAUSE_MS) * (0.5 + Math.random());
  });
}

const isBusy = (error: unknown) => error instanceof LibsqlError && error.code === "SQLITE_BUSY";

const BEGIN = "BEGIN IMMEDIATE";

/**
 * One shared connection: the client runs each call from start to end without yielding. Problem: after SQLITE_BUSY
 * libSQL leaves a prepared statement open. Later writes on that connection then report success without being
 * committed, and reads return old data. Therefore each write first takes the lock with a statement that leaves nothing
 * open, and after any other failure the connection is reopened.
 */
class SoleConnection extends ConnectionPool {
  #opened: { connection: Connection; prepare: (text: string) => Statement } | undefined;
  readonly #lent: Connection;

  constructor(path: string) {
    super(path, {}, 1);
    const opened = () => {
      this.#opened ??= this.#open();
      return this.#opened;
    };
    const begin = {
      safeIntegers: () => begin,
      raw() {
        throw new Error("It returns no rows");
      },
      run() {
        opened().connection.exec(BEGIN);
        return { changes: 0, lastInsertRowid: 0 };
      },
    };
    const prepare = (text: string) => (text === BEGIN ? begin : opened().prepare(text));
    this.#lent = {
      open: true,
      get inTransaction() {
        return opened().connection.inTransaction;
      },
      exec: (text: string) => this.#guard(() => opened().connection.exec(text)),
      prepare: prepare as unknown as Connection["prepare"],
    } satisfies Partial<Connection> as Connection;
  }

  override async acquire() {
    return this.#lent;
  }

  override acquireSync() {
    return this.#lent;
  }

  override release() {
    if (this.#opened?.connection.inTransaction) this.#lent.exec("ROLLBACK");
  }

  #open() {
    const connection = super.acquireSync();
    connection.exec(ERASING);
    const prepare = (text: string) => this.#guardStatement(this.#guard(() => connection.prepare(text)));
    return { connection, prepare: keepStatements(prepare) };
  }

  #guardStatement(statement: Statement): Statement {
    const { run, all } = statement;
    return Object.assign(statement, {
      run: (...values: unknown[]) => this.#guard(() => Reflect.apply(run, statement, values)),
      all: (...values: unknown[]) => this.#guard(() => Reflect.apply(all, statement, values)),
    });
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isRefusedRow(error)) this.#drop();
      throw error;
    }
  }

  #drop() {
    const dropped = this.#opened?.connection;
    this.#opened = undefined;
    if (!dropped) return;
    dropped.close();
    super.release(dropped);
  }
}

const isRefusedRow = (error: unknown) =>
  error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_CONSTRAINT");
