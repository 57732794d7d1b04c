import { stat, statfs } from "node:fs/promises";
import { resolve } from "node:path";
import type { Database } from "../../../db/client";
import { listOrphanKeys } from "../../../db/queries/upload-leases";
import { openFileStore, requireWritableFolder } from "../../adapters/bun/resources";
import type { Variables } from "../../config";
import { fileKey, randomUploadId } from "../../lib/file-names";
import type { FileStore } from "../../ports/file-store";
import { readFileKeys } from "../archive/file-keys";
import { leaseStoredFiles } from "../file-lease";
import { pluralize } from "../messages";
import { type Finding, findingsOf, reasonOf } from "./finding";

const { ok, warning, failure } = findingsOf("Files");

const MIB = 1024 * 1024;
/** Warns if the disk has space for fewer files of the maximum size than this. */
const FEW_FILES = 10;

/** Writes, reads and deletes a test file, and compares the stored files with the rows. */
export async function checkStore(variables: Variables, db?: Database): Promise<Finding[]> {
  const folder = resolve(variables.DATA_DIR);
  const onDisk = !variables.S3_ENDPOINT;
  const storeName = onDisk ? folder : `${variables.S3_ENDPOINT} ${variables.S3_BUCKET}`;
  if (onDisk && !(await stat(folder).catch(() => null)))
    return [ok(`there is no ${folder} yet; the first start creates it`)];
  try {
    if (onDisk) await requireWritableFolder(folder);
    const files = await openFileStore(variables, folder);
    await tryFileStore(files, db);
    const found = [
      ...(onDisk ? await checkFreeSpace(folder, variables.MAX_FILE_MB) : []),
      ...(db ? await compareRowsAndFiles(files, db) : []),
    ];
    return [ok(`${storeName} writes, reads and deletes files`), ...found];
  } catch (error) {
    const advice = onDisk
      ? "make the user that runs the app the owner of the folder, and check the disk"
      : "check the S3_ variables, and whether their key may read, write, list and delete";
    return [failure(`${storeName} cannot be used: ${reasonOf(error)}`, advice)];
  }
}

/** Under a lease, so that a running server does not remove the test file as an orphan. */
async function tryFileStore(files: FileStore, db: Database | undefined): Promise<void> {
  const prefix = randomUploadId();
  // A database that is not writable has already been reported, and then no server removes files.
  const lease = await (db && leaseStoredFiles(db, prefix).catch(() => undefined));
  try {
    await writeAndReadFile(files, fileKey(prefix, "tmp"));
  } finally {
    await lease?.release();
  }
}

async function writeAndReadFile(files: FileStore, key: string): Promise<void> {
  const sent = crypto.getRandomValues(new Uint8Array(1024));
  const writer = await files.create(key);
  try {
    await writer.write(sent);
    await writer.commit();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const got = await files.read(key);
  const same = got !== null && Buffer.from(await new Response(got).bytes()).equals(sent);
  await files.remove([key]);
  if (!same) throw new Error("a file was read back with other contents");
  if (await files.read(key)) throw new Error("a file was still there after it was removed");
}

async function checkFreeSpace(folder: string, maxFileMb: number): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(folder);
  const freeMb = Math.floor((bavail * bsize) / MIB);
  const text = `only ${freeMb} MB are free, but a file can have ${maxFileMb} MB`;
  const advice = "free some space, or move DATA_DIR to a larger disk";
  if (freeMb < maxFileMb) return [failure(text, advice)];
  return freeMb < FEW_FILES * maxFileMb ? [warning(text, advice)] : [];
}

async function compareRowsAndFiles(files: FileStore, db: Database): Promise<Finding[]> {
  const found: Finding[] = [];
  const lost: string[] = [];
  for await (const keys of readFileKeys(db))
    for (const key of keys) if (!(await exists(files, key))) lost.push(key);
  if (lost.length > 0)
    found.push(
      failure(
        `${pluralize(lost.length, "file")} referenced by rows ${lost.length === 1 ? "is" : "are"} missing: ${lost.slice(0, 5).join(", ")}`,
        "copy them from a backup's folder `files` into `uploads`",
      ),
    );
  let unknown = 0;
  for await (const keys of files.list()) unknown += (await listOrphanKeys(db, keys)).length;
  if (unknown > 0)
    found.push(
      warning(
        `${pluralize(unknown, "file")} that no row and no upload references`,
        "nothing to do while the app runs: it deletes them hourly",
      ),
    );
  return found;
}

async function exists(files: FileStore, key: string): Promise<boolean> {
  const bytes = await files.read(key, { offset: 0, length: 1 });
  await bytes?.cancel();
  return bytes !== null;
}
