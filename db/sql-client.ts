import type { InValue, ResultSet } from "@libsql/client";

export type SqlStatement = { sql: string; args: InValue[] };
export type SqlResult = Pick<ResultSet, "columns" | "rows" | "rowsAffected">;

/**
 * The methods of libSQL's client that Drizzle uses. `openFileClient` implements them for a file, `openServerClient` for a
 * server. Every failure of SQLite is a `LibsqlError` with its code.
 */
export interface SqlClient {
  execute(statement: SqlStatement): Promise<SqlResult>;
  /** Runs all statements or none. */
  batch(statements: SqlStatement[]): Promise<SqlResult[]>;
  /** A batch that may change tables that others reference: it runs without foreign keys. */
  migrate(statements: SqlStatement[]): Promise<SqlResult[]>;
  close(): void;
}

export const isRead = ({ sql }: SqlStatement): boolean => /^\s*select\b/i.test(sql);
/** Whether the statement changes rows: it may be part of a transaction, which `PRAGMA` and `VACUUM` may not. */
export const isChange = ({ sql }: SqlStatement): boolean => /^\s*(?:insert|update|delete|with)\b/i.test(sql);

/** Batches that share a transaction: nothing else is written until all of them are. */
const TOGETHER = 20;

type Waiting<Batch> = {
  batch: Batch;
  resolve(results: SqlResult[]): void;
  reject(reason: unknown): void;
};

/**
 * Collects batches that wait for the same time, so that they share a transaction and its fsync. One that fails does not
 * affect the others.
 * @param next calls the function when the next group may be written
 * @param write writes a group; fails if none of it, or an unknown part, was written
 */
export function createWriteGroups<Batch>(
  next: (writeGroup: () => Promise<void>) => void,
  write: (group: Batch[]) => Promise<PromiseSettledResult<SqlResult[]>[]>,
): (batch: Batch) => Promise<SqlResult[]> {
  const waiting: Waiting<Batch>[] = [];

  async function writeGroup() {
    const group = waiting.splice(0, TOGETHER);
    if (waiting.length > 0) next(writeGroup);
    try {
      const results = await write(group.map(({ batch }) => batch));
      for (const [index, result] of results.entries())
        if (result.status === "fulfilled") group[index]?.resolve(result.value);
        else group[index]?.reject(result.reason);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return (batch) =>
    new Promise<SqlResult[]>((resolve, reject) => {
      if (waiting.push({ batch, resolve, reject }) === 1) next(writeGroup);
    });
}
