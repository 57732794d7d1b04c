import { getTableColumns, getTableName, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Database, runBatch, type Statement } from "../client";
import { runWithoutTriggers } from "../maintenance";
import { pagesAfter } from "../queries/query-helpers";
import { emptySearchIndex } from "../queries/search";
import { ARCHIVED_TABLES, EXCLUDED_TABLES } from "./tables";

export type Row = Record<string, unknown>;
/** The highest id ever assigned in each table, by SQL table name. */
export type LastIds = Record<string, number>;

const PAGE = 500;

/**
 * The columns of a table by their names in an archive: the SQL names in camel case. Renaming a property in the code
 * keeps older archives readable.
 */
function archiveColumns(table: SQLiteTable) {
  return Object.entries(getTableColumns(table)).map(([property, column]) => ({
    property,
    column,
    name: column.name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  }));
}

/** All rows of a table, a page at a time. */
export async function* readPages(db: Database, table: SQLiteTable): AsyncGenerator<Row[]> {
  const position = sql<number>`rowid`;
  const columns = Object.fromEntries(archiveColumns(table).map(({ name, column }) => [name, column]));
  const select = (after: number) =>
    db
      .select({ id: position, row: columns })
      .from(table)
      .where(sql`rowid > ${after}`)
      .orderBy(position)
      .limit(PAGE);
  for await (const page of pagesAfter(PAGE, select)) yield page.map(({ row }) => row);
}

/** Inserts the rows of an archive with their ids: all or none of them. */
export function insertRows(db: Database, table: SQLiteTable, rows: Row[]): Promise<void> {
  const columns = archiveColumns(table);
  const valuesOf = (row: Row) =>
    Object.fromEntries(columns.map(({ property, name }) => [property, row[name]]));
  return runBatch(
    db,
    rows.map((row) => db.insert(table).values(valuesOf(row))),
  );
}

/** The number of rows that an import would replace. */
export async function countArchivedRows(db: Database): Promise<number> {
  let count = 0;
  for (const table of Object.values(ARCHIVED_TABLES)) count += await db.$count(table);
  return count;
}

/** Deletes every row in one batch, with what follows, including those of the audit log, which triggers protect from the app. */
export async function deleteAllRows(db: Database, then: readonly Statement[] = []): Promise<void> {
  const tables = [...Object.values(ARCHIVED_TABLES), ...Object.values(EXCLUDED_TABLES)].reverse();
  const statements = tables.map((table): Statement => db.delete(table));
  await runWithoutTriggers(db, sql`true`, [...statements, emptySearchIndex(db), ...then]);
}

/** Reads the id sequences, so that the id of a deleted row is never assigned again. */
export async function readLastIds(db: Database): Promise<LastIds> {
  const rows = await db.all<{ name: string; seq: number }>(sql`select name, seq from sqlite_sequence`);
  const moved = new Set(Object.values(ARCHIVED_TABLES).map(getTableName));
  return Object.fromEntries(rows.filter(({ name }) => moved.has(name)).map(({ name, seq }) => [name, seq]));
}

/** Continues the id sequences of the exported instance. */
export async function writeLastIds(db: Database, lastIds: LastIds): Promise<void> {
  for (const [name, last] of Object.entries(lastIds)) {
    await db.run(sql`delete from sqlite_sequence where name = ${name}`);
    await db.run(sql`insert into sqlite_sequence (name, seq) values (${name}, ${last})`);
  }
}
