import { mkdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { copyServerRows } from "../../db/archive/server-snapshot";
import type { Database } from "../../db/client";
import { type LibsqlDatabase, openLibsql, pathOfFile } from "../../db/libsql";
import { copyDatabase, databaseBytes } from "../../db/maintenance";
import { BACKUP, hourOf, recordJobRun } from "../../db/queries/job-runs";
import { hasUsers } from "../../db/queries/users";
import { requireCurrent, schemaState } from "../../db/version";
import { createFreeSpaceCheck, readDisk } from "../adapters/bun/files/free-space";
import { removeFolder } from "../adapters/bun/files/remove-folder";
import { databaseFailure, databaseUrl, openFileStore } from "../adapters/bun/resources";
import { StartError } from "../adapters/bun/start-error";
import type { Variables } from "../config";
import { type RetryPolicy, retryDelay } from "../contract/retry-policy";
import { beginAlert, endAlert } from "../features/administration/alerts.service";
import { retry } from "../lib/retry";
import { type FileStore, StorageFullError } from "../ports/file-store";
import { operatorOf } from "./administration/operator";
import type { Manifest } from "./archive/archive-folder";
import { exportArchive } from "./archive/export-archive";
import { readLinkedFiles } from "./archive/linked-files";
import {
  type Archive,
  differenceFrom,
  findNewestArchive,
  OTHER_BACKUPS,
  whyNoFolder,
} from "./archive/newest-archive";
import { isFull, reasonOf } from "./doctor/finding";
import { sayLeft } from "./messages";
import { requireSecretKeys } from "./secret-keys";

/** A server is only asked for its version, and told that a backup was made: neither may hold up the command. */
const SERVER_RESPONSE_MS = 5_000;

type BackupOptions = { incremental?: boolean; withKey?: boolean; unrecorded?: boolean };

/**
 * Writes an archive of an instance, running or not: the rows as of one point in time, and all files they reference. A
 * backup must be of the instance that the newest one in the same folder is of; an incremental one shares its files. Without
 * `incremental` it is an export. `withKey` adds the secret keys. An `unrecorded` one is recorded later, by `recordBackup`.
 * @throws StartError with a one-line reason
 */
export async function backUp(
  variables: Variables,
  folder: string,
  { incremental, withKey = false, unrecorded = false }: BackupOptions = {},
): Promise<{ manifest: Manifest; earlier?: string }> {
  const keys = withKey && { secretKeys: await requireSecretKeys(variables) };
  const source = { url: databaseUrl(variables), authToken: variables.DATABASE_AUTH_TOKEN };
  const path = pathOfFile(source.url);
  if (path !== null && !(await stat(path).catch(() => null)))
    throw new StartError(`There is no database at ${path}; is DATA_DIR the app's folder?`);
  const files = await openFileStore(variables, { readOnly: true });
  const newest = incremental === undefined ? undefined : await findNewestArchive(dirname(folder));
  const requireSpace = createSpaceCheck(variables, dirname(folder));
  const live = await openLibsql({ ...source, responseMs: SERVER_RESPONSE_MS });
  const rowsFolder = `${folder}.${process.pid}.rows`;
  const snapshots = createSnapshots(rowsFolder, async (target) => {
    // The rows are written twice: as a database, and as lines.
    await requireSpace(path === null ? 0 : 2 * (await databaseBytes(live.db)));
    if (path !== null) await copyDatabase(live.db, target);
    const copy = await openLibsql({ url: pathToFileURL(target).href });
    try {
      if ((await schemaState(copy.db)) === "none" && path !== null)
        throw new StartError(`${path} has no tables; is DATA_DIR the app's folder?`);
      await copy.migrate();
      if (path === null) await copyServerRows(source, copy.db, () => requireSpace(0));
      await requireSameInstance(copy.db, newest);
      await requireContents(copy.db, files);
      return copy;
    } catch (error) {
      copy.close();
      throw error;
    }
  });
  let isUsable = path !== null;
  try {
    if (path === null)
      await requireCurrent(live.db).catch((error: unknown) => {
        throw databaseFailure(source.url, error);
      });
    isUsable = true;
    await requireMounted(variables, dirname(folder));
    const earlier = incremental && newest ? await readLinkedFiles(newest.folder) : undefined;
    const manifest = await exportArchive(
      { files, rows: snapshots.next, earlier, ...keys, requireSpace },
      folder,
    );
    const complete = manifest.problems.length === 0;
    if (!unrecorded) await recordBackup(live.db, manifest);
    if (incremental !== undefined && !(unrecorded && complete))
      await reportBackup(live.db, variables, complete);
    return { manifest, earlier: earlier?.folder };
  } catch (error) {
    // On a full disk, the report needs its space. This error says more than one of the removal.
    await snapshots.remove().catch(sayLeft(rowsFolder));
    if (incremental !== undefined && isUsable) await reportBackup(live.db, variables, false);
    if (isFull(error))
      throw new StartError(`The disk with ${dirname(folder)} is full, so no backup was made: ${MORE_SPACE}`, {
        cause: error,
      });
    throw error;
  } finally {
    await snapshots.remove();
    live.close();
  }
}

const MORE_SPACE = "free some space, or choose a folder on another disk";
const MIB = 1024 * 1024;

/** Keeps a backup from filling its disk, which may be that of the data. */
function createSpaceCheck({ MIN_FREE_MB }: Variables, folder: string) {
  const requireFreeSpace = createFreeSpaceCheck(folder, MIN_FREE_MB * MIB);
  return async (bytes: number): Promise<void> => {
    try {
      await requireFreeSpace(bytes);
    } catch (error) {
      if (!(error instanceof StorageFullError)) throw error;
      const free = Math.floor(((await readDisk(folder))?.freeBytes ?? 0) / MIB) - MIN_FREE_MB;
      throw new StartError(
        `The backup needs ${Math.max(1, Math.ceil(bytes / MIB))} MB more, but only ${Math.max(0, free)} MB are free for it in ${folder}: ${MORE_SPACE}. Earlier backups stay`,
      );
    }
  };
}

/** Tells the administrators that a backup has failed, or succeeds again, unless the database cannot be written to. */
export async function reportBackup(db: Database, variables: Variables, succeeded: boolean): Promise<void> {
  const report = succeeded ? endAlert : beginAlert;
  try {
    if ((await schemaState(db)) !== "none") await report({ ...operatorOf(variables), db }, "backup_failed");
  } catch (error) {
    process.stderr.write(`The administrators could not be told: ${reasonOf(error)}\n`);
  }
}

/** The folder on which a disk is to be mounted must not be made on another one. @throws StartError */
async function requireMounted({ BACKUPS }: Variables, parent: string): Promise<void> {
  const missing = BACKUPS !== undefined && resolve(BACKUPS) === parent && (await whyNoFolder(BACKUPS));
  if (missing) throw new StartError(`${missing.problem}: ${missing.advice}`);
}

/** Backups of another instance would push out the good ones. @throws StartError */
async function requireSameInstance(db: Database, newest: Archive | undefined): Promise<void> {
  const problem = newest && (await differenceFrom(db, newest));
  if (problem) throw new StartError(`${problem}. ${OTHER_BACKUPS}`);
}

/** A backup of a database that was emptied by mistake would replace a good one. @throws StartError */
async function requireContents(db: Database, files: FileStore): Promise<void> {
  if (await hasUsers(db)) return;
  for await (const keys of files.list())
    if (keys.length > 0)
      throw new StartError(
        "The file store contains files, but the database has no accounts: is it the app's?",
      );
}

/** Copies of the database under `folder`, one at a time, each migrated to this version of the app by `copyTo`. */
function createSnapshots(folder: string, copyTo: (path: string) => Promise<LibsqlDatabase>) {
  let copy: LibsqlDatabase | undefined;
  let begun = false;
  const remove = async () => {
    if (!begun) return;
    begun = false;
    copy?.close();
    copy = undefined;
    await removeFolder(folder);
  };
  return {
    remove,
    async next(): Promise<Database> {
      await remove();
      begun = true;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      copy = await copyTo(join(folder, "rows.db"));
      return copy.db;
    },
  };
}

/** Observed: under constant load, a write to a libSQL server can go without a response for minutes. */
const BUSY_SERVER: RetryPolicy = { delays: [500, 1000, 2000], givesUp: true };

/** Records a backup for metrics, `stats` and `doctor`, unless files are missing or damaged in it. */
export async function recordBackup(db: Database, { madeAt, problems }: Manifest): Promise<void> {
  if (problems.length > 0) return;
  const record = () => recordJobRun(db, BACKUP, hourOf(new Date(madeAt)));
  await retry(record, (_error, failures) => retryDelay(BUSY_SERVER, failures)).catch((error: unknown) => {
    process.stderr.write(
      `The backup is complete, but when it was made could not be recorded: ${reasonOf(error)}\n`,
    );
  });
}
