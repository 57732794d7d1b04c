import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openFile } from "./open-file";

/** Syncs a folder's entries, or a file's bytes, to disk. Syncing a file does not sync its name. */
export async function syncPath(path: string): Promise<void> {
  const opened = await openFile(path, "r");
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

/**
 * Syncs the folder once for all callers that wait when the sync begins: several files of one upload are renamed at the
 * same time.
 */
export function createFolderSync(folder: string): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return () => {
    waiting ??= running
      .catch(() => {})
      .then(() => {
        waiting = undefined;
        running = syncPath(folder);
        return running;
      });
    return waiting;
  };
}

/** Renames a file whose bytes are already on disk. Resolves once the new name is on disk too. */
export async function moveDurably(
  from: string,
  to: string,
  syncFolder = () => syncPath(dirname(to)),
): Promise<void> {
  await rename(from, to);
  await syncFolder();
}

/** Creates a file with these bytes, and resolves once they are on disk. Its name may not be. */
export async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await openFile(path, "wx", { temporary: true });
  try {
    await file.write(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Writes a small file atomically and resolves once it is on disk. */
export async function writeDurably(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(folder, `.${name}.part`);
  try {
    await writeSynced(temporary, bytes);
    await moveDurably(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
