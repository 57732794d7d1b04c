import { LibsqlError } from "@libsql/client/sqlite3";
import {
  type Batch,
  BatchCond,
  type BatchStep,
  type Client,
  ClientError,
  ClosedError,
  HttpServerError,
  openHttp,
  openWs,
  parseLibsqlUrl,
  ResponseError,
  type RowsResult,
  Stmt,
  type Stream,
  WebSocketError,
} from "@libsql/hrana-client";
import { withDeadline } from "../worker/lib/retry";
import { createTurns } from "../worker/lib/turns";
import {
  createWriteGroups,
  isChange,
  isRead,
  type SqlClient,
  type SqlResult,
  type SqlStatement,
} from "./sql-client";

type ServerOptions = {
  url: string;
  authToken?: string;
  /** How long a statement waits for the server's response. */
  responseMs?: number;
};

/**
 * Longer than the slowest statement takes. Without it the client waits forever for a server that stops responding.
 */
const RESPONSE_MS = 20_000;
/** Connections of one process. sqld accepts 128 at once. */
const MOST_CONNECTIONS = 12;
/** A connection that was not used for so long may have been dropped by something in between, which would not be noticed. */
const MAX_IDLE_MS = 60_000;

/**
 * A client for a libSQL server. Over a web socket it uses connections again: for each new one sqld opens the database and
 * reads its schema, which takes it seven times as long as a short read. Over HTTP each call has its own.
 *
 * Writes are sent one at a time, and those that wait meanwhile share a transaction. Problem: in sqld 0.24 a write that
 * waits for another one keeps its snapshot, and some checkpoints wait until nobody has one, so that with concurrent
 * writes both wait for each other and nothing is written.
 */
export function openServerClient(options: ServerOptions): SqlClient {
  const { responseMs = RESPONSE_MS } = options;
  const connections = createConnections(options);
  const turns = createTurns();
  const use = async <T>(work: (stream: Stream) => Promise<T>, keeps = true): Promise<T> => {
    const until = performance.now() + responseMs;
    const inTime = (stream: Stream) => {
      // What waited too long for a connection has already failed.
      if (performance.now() >= until) throw late();
      return withDeadline(work(stream), until - performance.now(), late);
    };
    try {
      return await withDeadline(connections.use(inTime, keeps), responseMs, late);
    } catch (error) {
      throw toLibsqlError(error);
    }
  };

  const query = (stmt: Stmt) => use(async (stream) => resultOf(await stream.query(stmt)));
  async function writeAll(batches: Stmt[][]): Promise<Settled[]> {
    try {
      return await use((stream) => writeTogether(stream, batches));
    } catch (error) {
      if (batches.length === 1 || !hasWrittenNothing(error)) throw error;
      const results: Settled[] = [];
      for (const batch of batches)
        results.push(...(await writeAll([batch]).catch((reason) => [rejected(reason)])));
      return results;
    }
  }
  const write = createWriteGroups<{ stmts: Stmt[]; until: number }>(
    (writeGroup) => void turns.take(writeGroup),
    async (group) => {
      // What waited too long for its turn fails as if it had been sent.
      const now = performance.now();
      const inTime = group.filter(({ until }) => until > now);
      const results = inTime.length > 0 ? await writeAll(inTime.map(({ stmts }) => stmts)) : [];
      return group.map((batch) => results[inTime.indexOf(batch)] ?? rejected(late()));
    },
  );
  const change = (stmts: Stmt[]) => write({ stmts, until: performance.now() + responseMs });

  return {
    async execute(statement) {
      const stmt = toStmt(statement);
      if (isRead(statement)) return query(stmt);
      if (!isChange(statement)) return turns.take(() => query(stmt));
      const [result] = await change([stmt]);
      if (!result) throw new Error("A statement without a result");
      return result;
    },
    async batch(statements) {
      const stmts = statements.map(toStmt);
      return statements.every(isRead) ? use((stream) => readTogether(stream, stmts)) : change(stmts);
    },
    migrate: (statements) =>
      turns.take(() => use((stream) => migrate(stream, statements.map(toStmt)), false)),
    close: connections.close,
  };
}

/**
 * Reads one state of the database while others write. The server ends it if it is not used for ten seconds.
 * @throws LibsqlError
 */
export async function openServerSnapshot(
  options: ServerOptions,
): Promise<Pick<SqlClient, "execute" | "close">> {
  const { responseMs = RESPONSE_MS } = options;
  const { stream, client } = connectorOf(options).open();
  const inTime = <T>(work: Promise<T>): Promise<T> =>
    withDeadline(work, responseMs, late).catch((error) => {
      throw toLibsqlError(error);
    });
  function close() {
    stream.close();
    client.close();
  }
  await inTime(stream.run("BEGIN TRANSACTION READONLY")).catch((error: unknown) => {
    close();
    throw error;
  });
  return { execute: async (statement) => resultOf(await inTime(stream.query(toStmt(statement)))), close };
}

/** A connection of sqld's to the database is a stream, which a client's web socket or requests carry. */
type Connection = { stream: Stream; client: Client };

/** How connections to a server are opened: over a web socket, unless its URL permits HTTP. */
function connectorOf({ url, authToken, responseMs = RESPONSE_MS }: ServerOptions) {
  const { hranaWsUrl = "", hranaHttpUrl, authToken: tokenInUrl } = parseLibsqlUrl(url);
  const token = authToken ?? tokenInUrl;
  const fetchInTime = (request: Request) => fetch(request, { signal: AbortSignal.timeout(responseMs) });
  return {
    overSocket: hranaHttpUrl === undefined,
    open(): Connection {
      const client = hranaHttpUrl ? openHttp(hranaHttpUrl, token, fetchInTime) : openWs(hranaWsUrl, token);
      return { client, stream: client.openStream() };
    },
  };
}

/** At most so many connections at once. One whose work fails, except by a constraint, is not used again. */
function createConnections(options: ServerOptions) {
  const { overSocket, open } = connectorOf(options);
  const idle: (Connection & { since: number })[] = [];
  const waiting: (() => void)[] = [];
  let count = 0;
  let isClosed = false;

  function takeIdle(): Connection | undefined {
    for (let found = idle.pop(); found; found = idle.pop()) {
      if (!found.client.closed && performance.now() - found.since < MAX_IDLE_MS) return found;
      found.client.close();
    }
  }

  async function runOverHttp<T>(work: (stream: Stream) => Promise<T>): Promise<T> {
    const { stream } = open();
    const result = work(stream);
    // It is closed by the request that the work sends, not by another one.
    stream.closeGracefully();
    return result;
  }

  async function runOverSocket<T>(work: (stream: Stream) => Promise<T>, keeps: boolean): Promise<T> {
    const { stream, client } = takeIdle() ?? open();
    let isClean = false;
    try {
      const result = await work(stream);
      isClean = keeps;
      return result;
    } catch (error) {
      isClean = keeps && isConstraint(error);
      throw error;
    } finally {
      if (isClean && !isClosed) idle.push({ stream, client, since: performance.now() });
      else client.close();
    }
  }

  return {
    /** Runs the work on a stream that nothing else uses; unless it `keeps` the stream as it was, nothing will. */
    async use<T>(work: (stream: Stream) => Promise<T>, keeps: boolean): Promise<T> {
      if (isClosed) throw new LibsqlError("The client is closed", "CLIENT_CLOSED");
      if (count >= MOST_CONNECTIONS) await new Promise<void>((resolve) => waiting.push(resolve));
      else count += 1;
      try {
        return await (overSocket ? runOverSocket(work, keeps) : runOverHttp(work));
      } finally {
        const next = waiting.shift();
        if (next) next();
        else count -= 1;
      }
    },
    close() {
      isClosed = true;
      for (const { client } of idle.splice(0)) client.close();
    },
  };
}

const late = () => new DOMException("The operation timed out.", "TimeoutError");

type Settled = PromiseSettledResult<SqlResult[]>;
const rejected = (reason: unknown): Settled => ({ status: "rejected", reason });

const toStmt = ({ sql, args }: SqlStatement) => new Stmt(sql).bindIndexes(args);

/** A step of a batch, and its result: undefined if its condition was not met. It never rejects. */
type Step = { step: BatchStep; result: Promise<PromiseSettledResult<RowsResult | undefined>> };

function addStep(batch: Batch, stmt: Stmt | string, condition?: BatchCond): Step {
  const step = batch.step();
  if (condition) step.condition(condition);
  return { step, result: Promise.allSettled([step.query(stmt)]).then(([settled]) => settled) };
}

/** Each statement is run if the one before it, at first `after`, succeeded. */
function addStatements(batch: Batch, stmts: readonly Stmt[], after: Step): Step[] {
  let last = after;
  return stmts.map((stmt) => {
    last = addStep(batch, stmt, BatchCond.ok(last.step));
    return last;
  });
}

/** Reads on one state of the database. */
async function readTogether(stream: Stream, stmts: Stmt[]): Promise<SqlResult[]> {
  const batch = stream.batch();
  const begin = addStep(batch, "BEGIN DEFERRED");
  const reads = addStatements(batch, stmts, begin);
  const commit = addStep(batch, "COMMIT", BatchCond.ok(reads.at(-1)?.step ?? begin.step));
  addStep(batch, "ROLLBACK", BatchCond.not(BatchCond.ok(commit.step)));
  await batch.execute();
  return (await resultsOf([begin, ...reads, commit])).slice(1, -1);
}

/**
 * Writes batches in one transaction, each in a savepoint. All steps are sent at once, with conditions. A failure that
 * ends the transaction ends its savepoints too, so that no later step is run.
 */
async function writeTogether(
  stream: Stream,
  batches: readonly Stmt[][],
  setting?: string,
): Promise<Settled[]> {
  const batch = stream.batch();
  const before = setting === undefined ? [] : [addStep(batch, setting)];
  const begin = addStep(batch, "BEGIN IMMEDIATE", ...before.map(({ step }) => BatchCond.ok(step)));
  let isOpen = BatchCond.ok(begin.step);
  const parts = batches.map((stmts) => {
    const savepoint = addStep(batch, "SAVEPOINT batch", isOpen);
    const changes = addStatements(batch, stmts, savepoint);
    const release = addStep(batch, "RELEASE batch", BatchCond.ok(changes.at(-1)?.step ?? savepoint.step));
    const isReleased = BatchCond.ok(release.step);
    const undo = addStep(
      batch,
      "ROLLBACK TO batch",
      BatchCond.and(batch, [BatchCond.ok(savepoint.step), BatchCond.not(isReleased)]),
    );
    const forget = addStep(batch, "RELEASE batch", BatchCond.ok(undo.step));
    isOpen = BatchCond.or(batch, [isReleased, BatchCond.ok(forget.step)]);
    return [savepoint, ...changes, release];
  });
  const commit = addStep(batch, "COMMIT", isOpen);
  addStep(batch, "ROLLBACK", BatchCond.not(BatchCond.ok(commit.step)));
  await batch.execute();
  const results = await Promise.allSettled(parts.map(resultsOf));
  await resultsOf([...before, begin, commit]).catch((error) => {
    if (error instanceof ClientError) throw error;
    // It was not committed because a part ended it; those after that part were not run.
    const reasons = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    throw reasons.findLast((reason) => reason instanceof ClientError) ?? error;
  });
  return results.map((result) =>
    result.status === "fulfilled"
      ? { ...result, value: result.value.slice(1, -1) }
      : rejected(toLibsqlError(result.reason)),
  );
}

/** Other tables may reference those that the statements rebuild. */
async function migrate(stream: Stream, stmts: Stmt[]): Promise<SqlResult[]> {
  const [result] = await writeTogether(stream, [stmts], "PRAGMA foreign_keys=OFF");
  if (result?.status !== "fulfilled") throw result?.reason;
  return result.value;
}

/** @throws the first failure of the steps */
async function resultsOf(steps: readonly Step[]): Promise<SqlResult[]> {
  const settled = await Promise.all(steps.map(({ result }) => result));
  const failed = settled.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return settled.map((result) => {
    if (result.status === "rejected" || !result.value)
      throw new LibsqlError("The transaction has ended", "TRANSACTION_CLOSED");
    return resultOf(result.value);
  });
}

const resultOf = ({ columnNames, rows, affectedRowCount }: RowsResult): SqlResult => ({
  columns: columnNames.map((name) => name ?? ""),
  rows: rows as unknown as SqlResult["rows"],
  rowsAffected: affectedRowCount,
});

const isConstraint = (error: unknown) =>
  error instanceof ResponseError && error.code?.startsWith("SQLITE_CONSTRAINT") === true;

/** A constraint that is checked at the end, or a text that sqld could not parse, for which it runs none of a group. */
const hasWrittenNothing = (error: unknown) =>
  error instanceof LibsqlError && /^SQL(?:ITE_CONSTRAINT|_)/.test(error.code);

function toLibsqlError(error: unknown): unknown {
  return error instanceof ClientError
    ? new LibsqlError(error.message, codeOf(error), undefined, undefined, error)
    : error;
}

/** `isDatabaseUnavailable` knows these codes. */
function codeOf(error: unknown): string {
  if (error instanceof ResponseError) return error.code ?? "UNKNOWN";
  if (error instanceof HttpServerError) return "SERVER_ERROR";
  if (error instanceof WebSocketError) return "HRANA_WEBSOCKET_ERROR";
  return error instanceof ClosedError ? "HRANA_CLOSED_ERROR" : "UNKNOWN";
}
