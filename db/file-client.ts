import { LibsqlError } from "@libsql/client/sqlite3";
import { retry } from "../worker/lib/retry";
import { createTurns } from "../worker/lib/turns";
import { openFileConnection } from "./file-connection";
import { createWriteGroups, isChange, isRead, type SqlClient, type SqlStatement } from "./sql-client";

/** How long a write waits for another process. SQLite's own busy timeout would block the event loop. */
const WAIT_MS = 5000;
const MAX_PAUSE_MS = 50;

/**
 * A client for a database file. A write that finds the database locked retries without blocking the event loop, and
 * fails with SQLITE_BUSY after five seconds. Reads continue meanwhile. Writes of the same turn of the event loop share a
 * transaction and its fsync.
 */
export function openFileClient(path: string): SqlClient {
  const connection = openFileConnection(path);
  const writes = createQueue();
  const writeAlone = (statements: SqlStatement[]) => writes(() => connection.write(statements));
  const write = createWriteGroups<SqlStatement[]>(setImmediate, async (group) => {
    if (group.length === 1) return Promise.allSettled(group.map(writeAlone));
    try {
      return await writes(() => connection.writeTogether(group));
    } catch (error) {
      if (isBusy(error)) throw error;
      return Promise.allSettled(group.map(writeAlone));
    }
  });
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
