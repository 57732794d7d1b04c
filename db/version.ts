import { sql } from "drizzle-orm";
import type { Database } from "./client";
import journal from "./migrations/meta/_journal.json";

/** How a database's tables compare with those of this version. `unknown` has tables that no release of this app created. */
export type SchemaState = "none" | "older" | "same" | "newer" | "unknown";

/** The tool that applied the migrations, and the table in which it records them. */
type Migrator = { table: string; mark: string; known: readonly string[] };

const MIGRATORS = {
  drizzle: {
    table: "__drizzle_migrations",
    mark: "cast(cast(created_at as integer) as text)",
    known: journal.entries.map(({ when }) => String(when)),
  },
  wrangler: {
    table: "d1_migrations",
    mark: "name",
    known: journal.entries.map(({ tag }) => `${tag}.sql`),
  },
} satisfies Record<string, Migrator>;

/** The migrations that this version knows, in order. */
export const MIGRATIONS: readonly string[] = journal.entries.map(({ tag }) => tag);

/** The last migration that this version knows. */
export const LAST_MIGRATION = journal.entries.at(-1)?.tag ?? "";

/** Compares a libSQL database with the migrations of this version. */
export async function schemaState(db: Database): Promise<SchemaState> {
  const tables = await db.all<{ name: string }>(
    sql`select name from sqlite_master where name in ('users', ${MIGRATORS.drizzle.table})`,
  );
  const has = (name: string) => tables.some((table) => table.name === name);
  const applied = has(MIGRATORS.drizzle.table) ? await appliedMigrations(db, MIGRATORS.drizzle) : [];
  return applied.length === 0 && has("users") ? "unknown" : compare(applied, MIGRATORS.drizzle.known);
}

/** Compares a D1 database with the migrations of this version. Takes one round trip. */
async function d1SchemaState(db: Database): Promise<SchemaState> {
  try {
    return compare(await appliedMigrations(db, MIGRATORS.wrangler), MIGRATORS.wrangler.known);
  } catch (error) {
    if (/no such table/i.test(String(error instanceof Error ? error.cause : error))) return "none";
    throw error;
  }
}

async function appliedMigrations(db: Database, { table, mark }: Migrator): Promise<string[]> {
  const rows = await db.all<{ mark: string }>(
    sql.raw(`select ${mark} as mark from "${table}" order by mark`),
  );
  return rows.map((row) => row.mark);
}

function compare(applied: readonly string[], known: readonly string[]): SchemaState {
  if (applied.length === 0) return "none";
  const shared = Math.min(applied.length, known.length);
  for (let index = 0; index < shared; index += 1) if (applied[index] !== known[index]) return "unknown";
  if (applied.length === known.length) return "same";
  return applied.length > known.length ? "newer" : "older";
}

/** A database whose tables this version cannot work with. Its message is a sentence for the operator. */
export class SchemaError extends Error {
  constructor(readonly state: Exclude<SchemaState, "same">) {
    super(`${SCHEMA_PROBLEMS[state].problem}: ${SCHEMA_PROBLEMS[state].advice}`);
  }
}

const MIGRATE = "start the server once, or for a Worker run `bun run deploy`";

/** What is wrong with a database in this state, and what to do about it. */
export const SCHEMA_PROBLEMS: Record<Exclude<SchemaState, "same">, { problem: string; advice: string }> = {
  none: { problem: "The database has no tables yet", advice: MIGRATE },
  older: { problem: "The database was written by an older version", advice: MIGRATE },
  newer: {
    problem: `The database was written by a newer version, and this one knows no schema after ${LAST_MIGRATION}`,
    advice: "start the newer version, or restore a backup that this version wrote",
  },
  unknown: {
    problem: "The database contains tables that no release of this app created",
    advice: "start the version that created them, or choose another database",
  },
};

/**
 * The state of a libSQL database to which the migrations of this version can be applied, as far as they are not.
 * @throws SchemaError if they cannot be
 */
export async function requireMigratable(db: Database): Promise<"none" | "older" | "same"> {
  const state = await schemaState(db);
  if (state !== "same" && state !== "older" && state !== "none") throw new SchemaError(state);
  return state;
}

/**
 * Requires that a libSQL database has exactly the migrations of this version.
 * @throws SchemaError
 */
export async function requireCurrent(db: Database): Promise<void> {
  const state = await schemaState(db);
  if (state !== "same") throw new SchemaError(state);
}

/**
 * Requires that a D1 database has exactly the migrations of this version: a Worker cannot apply them itself.
 * @throws SchemaError
 */
export async function requireMigrated(db: Database): Promise<void> {
  const state = await d1SchemaState(db);
  if (state !== "same") throw new SchemaError(state);
}
