import { type Row, readPages } from "../../../db/archive/rows";
import { FILE_TABLES } from "../../../db/archive/tables";
import type { Database } from "../../../db/client";
import { StartError } from "../../adapters/bun/start-error";
import type { FileStore } from "../../ports/file-store";
import { reasonOf } from "../doctor/finding";
import { type FileProblem, type Fingerprint, pump } from "./archive-folder";

/** A file that a row references, and what the row says of it; null for what it does not say. */
export type StoredFile = {
  key: string;
  size: number | null;
  sha256: string | null;
  /** What it belongs to, such as `envelope 12`. */
  owner: string;
};

const PROBLEMS = {
  missing: "is missing from the store",
  damaged: "has changed since it was uploaded: its SHA-256 is another one",
  unreadable: "cannot be read",
} as const satisfies Record<FileProblem["problem"], string>;

export const problemOf = ({ key, owner }: StoredFile, problem: FileProblem["problem"]): FileProblem => ({
  key,
  owner,
  problem,
});

const UPLOADS = "/uploads/";
/** How many problems are printed. */
const NAMED = 20;
/** More unreadable files than this are a failure of the store. */
const MAX_UNREADABLE = 10;

/** The files that an archive contains, one page of rows at a time; with `staged`, also those not submitted yet. */
export async function* readStoredFiles(db: Database, { staged = false } = {}): AsyncGenerator<StoredFile[]> {
  for (const table of [...FILE_TABLES.archived, ...(staged ? FILE_TABLES.staged : [])]) {
    for await (const page of readPages(db, table)) {
      const files = page.flatMap(storedFiles);
      if (files.length > 0) yield files;
    }
  }
}

/** The file of a submission or a complete upload, unless it was deleted, a form, a user's picture, or a workspace's logo. */
export function storedFiles(row: Row): StoredFile[] {
  const { filePath, avatarUrl, logoUrl, deletedAt, completedAt } = row;
  if (typeof filePath === "string") {
    const file = { key: filePath, size: numberOf(row.fileSize), sha256: textOf(row.sha256) };
    const owner = row.envelopeId ? `envelope ${row.envelopeId}` : `form of workspace ${row.workspaceId}`;
    return deletedAt || completedAt === null ? [] : [{ ...file, owner }];
  }
  if (typeof logoUrl === "string" && logoUrl.startsWith(UPLOADS)) {
    const logo = { key: logoUrl.slice(UPLOADS.length), size: numberOf(row.logoSize), sha256: null };
    return [{ ...logo, owner: `logo of workspace ${row.id}` }];
  }
  const isPicture = typeof avatarUrl === "string" && avatarUrl.startsWith(UPLOADS);
  if (!isPicture) return [];
  const picture = { key: avatarUrl.slice(UPLOADS.length), size: numberOf(row.avatarSize), sha256: null };
  return [{ ...picture, owner: `picture of account ${row.id}` }];
}

const numberOf = (value: unknown) => (typeof value === "number" ? value : null);
const textOf = (value: unknown) => (typeof value === "string" ? value : null);

/** Whether these bytes are the file of the row. */
export const matchesRow = ({ size, sha256 }: StoredFile, found: Fingerprint): boolean =>
  (size === null || size === found.size) && (sha256 === null || sha256 === found.sha256);

export type CheckedFile = { found?: Fingerprint; problem?: FileProblem };
type WriteChunk = (chunk: Uint8Array) => Promise<unknown>;

/**
 * Creates a function that reads a file completely, compares it with its row and passes the bytes on; a failure to pass
 * them on is thrown.
 * @throws StartError once too many files cannot be read
 */
export function createFileCheck(files: FileStore) {
  let unreadable = 0;
  return async (file: StoredFile, write: WriteChunk = async () => {}): Promise<CheckedFile> => {
    let failure: unknown;
    const passOn: WriteChunk = (chunk) =>
      write(chunk).catch((error) => {
        failure = error;
        throw error;
      });
    try {
      const bytes = await files.read(file.key);
      if (!bytes) return { problem: problemOf(file, "missing") };
      const found = await pump(bytes, passOn);
      return matchesRow(file, found) ? { found } : { found, problem: problemOf(file, "damaged") };
    } catch (error) {
      if (failure) throw failure;
      unreadable += 1;
      if (unreadable > MAX_UNREADABLE) throw new StartError(`The file store fails: ${reasonOf(error)}`);
      return { problem: problemOf(file, "unreadable") };
    }
  };
}

/** The exit code of a command that did its work, but found files that are not as their rows say. */
const INCOMPLETE = 2;

/** Prints the problems, what to do about them, and returns the exit code. */
export function exitCodeOf(problems: readonly FileProblem[] = []): number {
  if (problems.length === 0) return 0;
  const lines = problems
    .slice(0, NAMED)
    .map(({ key, owner, problem }) => `${key} (${owner}) ${PROBLEMS[problem]}`);
  if (problems.length > NAMED) lines.push(`and ${problems.length - NAMED} more`);
  const advice =
    "copy them from the folder `files` of an older backup into the store, as the server's user, or delete their envelopes";
  process.stderr.write(`${[...lines, `→ ${advice}`].join("\n")}\n`);
  return INCOMPLETE;
}
