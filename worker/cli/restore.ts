import { rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isDatabaseBusy } from "../../db/errors";
import { openLibsql } from "../../db/libsql";
import { closeJournal } from "../../db/maintenance";
import { moveDurably, syncPath } from "../adapters/bun/files/durable-file";
import { openFileStore, requireWritableFolder } from "../adapters/bun/resources";
import { StartError } from "../adapters/bun/start-error";
import type { Variables } from "../config";
import type { Manifest } from "./archive/archive-folder";
import { importArchive } from "./archive/import-archive";
import { requireDatabaseFile } from "./database-file";
import { preserveOwner } from "./folder-owner";

/** Files that SQLite keeps next to an open database. */
const SIDE_FILES = ["-wal", "-shm", "-journal"];

/**
 * Restores an archive. Stores the files first, then builds a new database next to the real one and renames it in the
 * last step. Until then nothing has changed.
 * @throws StartError with a one-line reason
 */
export async function restore(
  variables: Variables,
  folder: string,
  options: { replace: boolean },
): Promise<Manifest> {
  const path = requireDatabaseFile(variables);
  const exists = async () => (await stat(path).catch(() => null)) !== null;
  const existed = await exists();
  if (existed && !options.replace)
    throw new StartError(`There is already a database at ${path}; --replace replaces it with the backup`);
  const dataDir = resolve(variables.DATA_DIR);
  await requireWritableFolder(dataDir);
  await requireWritableFolder(dirname(path));
  if (existed) await requireStopped(path);

  return preserveOwner(dataDir, () =>
    preserveOwner(dirname(path), () => replaceDatabase(path, { variables, folder, existed, exists })),
  );
}

type Replacement = {
  variables: Variables;
  folder: string;
  existed: boolean;
  exists: () => Promise<boolean>;
};

async function replaceDatabase(
  path: string,
  { variables, folder, existed, exists }: Replacement,
): Promise<Manifest> {
  const target = `${path}.restoring`;
  await removeDatabase(target);
  try {
    const manifest = await buildDatabase(target, variables, folder);
    if (existed) await requireStopped(path);
    else if (await exists())
      throw new StartError(`A server was started on ${path} meanwhile; stop it and try again with --replace`);
    for (const companion of SIDE_FILES) await rm(path + companion, { force: true });
    await moveDurably(target, path);
    return manifest;
  } finally {
    await removeDatabase(target);
  }
}

/** Builds the database in a single file and stores the archive's files. */
async function buildDatabase(path: string, variables: Variables, folder: string): Promise<Manifest> {
  const database = await openLibsql({ url: pathToFileURL(path).href });
  try {
    await database.migrate();
    const files = await openFileStore(variables, resolve(variables.DATA_DIR));
    const manifest = await importArchive({ db: database.db, files }, folder, { replace: false });
    if (!(await closeJournal(database.db))) throw new Error(`${path} is open in another process`);
    await syncPath(path);
    return manifest;
  } finally {
    database.close();
  }
}

/**
 * A running server would keep writing to the replaced file. A damaged database cannot be opened, so no server is using
 * it.
 */
async function requireStopped(path: string): Promise<void> {
  const stillRunning = new StartError(`The app is still running on ${path}; stop it first`);
  const database = await openLibsql({ url: pathToFileURL(path).href }).catch((error: unknown) => {
    if (isDatabaseBusy(error)) throw stillRunning;
    return null;
  });
  if (!database) return;
  try {
    if (!(await closeJournal(database.db))) throw stillRunning;
  } catch (error) {
    throw isDatabaseBusy(error) ? stillRunning : error;
  } finally {
    database.close();
  }
}

async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ["", ...SIDE_FILES]) await rm(path + suffix, { force: true });
}
