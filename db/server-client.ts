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
import {
  createTurns,
  isChange,
  isRead,
  type SqlClient,
  type SqlResult,
  type SqlStatement,
} from "./sql-client";
import { createWriteGroups } from "./write-groups";

export type ServerOptions = {
  url: string;
  authToken?: string;
  /** How long a statement waits for the server's answer. */
  responseMs: number;
};

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
  const { responseMs } = options;
  const streams = openStreams(options);
  const turns = createTurns();
  const use = async <T>(work: (stream: Stream) => Promise<T>, keeps = true): Promise<T> => {
    const until = performance.now() + responseMs;
    const inTime = (stream: Stream) => {
      // What waited too long for a stream has already failed.
      if (performance.now() >= until) throw late();
      return withDeadline(work(stream), until - performance.now(), late);
    };
    try {
      return await withDeadline(streams.use(inTime, keeps), responseMs, late);
    } catch (error) {
      throw toLibsqlError(error);
    }
  };

  const query = (statement: Stmt) => use(async (stream) => resultOf(await stream.query(statement)));
  async function writeAll(batches: Stmt[][]): Promise<PromiseSettledResult<SqlResult[]>[]> {
    try {
      return await use((stream) => writeTogether(stream, batches));
    } catch (error) {
      if (batches.length === 1 || !hasWrittenNothing(error)) throw error;
      const results: PromiseSettledResult<SqlResult[]>[] = [];
      for (const batch of batches)
        results.push(
          ...(await writeAll([batch]).catch((reason) => [{ status: "rejected" as const, reason }])),
        );
      return results;
    }
  }
  const write = createWriteGroups<{ stmts: Stmt[]; until: number }>(
    (writeGroup) => void turns.take(writeGroup),
    async (group) => {
      // What waited too long fails as if it had been sent.
      const isLate = group.map(({ until }) => performance.now() >= until);
      const inTime = group.filter((_, index) => !isLate[index]).map(({ stmts }) => stmts);
      const results = inTime.length > 0 ? await writeAll(inTime) : [];
      return isLate.map(
        (isLate): PromiseSettledResult<SqlResult[]> =>
          (!isLate && results.shift()) || { status: "rejected", reason: late() },
      );
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
    close: streams.close,
  };
}

/** A stream is what sqld calls a connection to the database. */
type Opened = { stream: Stream; client: Client; usedAt: number };

/** Streams of one server. One whose work fails, except by a constraint, is not used again. */
function openStreams({ url, authToken, responseMs }: ServerOptions) {
  const { hranaWsUrl, hranaHttpUrl = "", authToken: tokenInUrl } = parseLibsqlUrl(url);
  const token = authToken ?? tokenInUrl;
  // A `libsql:` URL permits both.
  const overSocket = hranaWsUrl !== undefined && !hranaHttpUrl;
  const http = overSocket ? undefined : openHttp(hranaHttpUrl, token, fetchWithin(responseMs));
  const idle: Opened[] = [];
  const waiting: (() => void)[] = [];
  let count = 0;
  let isClosed = false;

  function open(): Opened {
    const client = http ?? openWs(hranaWsUrl ?? "", token);
    return { client, stream: client.openStream(), usedAt: performance.now() };
  }

  function takeIdle(): Opened | undefined {
    for (let opened = idle.pop(); opened; opened = idle.pop()) {
      if (!opened.client.closed && performance.now() - opened.usedAt < MAX_IDLE_MS) return opened;
      opened.client.close();
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
    const opened = takeIdle() ?? open();
    let isClean = false;
    try {
      const result = await work(opened.stream);
      isClean = keeps;
      return result;
    } catch (error) {
      isClean = keeps && isConstraint(error);
      throw error;
    } finally {
      opened.usedAt = performance.now();
      if (isClean && !isClosed) idle.push(opened);
      else opened.client.close();
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
      http?.close();
    },
  };
}

const late = () => new DOMException("The operation timed out.", "TimeoutError");

export const fetchWithin = (milliseconds: number) => (request: Request) =>
  fetch(request, { signal: AbortSignal.timeout(milliseconds) });

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
): Promise<PromiseSettledResult<SqlResult[]>[]> {
  const batch = stream.batch();
  if (setting) addStep(batch, setting);
  const begin = addStep(batch, "BEGIN IMMEDIATE");
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
  await resultsOf([begin, commit]).catch((error) => {
    if (error instanceof ClientError) throw error;
    // It was not committed because a part ended it; those after that part were not run.
    const reasons = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    throw reasons.findLast((reason) => reason instanceof ClientError) ?? error;
  });
  return results.map((result) =>
    result.status === "fulfilled"
      ? { ...result, value: result.value.slice(1, -1) }
      : { ...result, reason: toLibsqlError(result.reason) },
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
