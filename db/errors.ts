import { type Column, DrizzleQueryError, getTableName } from "drizzle-orm";
import { CasingCache } from "drizzle-orm/casing";

/** A constraint that rejected a write. */
export type Conflict = {
  kind: "unique" | "foreign key" | "not null" | "check";
  /** The SQL table; null if the driver does not report it, as for a foreign key inside a batch. */
  table: string | null;
  /** The SQL columns; for a check constraint, its name. */
  columns: readonly string[];
};

const CONSTRAINT =
  /\b(UNIQUE|FOREIGN KEY|NOT NULL|CHECK) constraint failed(?:: (.+?))?(?:: SQLITE_CONSTRAINT.*)?$/m;
const WRITTEN_TABLE = /^\s*(?:insert into|update|delete from)\s+"(\w+)"/i;

/** libSQL: the disk is full. D1: the database has reached its maximum size. */
const FULL = /SQLITE_FULL|database or disk is full|maximum DB size/i;
/** libSQL: another process is writing, or the disk is failing or read-only. D1: overloaded, moved or restarted. */
const UNAVAILABLE =
  /SQLITE_(?:BUSY|IOERR|CANTOPEN|READONLY)|database is locked|D1 DB is overloaded|D1 DB reset|Network connection lost|transient issue on remote|object to be reset|limit and was reset/i;
/** A libSQL server that is unreachable, disconnects or does not answer in time. */
const SERVER_UNREACHABLE =
  /SERVER_ERROR: |HRANA_(?:WEBSOCKET|CLOSED)_ERROR|E(?:CONNREFUSED|CONNRESET|NOTFOUND|PIPE|TIMEDOUT|AI_AGAIN)\b|socket connection was closed|operation timed out/i;
const BUSY = /SQLITE_BUSY|database is locked/i;

/** The violated constraint, if the error names one. */
export function conflictOf(error: unknown): Conflict | undefined {
  const [, name, detail = ""] = CONSTRAINT.exec(driverText(error)) ?? [];
  if (!name) return undefined;
  const kind = name.toLowerCase() as Conflict["kind"];
  if (kind === "check") return { kind, table: null, columns: [detail] };
  const named = detail.split(", ").map((column) => column.split("."));
  const [table] = named[0]?.length === 2 ? named[0] : [writtenTable(error)];
  return { kind, table: table ?? null, columns: named.flatMap(([, column]) => column ?? []) };
}

/** Whether a write violated a constraint on this column, alone or together with other columns. */
export function violates(error: unknown, kind: Conflict["kind"], column: Column): boolean {
  const conflict = conflictOf(error);
  return (
    conflict?.kind === kind &&
    conflict.table === getTableName(column.table) &&
    conflict.columns.includes(casing.getColumnCasing(column))
  );
}

/** Whether a row that the write refers to was deleted meanwhile. */
export const isReferenceGone = (error: unknown): boolean => conflictOf(error)?.kind === "foreign key";

export const isDatabaseFull = (error: unknown): boolean => FULL.test(driverText(error));

/** Whether the same call may soon succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const text = driverText(error);
  return UNAVAILABLE.test(text) || SERVER_UNREACHABLE.test(text);
}

/** Whether another process holds the lock that the statement needs. */
export const isDatabaseBusy = (error: unknown): boolean => BUSY.test(driverText(error));

const casing = new CasingCache("snake_case");

/**
 * The messages of all causes: libSQL and D1 put SQLite's message at different depths. Drizzle's own message is left
 * out because it quotes parameters.
 */
function driverText(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const own = error instanceof DrizzleQueryError ? "" : `${error.message}\n`;
  return own + driverText(error.cause);
}

function writtenTable(error: unknown): string | undefined {
  return error instanceof DrizzleQueryError ? WRITTEN_TABLE.exec(error.query)?.[1] : undefined;
}
