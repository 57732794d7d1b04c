import {
  countArchivedRows,
  deleteAllRows,
  insertRows,
  type Row,
  writeLastIds,
} from "../../../db/archive/rows";
import { ARCHIVED_TABLES } from "../../../db/archive/tables";
import { type Database, runBatch } from "../../../db/client";
import { isDatabaseFull } from "../../../db/errors";
import { stopBulkSends } from "../../../db/queries/bulk-sends";
import { pauseDestinations } from "../../../db/queries/destinations";
import { addEarlierInstances } from "../../../db/queries/instance";
import { beginImport, endImport, findImport, insertImport } from "../../../db/queries/job-runs";
import { fillListColumns, updateFileBytes } from "../../../db/queries/list-columns";
import { stopAllScheduled } from "../../../db/queries/scheduled-envelopes";
import { pauseSeries } from "../../../db/queries/series";
import { pauseRenewals } from "../../../db/queries/validity";
import { giveUpDeliveries } from "../../../db/queries/webhook-deliveries";
import { StartError } from "../../adapters/bun/start-error";
import { createJsonLogger } from "../../adapters/shared/loggers";
import { type FileLease, leaseAllFiles } from "../../features/files/upload-lease";
import { systemClock } from "../../ports/clock";
import type { FileStore } from "../../ports/file-store";
import { failureReason } from "../messages";
import {
  archivedFile,
  type FileEntry,
  fileListPath,
  filePath,
  type Manifest,
  pump,
  readLines,
  rowsPath,
} from "./archive-folder";
import { verifyArchive } from "./verify-archive";

export type Stores = { db: Database; files: FileStore };

const PAGE = 100;

/**
 * Imports an archive into empty stores, or with `replace` in place of their contents. Verifies the whole archive, and that
 * the store accepts files, before changing anything. If it fails later, no row remains, and existing files stay. Files that
 * were missing or damaged when the archive was written stay so; the returned manifest names them. Destinations are paused,
 * and waiting messages to webhooks given up, unless the archive is of `instance`. Until it ends, no server starts with the
 * database, and no job runs.
 * @throws StartError with a one-line reason, which says what is left of the former contents
 */
export async function importArchive(
  stores: Stores,
  folder: string,
  options: { replace: boolean; instance?: string },
): Promise<Manifest> {
  const manifest = await verifyArchive(folder);
  const before = await countArchivedRows(stores.db);
  const isInterrupted = (await findImport(stores.db)) !== undefined;
  if (isInterrupted && !options.replace) throw new StartError(OTHER_IMPORT);
  if (before > 0 && !options.replace)
    throw new StartError(`The database already contains ${before} rows; --replace removes all of them first`);
  const began = new Date().toISOString();
  const given = { manifest, began, instance: options.instance };
  if (before === 0 && !isInterrupted) {
    if (!(await beginImport(stores.db, began))) throw new StartError(OTHER_IMPORT);
    return insertArchive(stores, folder, given);
  }
  await stores.files.tryStoring();
  // Rows are deleted first: a file without a row is harmless, a row without its file is not.
  await deleteAllRows(stores.db, [insertImport(stores.db, began)]);
  try {
    for await (const keys of stores.files.list()) await stores.files.remove(keys);
    return await insertArchive(stores, folder, given);
  } catch (error) {
    throw new StartError(
      `The former contents were removed, and then the import failed: ${failureReason(error)}. Remove the cause, and run it again with --replace`,
      { cause: error },
    );
  }
}

const OTHER_IMPORT =
  "Another import is under way, or was interrupted: if none is, --replace removes what it has left";

const REPLACED = "Another import has begun to replace this one, which has ended";

async function insertArchive(
  stores: Stores,
  folder: string,
  { manifest, began, instance }: { manifest: Manifest; began: string; instance: string | undefined },
): Promise<Manifest> {
  const written: string[] = [];
  const log = createJsonLogger(systemClock, (line) => process.stderr.write(`${line}\n`));
  let lease: FileLease | undefined;
  try {
    lease = await leaseAllFiles({ db: stores.db, log });
    for await (const entry of readLines<FileEntry>(fileListPath(folder))) {
      const there = await lookUp(stores.files, entry);
      if (there === "the same") continue;
      // A file with other contents is repaired, and stays even if the import fails.
      if (there === "nothing") written.push(entry.key);
      await copyIn(stores.files, entry.key, filePath(folder, entry.key));
    }
    for (const name of Object.keys(ARCHIVED_TABLES))
      if (Object.hasOwn(manifest.rows, name)) await insertTable(stores, name, rowsPath(folder, name));
    while (await fillListColumns(stores.db, 500));
    await updateFileBytes(stores.db, undefined);
    // The exported instance has gone on sending.
    const now = new Date().toISOString();
    const goesOn = instance !== undefined && manifest.instances.includes(instance);
    const paused = [
      ...stopAllScheduled(stores.db, now),
      pauseSeries(stores.db, undefined, { reason: "moved", now }),
      pauseRenewals(stores.db),
      ...pauseDestinations(stores.db),
      ...giveUpDeliveries(stores.db),
    ];
    await runBatch(stores.db, [
      ...stopBulkSends(stores.db, "bulk_send_moved", now),
      ...(goesOn ? [] : paused),
    ]);
    await writeLastIds(stores.db, manifest.lastIds);
    await addEarlierInstances(stores.db, manifest.instances);
    if (!(await lease.isValid()))
      throw new StartError("A server considered the import dead and may have deleted its files; try again");
  } catch (error) {
    // If it cannot be read, nothing can be removed either, which is said.
    if ((await findImport(stores.db).catch(() => began)) !== began)
      throw new StartError(REPLACED, { cause: error });
    await removeInserted(stores, written, error);
    throw error;
  } finally {
    // One that stays ends by itself, and a full disk must not hide why the import failed.
    await lease?.release().catch(() => {});
  }
  // Nothing is removed any more: if only the response is lost, a server may have started on the database.
  const hasEnded = await endImport(stores.db, began).catch(async (error: unknown) => {
    if ((await findImport(stores.db).catch(() => began)) === undefined) return true;
    throw error;
  });
  if (!hasEnded) throw new StartError(REPLACED);
  return manifest;
}

/** @throws StartError if what was imported until the failure cannot be removed, as on a full disk */
async function removeInserted({ db, files }: Stores, written: string[], failure: unknown): Promise<void> {
  try {
    await deleteAllRows(db).catch(async (error: unknown) => {
      if (!isDatabaseFull(error)) throw error;
      // A full disk has room for it without the files.
      await files.remove(written);
      await deleteAllRows(db);
    });
    await files.remove(written);
  } catch (error) {
    throw new StartError(
      `${failureReason(failure)}. A part of the archive remains, because removing it failed too: ${failureReason(error)}. --replace removes it`,
      { cause: error },
    );
  }
}

async function lookUp(files: FileStore, { key, size, sha256 }: FileEntry) {
  const bytes = await files.read(key);
  if (!bytes) return "nothing";
  const found = await pump(bytes, () => {});
  return found.size === size && found.sha256 === sha256 ? "the same" : "something else";
}

async function copyIn(files: FileStore, key: string, path: string): Promise<void> {
  const writer = await files.create(key);
  try {
    await pump(archivedFile(path).stream(), (chunk) => writer.write(chunk));
    await writer.commit();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

async function insertTable({ db }: Stores, name: string, path: string): Promise<void> {
  const table = ARCHIVED_TABLES[name];
  if (!table) return;
  let page: Row[] = [];
  for await (const row of readLines<Row>(path)) {
    page.push(row);
    if (page.length < PAGE) continue;
    await insertRows(db, table, page);
    page = [];
  }
  await insertRows(db, table, page);
}
