import { listOrphanKeys } from "../../db/queries/upload-leases";
import { size } from "./administration/text";
import type { FileProblem } from "./archive/archive-folder";
import type { Stores } from "./archive/import-archive";
import { createFileCheck, readStoredFiles, type StoredFile } from "./archive/stored-files";

export type Progress = { files: number; total: number; bytes: number };
type Options = {
  /** Reads only this number of files, chosen at random. */
  sample?: number;
  /** Reads no further file after this number of bytes. */
  maxBytes?: number;
  onProgress?(progress: Progress): void;
};

/**
 * Reads the stored files and compares each with the size and SHA-256 in its row.
 * @throws StartError if the store fails
 */
export async function verifyFiles(
  { db, files }: Stores,
  { sample, maxBytes = Number.POSITIVE_INFINITY, onProgress }: Options = {},
): Promise<Progress & { problems: FileProblem[] }> {
  const check = createFileCheck(files);
  const { chosen, total } = await chooseFiles(db, sample);
  const problems: FileProblem[] = [];
  const progress = { files: 0, total, bytes: 0 };
  for await (const page of chosen) {
    for (const file of page) {
      if (progress.bytes >= maxBytes) break;
      const { problem } = await check(file, async (chunk) => {
        progress.bytes += chunk.length;
      });
      progress.files += 1;
      if (problem) problems.push(problem);
      onProgress?.(progress);
    }
  }
  return { ...progress, problems: await stillReferenced(db, problems) };
}

type Pages = AsyncIterable<StoredFile[]> | StoredFile[][];

/** All files, or a random sample of them, each with the same probability. */
async function chooseFiles(db: Stores["db"], sample?: number): Promise<{ chosen: Pages; total: number }> {
  const all = () => readStoredFiles(db, { staged: true });
  const chosen: StoredFile[] = [];
  let total = 0;
  for await (const page of all()) {
    for (const file of page) {
      total += 1;
      const index = total <= (sample ?? 0) ? total - 1 : Math.floor(Math.random() * total);
      if (index < (sample ?? 0)) chosen[index] = file;
    }
  }
  return { chosen: sample === undefined ? all() : [chosen], total };
}

/** Users may have deleted files since the rows were read. */
export async function stillReferenced(db: Stores["db"], problems: FileProblem[]): Promise<FileProblem[]> {
  const keys = problems.map(({ key }) => key);
  const orphans = new Set(keys.length > 0 ? await listOrphanKeys(db, keys) : []);
  return problems.filter(({ key }) => !orphans.has(key));
}

/** How often the progress is shown in a terminal, and elsewhere, such as in a log. */
const TERMINAL_MS = 200;
const LOG_MS = 10_000;

/** Creates a function that writes the progress to stderr at intervals. */
export function showProgress(): (progress: Progress) => void {
  const { isTTY } = process.stderr;
  let shownAt = performance.now();
  return ({ files, total, bytes }) => {
    const isLast = files === total;
    if (performance.now() - shownAt < (isTTY ? TERMINAL_MS : LOG_MS) && !(isTTY && isLast)) return;
    shownAt = performance.now();
    const line = `${files} of ${total} files, ${size(bytes)}`;
    process.stderr.write(isTTY ? `\r\x1b[K${line}${isLast ? "\n" : ""}` : `${line}\n`);
  };
}
