import { LibsqlError } from "@libsql/client/sqlite3";
import { retry } from "../worker/lib/retry";
import { type FileConnection, openFileConnection } from "./file-connection";
import { createTurns, isRead, type SqlClient, type SqlResult, type SqlStatement } from "./sql-client";

/** How long a write waits for another process. SQLite's own busy timeout would block the event loop. */
const WAIT_MS = 5000;
const MAX_PAUSE_MS = 50;
/** Batches that share a transaction: nothing else is served until all are written. */
const TOGETHER = 20;

/**
 * A client for a database file. A write that finds the database locked retries without blocking the event loop, and
 * fails with SQLITE_BUSY after five seconds. Reads continue meanwhile. Writes of the same turn of the event loop share a
 * transaction and its fsync.
 */
export function openFileClient(path: string): SqlClient {
  const connection = openFileConnection(path);
  const writes = createQueue();
  const write = createGroups(connection, writes);
  return {
    async execute(statement) {
      if (isRead(statement)) return reads(() => connection.run(statement));
      if (!isChange(statement)) return writes(() => connection.run(statement));
      const [result] = await write([statement]);
      if (!result) throw new Error("A statement without a result");
      return result;
    },
    batch: (statements) =>
      statements.every(isRead) ? reads(() => connection.read(statements)) : write(statements),
    migrate: (statements) => writes(() => connection.migrate(statements)),
    close: connection.close,
  };
}

const isChange = ({ sql }: SqlStatement) => /^\s*(?:insert|update|delete|with)\b/i.test(sql);

type Waiting = {
  statements: SqlStatement[];
  resolve(results: SqlResult[]): void;
  reject(reason: unknown): void;
};

/** Collects the batches of a turn of the event loop. One that fails does not affect the others. */
function createGroups(connection: FileConnection, writes: ReturnType<typeof createQueue>) {
  const waiting: Waiting[] = [];

  const writeAlone = ({ statements, resolve, reject }: Waiting) =>
    writes(() => connection.write(statements)).then(resolve, reject);

  function writeWaiting() {
    const group = waiting.splice(0, TOGETHER);
    if (waiting.length > 0) setImmediate(writeWaiting);
    const [first, ...others] = group;
    if (first && others.length === 0) return writeAlone(first);
    return writes(() => connection.writeTogether(group.map(({ statements }) => statements))).then(
      (results) => {
        for (const [index, result] of results.entries())
          if (result.status === "fulfilled") group[index]?.resolve(result.value);
          else group[index]?.reject(result.reason);
      },
      (error) => Promise.all(group.map((one) => (isBusy(error) ? one.reject(error) : writeAlone(one)))),
    );
  }

  return (statements: SqlStatement[]) =>
    new Promise<SqlResult[]>((resolve, reject) => {
      if (waiting.push({ statements, resolve, reject }) === 1) setImmediate(writeWaiting);
    });
}

/**
 * Runs work immediately while nothing waits. Work that fails with SQLITE_BUSY, and everything after it, is retried in
 * order.
 */
function createQueue() {
  const turns = createTurns();
  return async <T>(work: () => T): Promise<T> => {
    const deadline = performance.now() + WAIT_MS;
    if (turns.isFree()) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
    }
    return turns.take(() => retryWhileBusy(work, deadline));
  };
}

/** Runs a read immediately: the retries' own promises cost more than a short read waits for. */
async function reads<T>(work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return retryWhileBusy(work);
  }
}

function retryWhileBusy<T>(work: () => T, deadline = performance.now() + WAIT_MS): Promise<T> {
  return retry(
    async () => work(),
    (error, failures) => {
      if (!isBusy(error) || performance.now() >= deadline) return null;
      // A random delay, so that two processes do not collide repeatedly.
      return Math.min(2 ** failures, MAX_PAUSE_MS) * (0.5 + Math.random());
    },
  );
}

const isBusy = (error: unknown) => error instanceof LibsqlError && error.code === "SQLITE_BUSY";
