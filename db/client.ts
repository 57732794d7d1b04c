import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";

/**
 * The database as the app sees it: libSQL or D1. Use `batch` for several writes: it is atomic on both. Interactive
 * transactions are not available: D1 has none, and libSQL's block the event loop.
 */
export type Database = Omit<BaseSQLiteDatabase<"async", unknown>, "transaction"> & {
  batch<U extends BatchItem<"sqlite">, T extends Readonly<[U, ...U[]]>>(
    statements: T,
  ): Promise<BatchResponse<T>>;
};

export type Statement = BatchItem<"sqlite">;

/** Runs the statements as one batch: all of them or none. Does nothing for an empty list. */
export async function runBatch(db: Database, statements: Statement[]): Promise<void> {
  const [first, ...rest] = statements;
  if (first) await db.batch([first, ...rest]);
}

/** A query that can be the last statement of a batch. */
export type Query<Row> = RunnableQuery<Row[], "sqlite">;

/**
 * The same, with a query of what they have written as the last statement: a read after the batch may find that the caller
 * has lost access meanwhile, although everything was written.
 */
export async function runBatchAndRead<Row>(
  db: Database,
  statements: Statement[],
  query: Query<Row>,
): Promise<Row[]> {
  const [first, ...rest] = [...statements, query];
  const results = await db.batch([first ?? query, ...rest]);
  return results.at(-1) as Row[];
}
