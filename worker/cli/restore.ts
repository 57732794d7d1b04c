import { lstat, realpath, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { write } from "bun";
import { isDatabaseBusy } from "../../db/errors";
import { openLibsql, pathOfFile } from "../../db/libsql";
import { closeJournal } from "../../db/maintenance";
import { findInstanceId, insertInstanceId } from "../../db/queries/instance";
import { moveDurably, syncPath } from "../adapters/bun/files/durable-file";
import { databaseUrl, holdFile, openFileStore, requireWritableFolder } from "../adapters/bun/resources";
import { StartError } from "../adapters/bun/start-error";
import type { Variables } from "../config";
import { randomToken } from "../lib/tokens";
import type { FileStore } from "../ports/file-store";
import type { Manifest } from "./archive/archive-folder";
import { importArchive } from "./archive/import-archive";
import { reasonOf } from "./doctor/finding";
import { preserveOwner, requireNoForeignLinks } from "./folder-owner";
import { sayLeft } from "./messages";
import { adoptSecretKeys } from "./secret-keys";

/** Files that SQLite keeps next to an open database. */
const SIDE_FILES = ["-wal", "-shm", "-journal"];

type Options = {
  /** Replaces an existing database. */
  replace: boolean;
  /** Takes over a file store that belongs to another database. */
  adopt: boolean;
  /** Lets the server send no message until the operator permits it. */
  holdMail: boolean;
};

/**
 * Restores an archive. Stores the files first, then builds a new database next to the real one and renames it in the
 * last step. Until then nothing has changed.
 * @throws StartError with a one-line reason
 */
export async function restore(
  variables: Variables,
  folder: string,
  options: Options,
): Promise<{ manifest: Manifest; loss: string | null; path: string }> {
  const path = await requireDatabaseFile(variables);
  const exists = async () => (await stat(path).catch(() => null)) !== null;
  const existed = await exists();
  if (existed && !options.replace)
    throw new StartError(`There is already a database at ${path}; --replace replaces it with the backup`);
  const dataDir = resolve(variables.DATA_DIR);
  await requireWritableFolder(dataDir);
  await requireWritableFolder(dirname(path));
  await requireNoForeignLinks(variables, "restore");
  if (existed) await requireStopped(path);

  const stored = await openFileStore(variables, { readOnly: true });
  const inStore = await stored.readOwner();
  const id = chooseId({ inStore, existed, inDatabase: await readInstanceId(path) }, options);
  return preserveOwner({ ...variables, DATABASE_URL: pathToFileURL(path).href }, async () => {
    const files = await openFileStore(variables);
    const { holdMail } = options;
    const restored = await replaceDatabase(path, { files, id, folder, existed, exists, variables, holdMail });
    if (id !== inStore)
      await files.writeOwner(id, { replace: true }).catch((error: unknown) => {
        const reason = `its store does not accept its id (${reasonOf(error)})`;
        throw new StartError(`The database was restored, but ${reason}: run \`doculopes adopt\``);
      });
    return { ...restored, path };
  });
}

type Known = { inStore: string | null; existed: boolean; inDatabase: string | null };

/**
 * The id of the new database: that of the store, if the store was the replaced database's. Otherwise another server may
 * use the store, such as the one that the backup is of.
 */
function chooseId({ inStore, existed, inDatabase }: Known, { adopt }: Options): string {
  if (adopt) return randomToken();
  const isOurs = inStore === null || (existed && (inDatabase === null || inDatabase === inStore));
  if (isOurs) return inStore ?? randomToken();
  throw new StartError(
    "The file store belongs to another database. Choose an empty store; or, if no server uses these files any more, add --adopt",
  );
}

/** Null if the database is missing, damaged, or of a version without ids. */
async function readInstanceId(path: string): Promise<string | null> {
  if (!(await stat(path).catch(() => null))) return null;
  const database = await openLibsql({ url: pathToFileURL(path).href, immutable: true }).catch(() => null);
  try {
    return database && (await findInstanceId(database.db).catch(() => null));
  } finally {
    database?.close();
  }
}

type Replacement = Pick<Options, "holdMail"> & {
  variables: Variables;
  files: FileStore;
  /** The id of the new database. */
  id: string;
  folder: string;
  existed: boolean;
  exists: () => Promise<boolean>;
};

async function replaceDatabase(
  path: string,
  { existed, exists, holdMail, ...replacement }: Replacement,
): Promise<{ manifest: Manifest; loss: string | null }> {
  const target = `${path}.restoring`;
  await removeDatabase(target);
  try {
    const built = await buildDatabase(target, replacement);
    if (existed) await requireStopped(path);
    else if (await exists())
      throw new StartError(`A server was started on ${path} meanwhile; stop it and try again with --replace`);
    for (const companion of SIDE_FILES) await rm(path + companion, { force: true });
    if (holdMail) await write(holdFile(replacement.variables), "");
    await moveDurably(target, path);
    return built;
  } finally {
    // What it leaves hides no error, and is none if the database was replaced.
    await removeDatabase(target).catch(sayLeft(target));
  }
}

/** Builds the database in a single file and stores the archive's files. */
async function buildDatabase(
  path: string,
  { files, id, folder, variables }: Pick<Replacement, "files" | "id" | "folder" | "variables">,
): Promise<{ manifest: Manifest; loss: string | null }> {
  const database = await openLibsql({ url: pathToFileURL(path).href });
  try {
    await database.migrate();
    await insertInstanceId(database.db, id);
    const manifest = await importArchive({ db: database.db, files }, folder, {
      replace: false,
      instance: id,
    });
    const loss = await adoptSecretKeys(variables, database.db, manifest, folder);
    if (!(await closeJournal(database.db))) throw new Error(`${path} is open in another process`);
    await syncPath(path);
    return { manifest, loss };
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

/**
 * The path of the database file; if that is a link, of the file it leads to.
 * @throws StartError if the database is on a server
 */
async function requireDatabaseFile(variables: Variables): Promise<string> {
  const url = databaseUrl(variables);
  const path = pathOfFile(url);
  if (path === null)
    throw new StartError(
      `The database is at ${url.split("?", 1)[0]}, which is not a local file: stop the app, and let \`import\` read the backup into it`,
    );
  const isLink = (await lstat(path).catch(() => null))?.isSymbolicLink();
  return isLink ? realpath(path) : resolve(path);
}
