import { mkdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Database } from "../../db/client";
import { type LibsqlDatabase, openLibsql } from "../../db/libsql";
import { copyDatabase } from "../../db/maintenance";
import { openFileStore } from "../adapters/bun/resources";
import { StartError } from "../adapters/bun/start-error";
import type { Variables } from "../config";
import type { Manifest } from "./archive/archive-folder";
import { exportArchive } from "./archive/export-archive";
import { findEarlierArchive } from "./archive/linked-files";
import { requireDatabaseFile } from "./database-file";

/**
 * Writes an archive of a running server: the rows as of one moment, and all files they reference. An incremental one
 * shares files with the newest archive in the same folder.
 * @throws StartError with a one-line reason
 */
export async function backUp(
  variables: Variables,
  folder: string,
  { incremental = false } = {},
): Promise<{ manifest: Manifest; earlier?: string }> {
  const path = requireDatabaseFile(variables);
  if (!(await stat(path).catch(() => null)))
    throw new StartError(`There is no database at ${path}; is DATA_DIR the app's folder?`);
  const snapshots = createSnapshots(path, `${folder}.${process.pid}.rows`);
  try {
    const files = await openFileStore(variables, resolve(variables.DATA_DIR));
    const earlier = incremental ? await findEarlierArchive(folder) : undefined;
    const manifest = await exportArchive({ files, rows: snapshots.next, earlier }, folder);
    return { manifest, earlier: earlier?.folder };
  } finally {
    await snapshots.remove();
  }
}

/** Copies of the database under `folder`, one at a time, each migrated to this version of the app. */
function createSnapshots(path: string, folder: string) {
  let copy: LibsqlDatabase | undefined;
  const remove = async () => {
    copy?.close();
    copy = undefined;
    await rm(folder, { recursive: true, force: true });
  };
  return {
    remove,
    async next(): Promise<Database> {
      await remove();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const target = join(folder, "rows.db");
      const live = await openLibsql({ url: pathToFileURL(path).href });
      try {
        await copyDatabase(live.db, target);
      } finally {
        live.close();
      }
      copy = await openLibsql({ url: pathToFileURL(target).href });
      await copy.migrate();
      return copy.db;
    },
  };
}
