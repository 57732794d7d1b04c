import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../../db/client";
import { listInstanceIds } from "../../../db/queries/instance";
import { hasUsers } from "../../../db/queries/users";
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
