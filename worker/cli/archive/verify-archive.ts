import type { Row } from "../../../db/archive/rows";
import { ARCHIVED_TABLES } from "../../../db/archive/tables";
import { MIGRATIONS } from "../../../db/version";
import { StartError } from "../../adapters/bun/start-error";
import { requireFileKey } from "../../adapters/shared/file-key";
import { secretKeys } from "../../lib/variable-kinds";
import { VERSION } from "../../lib/version";
import {
  archivedFile,
  type FileEntry,
  type FileProblem,
  FORMAT,
  fileListPath,
  filePath,
  fingerprintLists,
  type Manifest,
  pump,
  readLines,
  readManifest,
  rowsPath,
  secretKeysPath,
} from "./archive-folder";
import { matchesRow, storedFiles } from "./stored-files";

/**
 * Reads the whole archive once, with each of its files. Archives of earlier migrations are accepted, because later
 * migrations only add columns and tables.
 * @returns its manifest, without the problems of files that an earlier backup had
 * @throws StartError if it is incomplete, damaged or from a version that this one does not read
 */
export async function verifyArchive(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  requireKnownVersion(manifest);
  try {
    await requireLists(folder, manifest);
    const entries = new Map<string, FileEntry>();
    for await (const entry of readLines<FileEntry>(fileListPath(folder))) {
      await requireFile(folder, entry);
      entries.set(entry.key, entry);
    }
    const problems = new Map(manifest.problems.map((problem) => [problem.key, problem]));
    for (const name of Object.keys(manifest.rows))
      await requireListedFiles(rowsPath(folder, name), entries, problems);
    return { ...manifest, problems: [...problems.values()] };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The archive is damaged: ${error instanceof Error ? error.message : error}`);
  }
}

function requireKnownVersion({ format, version, migration, rows = {} }: Manifest): void {
  const unknown = Object.keys(rows).some((name) => !Object.hasOwn(ARCHIVED_TABLES, name));
  if (format === FORMAT && MIGRATIONS.includes(migration) && !unknown) return;
  throw new StartError(
    `The archive was written by version ${version ?? "0.1"} (format ${format}, ${migration}), which ${VERSION} does not read: restore it with that version`,
  );
}

/** The lists of rows and files are checked against the manifest. */
async function requireLists(folder: string, manifest: Manifest): Promise<void> {
  const { rows, lists, files, lastIds } = manifest;
  if (manifest.secretKeys) {
    const path = secretKeysPath(folder);
    const { size, sha256 } = await pump(archivedFile(path).stream(), () => {});
    if (manifest.secretKeys.size !== size || manifest.secretKeys.sha256 !== sha256) throw changed(path);
    // The server that takes them would not start again.
    if (!secretKeys.safeParse(await archivedFile(path).text()).success)
      throw new StartError(`The archive is damaged: ${path} has no usable keys`);
  }
  requireIds("archive.json", lastIds);
  const found = await fingerprintLists(folder, Object.keys(rows));
  for (const [path, { size, sha256 }] of Object.entries(found))
    if (lists[path]?.size !== size || lists[path].sha256 !== sha256) throw changed(`${folder}/${path}`);
  for (const [name, count] of Object.entries(rows)) await requireCount(rowsPath(folder, name), count);
  await requireCount(fileListPath(folder), files);
}

async function requireCount(path: string, expected: number): Promise<void> {
  let count = 0;
  for await (const _ of readLines(path)) count += 1;
  if (count !== expected)
    throw new StartError(`The archive is damaged: ${path} has ${count} lines instead of ${expected}`);
}

async function requireFile(folder: string, { key, size, sha256 }: FileEntry): Promise<void> {
  const path = filePath(folder, requireFileKey(key));
  const found = await pump(archivedFile(path).stream(), () => {});
  if (found.size !== size || found.sha256 !== sha256) throw changed(path);
}

/** A row with a file outside the archive would lead to another envelope's file, or to none. */
async function requireListedFiles(
  path: string,
  entries: ReadonlyMap<string, FileEntry>,
  problems: Map<string, FileProblem>,
): Promise<void> {
  for await (const row of readLines<Row>(path)) {
    requireIds(path, row);
    for (const stored of storedFiles(row)) {
      const { key } = stored;
      const entry = entries.get(key);
      if (!entry && !problems.has(key))
        throw new StartError(
          `The archive is damaged: ${path} names the file ${key}, which is not in its list`,
        );
      if (entry && matchesRow(stored, entry)) problems.delete(key);
    }
  }
}

/** Beyond these numbers ids are inexact, and the last ones leave no further id. */
function requireIds(path: string, numbers: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(numbers))
    if (typeof value === "number" && Math.abs(value) >= Number.MAX_SAFE_INTEGER)
      throw new StartError(`The archive is damaged: ${path} has the number ${value} as ${name}`);
}

const changed = (path: string) =>
  new StartError(`The archive is damaged: ${path} has changed since it was written`);
