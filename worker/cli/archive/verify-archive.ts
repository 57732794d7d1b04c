import { file } from "bun";
import { ARCHIVED_TABLES } from "../../../db/archive/tables";
import { StartError } from "../../adapters/bun/start-error";
import { requireFileKey } from "../../adapters/shared/file-key";
import {
  type FileEntry,
  FORMAT,
  fileListPath,
  filePath,
  type Manifest,
  manifestPath,
  pump,
  readLines,
  rowsPath,
} from "./archive-folder";

/**
 * Reads the whole archive once and returns its manifest.
 * @throws StartError if it is incomplete, damaged or from another version
 */
export async function verifyArchive(folder: string, migration: string): Promise<Manifest> {
  const manifest: Manifest = await file(manifestPath(folder))
    .json()
    .catch(() => {
      throw new StartError(`${folder} is not an archive, or not a whole one: archive.json cannot be read`);
    });
  if (manifest.format !== FORMAT || manifest.migration !== migration)
    throw new StartError(
      `The archive is of version ${manifest.format}, ${manifest.migration}, but this app's is ${FORMAT}, ${migration}: export it with this version, or read it with the one that made it`,
    );
  try {
    for (const name of Object.keys(ARCHIVED_TABLES))
      await requireCount(rowsPath(folder, name), manifest.rows[name] ?? 0);
    await requireCount(fileListPath(folder), manifest.files);
    for await (const entry of readLines<FileEntry>(fileListPath(folder))) await requireFile(folder, entry);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The archive is damaged: ${error instanceof Error ? error.message : error}`);
  }
  return manifest;
}

async function requireCount(path: string, expected: number): Promise<void> {
  let count = 0;
  for await (const _ of readLines(path)) count += 1;
  if (count !== expected)
    throw new StartError(`The archive is damaged: ${path} has ${count} lines in the place of ${expected}`);
}

async function requireFile(folder: string, { key, size, sha256 }: FileEntry): Promise<void> {
  const path = filePath(folder, requireFileKey(key));
  const found = await pump(file(path).stream(), () => {});
  if (found.size !== size || found.sha256 !== sha256)
    throw new StartError(`The archive is damaged: ${path} is not what it was when it was written`);
}
