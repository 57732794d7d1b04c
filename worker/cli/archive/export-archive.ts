import { mkdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { file, write } from "bun";
import { readLastIds, readPages } from "../../../db/archive/rows";
import { ARCHIVED_TABLES } from "../../../db/archive/tables";
import type { Database } from "../../../db/client";
import { databaseBytes } from "../../../db/maintenance";
import { listInstanceIds } from "../../../db/queries/instance";
import { LAST_MIGRATION } from "../../../db/version";
import { errorCode } from "../../adapters/bun/files/disk-errors";
import { moveDurably, syncPath, writeSynced } from "../../adapters/bun/files/durable-file";
import { openFile } from "../../adapters/bun/files/open-file";
import { removeFolder } from "../../adapters/bun/files/remove-folder";
import { StartError } from "../../adapters/bun/start-error";
import { VERSION } from "../../lib/version";
import type { FileStore } from "../../ports/file-store";
import { sayLeft } from "../messages";
import {
  type FileEntry,
  type FileProblem,
  type Fingerprint,
  FORMAT,
  fileListPath,
  filePath,
  fingerprintLists,
  type Manifest,
  pump,
  rowsPath,
  secretKeysPath,
  writeManifest,
} from "./archive-folder";
import type { LinkedFiles } from "./linked-files";
import { createFileCheck, problemOf, readStoredFiles, type StoredFile } from "./stored-files";

export type Source = {
  files: FileStore;
  /** The current rows. Called again if files were deleted before they were copied. */
  rows(): Promise<Database>;
  /** Files that need not be copied. */
  earlier?: LinkedFiles;
  /** The keys that decrypt secrets of the rows. Read after them: a rotation may have encrypted those again meanwhile. */
  secretKeys?(): Promise<readonly string[]>;
  /** Throws if so many bytes do not fit on the disk of the archive. */
  requireSpace?(bytes: number): Promise<void>;
};

/** How often rows are read again because files were deleted meanwhile. Each attempt copies only new files. */
const MAX_ATTEMPTS = 100;

/**
 * Writes all accounts with their rows and files into a new folder. The folder appears only when it is complete and on
 * disk. Files that are not as their rows say do not prevent that: the manifest names them.
 * @throws StartError with a one-line reason
 */
export async function exportArchive(source: Source, folder: string): Promise<Manifest> {
  if (await stat(folder).catch(() => null))
    throw new StartError(`${folder} already exists; name a new folder`);
  const target = `${folder}.${process.pid}.part`;
  try {
    await mkdir(join(target, "rows"), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw new StartError(`Cannot write to ${dirname(folder)} (${errorCode(error)})`);
    });
    await mkdir(join(target, "files"));
    const copied = await copyFiles(source, target);
    const manifest = await writeRows(copied, target, source);
    for (const path of [join(target, "rows"), join(target, "files"), target]) await syncPath(path);
    await moveDurably(target, folder);
    return manifest;
  } catch (error) {
    // The first error says more.
    if (await stat(target).catch(() => null)) await removeFolder(target).catch(sayLeft(target));
    throw error;
  }
}

type Copied = { db: Database; entries: FileEntry[]; problems: FileProblem[] };

/**
 * Copies the files of all rows and returns the rows they belong to. A file never changes under its key. One that is
 * missing may have been deleted with its row since the rows were read, so the rows are read again.
 */
async function copyFiles(source: Source, target: string): Promise<Copied> {
  const { files, rows, earlier, requireSpace } = source;
  const check = createFileCheck(files);
  const stored = earlier && new Set((await Array.fromAsync(files.list())).flat());
  const copied = new Map<string, FileEntry>();
  const problems = new Map<string, FileProblem>();
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const db = await rows();
    await requireSpace?.((await databaseBytes(db)) + (await bytesToCopy(db, source, copied)));
    const named = new Set<string>();
    let missing = 0;
    for await (const page of readStoredFiles(db)) {
      for (const file of page) {
        const { key } = file;
        named.add(key);
        const known = problems.get(key);
        if (copied.has(key) || known?.problem === "unreadable") continue;
        const path = filePath(target, key);
        const linked = await earlier?.link(file, path);
        const { found, problem } = linked
          ? { found: linked, ...(!stored?.has(key) && { problem: problemOf(file, "missing") }) }
          : await copyOut(check, file, path, requireSpace);
        if (found) copied.set(key, { key, size: found.size, sha256: found.sha256 });
        if (problem) problems.set(key, problem);
        else problems.delete(key);
        if (problem?.problem === "missing" && !known) missing += 1;
      }
    }
    if (missing > 0) continue;
    for (const key of copied.keys()) if (!named.has(key)) await rm(filePath(target, key));
    return {
      db,
      entries: [...named].flatMap((key) => copied.get(key) ?? []),
      problems: [...named].flatMap((key) => problems.get(key) ?? []),
    };
  }
  throw new StartError("Files were deleted faster than they could be copied; try again later");
}

/** Of the files of the rows that are neither copied nor shared. */
async function bytesToCopy(
  db: Database,
  { earlier }: Source,
  copied: ReadonlyMap<string, FileEntry>,
): Promise<number> {
  let bytes = 0;
  for await (const page of readStoredFiles(db))
    for (const file of page) if (!copied.has(file.key) && !earlier?.has(file)) bytes += file.size ?? 0;
  return bytes;
}

async function copyOut(
  check: ReturnType<typeof createFileCheck>,
  file: StoredFile,
  path: string,
  requireSpace: Source["requireSpace"],
) {
  // Others write to the disk meanwhile.
  await requireSpace?.(file.size ?? 0);
  const target = await openFile(path, "wx");
  try {
    const checked = await check(file, (chunk) => target.write(chunk));
    if (checked.found) await target.sync();
    else await rm(path);
    return checked;
  } finally {
    await target.close();
  }
}

async function writeRows(
  { db, entries, problems }: Copied,
  target: string,
  { secretKeys, requireSpace }: Source,
): Promise<Manifest> {
  const rows: Manifest["rows"] = {};
  for (const [name, table] of Object.entries(ARCHIVED_TABLES))
    rows[name] = await writeLines(rowsPath(target, name), checked(readPages(db, table), requireSpace));
  await requireSpace?.(0);
  const count = await writeLines(fileListPath(target), [entries]);
  const lastIds = await readLastIds(db);
  const madeAt = new Date().toISOString();
  const lists = await fingerprintLists(target, Object.keys(rows));
  const instances = await listInstanceIds(db);
  const summary = { format: FORMAT, version: VERSION, migration: LAST_MIGRATION, madeAt, instances };
  const keys = secretKeys && { secretKeys: await writeSecretKeys(target, await secretKeys()) };
  const manifest = { ...summary, rows, lastIds, files: count, problems, ...keys, lists };
  await writeManifest(target, manifest);
  return manifest;
}

/** The pages, each once there is space for it. */
async function* checked<Page>(pages: AsyncIterable<Page>, requireSpace: Source["requireSpace"]) {
  for await (const page of pages) {
    await requireSpace?.(0);
    yield page;
  }
}

async function writeSecretKeys(target: string, keys: readonly string[]): Promise<Fingerprint> {
  const bytes = new TextEncoder().encode(keys.map((key) => `${key}\n`).join(""));
  await writeSynced(secretKeysPath(target), bytes);
  return pump(new Blob([bytes]).stream(), () => {});
}

/** Writes each value as a line of JSON and syncs the file. @returns the number of lines */
async function writeLines(path: string, pages: AsyncIterable<unknown[]> | unknown[][]): Promise<number> {
  const lines = file(path).writer();
  let count = 0;
  for await (const page of pages) {
    for (const value of page) lines.write(`${JSON.stringify(value)}\n`);
    await lines.flush();
    count += page.length;
  }
  await lines.end();
  // The writer creates no file if nothing is written.
  if (count === 0) await write(path, "");
  await syncPath(path);
  return count;
}
