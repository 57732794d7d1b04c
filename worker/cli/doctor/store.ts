import { stat, statfs } from "node:fs/promises";
import { resolve } from "node:path";
import type { Database } from "../../../db/client";
import { createDiskFileStore, findSplit } from "../../adapters/bun/files/disk-file-store";
import { tryWritingUnnamed } from "../../adapters/bun/files/open-file";
import { s3Bucket, verifyS3Bucket } from "../../adapters/bun/files/s3-bucket";
import { requireWritableFolder, s3Options } from "../../adapters/bun/resources";
import { createObjectFileStore } from "../../adapters/shared/object-file-store";
import type { Variables } from "../../config";
import { findOrphanFiles, needsConfirmation } from "../../features/files/orphan-files";
import { findForeignStore } from "../../features/files/store-owner";
import type { FileStore } from "../../ports/file-store";
import type { FileProblem } from "../archive/archive-folder";
import { problemOf, readStoredFiles } from "../archive/stored-files";
import { pluralize } from "../messages";
import { stillReferenced, verifyFiles } from "../verify";
import { type Finding, findingsOf, isFull, reasonOf } from "./finding";

const { ok, warning, failure } = findingsOf("Files");

const MIB = 1024 * 1024;
/** Warns if the disk has space for fewer files of the maximum size than this. */
const FEW_FILES = 10;
/** How many files are read and compared with their hash, and after how many bytes no further one. */
const SAMPLE_FILES = 100;
const SAMPLE_BYTES = 256 * MIB;

/** Checks whether the store accepts files, and compares the stored files with the rows. Leaves nothing in the store. */
export async function checkStore(variables: Variables, db?: Database): Promise<Finding[]> {
  const s3 = s3Options(variables);
  if (!s3) return checkDisk(variables, db);
  const name = `${s3.endpoint} ${s3.bucket}`;
  try {
    await verifyS3Bucket(s3);
    const { read = "", findings = [] } = db
      ? await compareRowsAndFiles(createObjectFileStore(s3Bucket(s3)), db)
      : {};
    return [...ok(`${name} accepts, lists and deletes files${read}`), ...findings];
  } catch (error) {
    return failure(
      `${name} cannot be used: ${reasonOf(error)}`,
      "check the S3_ variables, and whether their key may read, write, list and delete",
    );
  }
}

async function checkDisk(variables: Variables, db?: Database): Promise<Finding[]> {
  const folder = resolve(variables.DATA_DIR);
  if (!(await stat(folder).catch(() => null)))
    return ok(`there is no ${folder} yet; the first start creates it`);
  try {
    await requireWritableFolder(folder);
    await tryWritingUnnamed(folder);
    const split = await findSplit(folder);
    if (split) return failure(split.problem, split.advice);
    const files = await createDiskFileStore(folder, { readOnly: true });
    const { read = "", findings = [] } = db ? await compareRowsAndFiles(files, db) : {};
    return [
      ...ok(`${folder} can be written to${read}`),
      ...(await checkFreeSpace(folder, variables)),
      ...findings,
    ];
  } catch (error) {
    return failure(
      `${folder} cannot be used: ${reasonOf(error)}`,
      isFull(error)
        ? "free some space on its disk, or move DATA_DIR to a larger one"
        : "make the user that runs the app the owner of the folder, and check the disk",
    );
  }
}

async function checkFreeSpace(
  folder: string,
  { MAX_FILE_MB: maxFileMb, MIN_FREE_MB: minFreeMb }: Variables,
): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(folder);
  const freeMb = Math.floor((bavail * bsize) / MIB);
  const advice = "free some space, or move DATA_DIR to a larger disk";
  if (freeMb < minFreeMb)
    return failure(
      `only ${freeMb} MB are free, and below MIN_FREE_MB, ${minFreeMb} MB, changes and uploads are rejected`,
      `${advice}, or lower MIN_FREE_MB`,
    );
  const text = `only ${freeMb} MB are free, but a file can have ${maxFileMb} MB`;
  if (freeMb < maxFileMb) return failure(text, advice);
  return freeMb < FEW_FILES * maxFileMb ? warning(text, advice) : [];
}

type Comparison = { findings: Finding[] /** What was read of the stored files. */; read: string };

async function compareRowsAndFiles(files: FileStore, db: Database): Promise<Comparison> {
  const found: Finding[] = [];
  const lost = await findMissingFiles(files, db);
  if (lost.length > 0)
    found.push(
      ...failure(
        `${pluralize(lost.length, "file")} referenced by rows ${lost.length === 1 ? "is" : "are"} missing: ${named(lost)}`,
        "copy them from a backup's folder `files` into the store, as the server's user, or delete their envelopes",
      ),
    );
  const limits = { sample: SAMPLE_FILES, maxBytes: SAMPLE_BYTES };
  const { problems, files: read, total } = await verifyFiles({ db, files }, limits);
  const damaged = problems.filter(({ problem }) => problem !== "missing");
  if (damaged.length > 0)
    found.push(
      ...failure(
        `of ${pluralize(read, "file")} read, ${damaged.length} ${damaged.length === 1 ? "is" : "are"} damaged: ${named(damaged)}`,
        "`verify` reads all files; copy the damaged ones from a backup's folder `files` into the store, as the server's user",
      ),
    );
  found.push(...(await checkOwner(files, db)), ...(await checkOrphans(files, db)));
  return {
    findings: found,
    read: `; compared ${read} of ${pluralize(total, "file")} with ${total === 1 ? "its" : "their"} SHA-256`,
  };
}

async function checkOwner(files: FileStore, db: Database): Promise<Finding[]> {
  const foreign = await findForeignStore({ files, db });
  if (!foreign) return [];
  const [problem = "", ...advice] = foreign.message.split(": ");
  return failure(`${problem}, so the server does not start`, advice.join(": "));
}

async function checkOrphans(files: FileStore, db: Database): Promise<Finding[]> {
  const orphans = await findOrphanFiles({ files, db });
  const { total, unknown, removable } = orphans;
  if (unknown.length === 0) return [];
  if (needsConfirmation(orphans))
    return warning(
      `${removable.length} of ${pluralize(total, "file")} are referenced by no row and no upload, so many that they wait for you`,
      "check that this is the right and latest database; then `orphans --remove` removes them",
    );
  return warning(
    `${pluralize(unknown.length, "file")} that no row and no upload references`,
    "nothing to do while the app runs: it removes them once they are a day old; a disk keeps them in the folder orphans for 7 days",
  );
}

async function findMissingFiles(files: FileStore, db: Database): Promise<FileProblem[]> {
  const stored = new Set((await Array.fromAsync(files.list())).flat());
  const missing: FileProblem[] = [];
  for await (const page of readStoredFiles(db, { staged: true }))
    for (const file of page) if (!stored.has(file.key)) missing.push(problemOf(file, "missing"));
  return stillReferenced(db, missing);
}

const named = (problems: readonly FileProblem[]) =>
  problems
    .slice(0, 5)
    .map(({ key }) => key)
    .join(", ");
