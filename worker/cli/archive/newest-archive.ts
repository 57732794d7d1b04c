import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../../db/client";
import { listInstanceIds } from "../../../db/queries/instance";
import { findLastBackup } from "../../../db/queries/job-runs";
import { hasUsers } from "../../../db/queries/users";
import { utcTime } from "../administration/text";
import { FORMAT, type Manifest, readManifest } from "./archive-folder";

/** An archive, with its path. */
export type Archive = { folder: string; manifest: Manifest };

/** The newest complete archive in a folder, of those with accounts if there are any; undefined if there is none. */
export async function findNewestArchive(parent: string): Promise<Archive | undefined> {
  const rank = ({ rows, madeAt }: Manifest) => `${(rows.users ?? 0) > 0 ? 1 : 0} ${madeAt}`;
  let newest: Archive | undefined;
  for (const entry of await readdir(parent, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory()) continue;
    const folder = join(parent, entry.name);
    const manifest = await readManifest(folder).catch(() => null);
    if (manifest?.format !== FORMAT || (newest && rank(manifest) <= rank(newest.manifest))) continue;
    newest = { folder, manifest };
  }
  return newest;
}

type Missing = { problem: string; advice: string };

/** That there is no folder at the path of BACKUPS, and what to do; null if there is one. */
export async function whyNoFolder(path: string): Promise<Missing | null> {
  if ((await stat(path).catch(() => null))?.isDirectory()) return null;
  const problem = `BACKUPS is ${JSON.stringify(path)}, but there is no such folder`;
  return { problem, advice: "make the folder, or mount its disk, or correct BACKUPS" };
}

/** Why the folder of BACKUPS seems not to be that of the backups, and what to do; null if it may be. */
export async function findMissingBackups(db: Database, path: string): Promise<Missing | null> {
  const noFolder = await whyNoFolder(path);
  if (noFolder || (await findNewestArchive(path))) return noFolder;
  const last = await findLastBackup(db);
  if (last === null) return null;
  const problem = `BACKUPS is ${JSON.stringify(path)}, which has no backup, but one was made in the hour of ${utcTime(last)}`;
  return { problem, advice: "mount its disk, or correct BACKUPS" };
}

/** What to do about `differenceFrom`. */
export const OTHER_BACKUPS =
  "Is the disk with the data mounted, and DATA_DIR right? If this is meant to be another instance, choose another folder for its backups";

/**
 * Why the database is not of the instance that the backup is of: a server starts empty if the disk with its data is not
 * mounted. Null if it is, or is not known to be another.
 */
export async function differenceFrom(db: Database, { folder, manifest }: Archive): Promise<string | null> {
  // A new installation's, into which an instance was moved since.
  if ((manifest.rows.users ?? 0) === 0) return null;
  if (!(await hasUsers(db))) return `This instance has no accounts, but the backup ${folder} has some`;
  const ids = await listInstanceIds(db);
  const { instances } = manifest;
  const isAnother = ids.length > 0 && instances.length > 0 && !instances.some((id) => ids.includes(id));
  return isAnother ? `The backup ${folder} is of another instance` : null;
}
