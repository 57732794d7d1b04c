import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type FileSink, file, write } from "bun";
import { LAST_MIGRATION, type Row, readLastIds, readPages } from "../../../../../db/archive/rows";
import { MOVED_TABLES } from "../../../../../db/archive/tables";
import type { FileStore } from "../../../../ports/file-store";
import { StartError } from "../../../bun/start-error";
import {
  FORMAT,
  fileNotesPath,
  filePath,
  type Manifest,
  manifestPath,
  pump,
  rowsPath,
} from "./archive-folder";
import type { Stores } from "./stores";

const UPLOADS = "/uploads/";

/**
 * Writes every account with all its rows and files into a new folder, which is there only when it is whole.
 * @throws StartError with one line on what stands in the way
 */
export async function exportArchive({ db, files }: Stores, folder: string): Promise<Manifest> {
  if (await stat(folder).catch(() => null))
    throw new StartError(`${folder} is there already; name a folder that is not`);
  const made = `${folder}.${process.pid}.part`;
  try {
    await mkdir(join(made, "rows"), { recursive: true, mode: 0o700 });
    await mkdir(join(made, "files"));
    const notes = file(fileNotesPath(made)).writer();
    const rows: Manifest["rows"] = {};
    let count = 0;
    for (const [name, table] of Object.entries(MOVED_TABLES)) {
      const lines = file(rowsPath(made, name)).writer();
      rows[name] = 0;
      for await (const page of readPages(db, table)) {
        for (const row of page) writeLine(lines, row);
        await lines.flush();
        rows[name] += page.length;
        for (const key of page.flatMap(fileKeys)) {
          writeLine(notes, { key, ...(await copyOut(files, key, filePath(made, key))) });
          count += 1;
        }
      }
      await lines.end();
    }
    await notes.end();
    const lastIds = await readLastIds(db);
    const madeAt = new Date().toISOString();
    const manifest = { format: FORMAT, migration: LAST_MIGRATION, madeAt, rows, lastIds, files: count };
    await write(manifestPath(made), `${JSON.stringify(manifest, null, 2)}\n`);
    await rename(made, folder);
    return manifest;
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    throw error;
  }
}

const writeLine = (lines: FileSink, value: unknown) => lines.write(`${JSON.stringify(value)}\n`);

/** The keys of the files that a row names: a submission's, a user's picture. */
function fileKeys({ filePath, avatarUrl }: Row): string[] {
  if (typeof filePath === "string") return [filePath];
  const isPicture = typeof avatarUrl === "string" && avatarUrl.startsWith(UPLOADS);
  return isPicture ? [avatarUrl.slice(UPLOADS.length)] : [];
}

async function copyOut(files: FileStore, key: string, path: string) {
  const bytes = await files.read(key);
  if (!bytes)
    throw new StartError(
      `The file ${key} is in the database and not in the store; is the app still running?`,
    );
  const target = file(path).writer();
  const note = await pump(bytes, async (chunk) => {
    target.write(chunk);
    await target.flush();
  });
  await target.end();
  // A file without a byte is not made by its writer.
  if (note.size === 0) await write(path, "");
  return note;
}
