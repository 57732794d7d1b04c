import type { SqlResult } from "./sql-client";

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
