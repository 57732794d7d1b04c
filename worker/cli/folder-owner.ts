import { lchown, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Runs the work, then gives everything in the folder to the user that owned the folder before, so that the user that
 * runs the app can use what root has restored. Only root can change owners; for other users nothing changes.
 */
export async function preserveOwner<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const owner = await stat(folder).catch(() => null);
  try {
    return await work();
  } finally {
    if (owner && process.getuid?.() === 0) await changeOwner(folder, owner);
  }
}

async function changeOwner(path: string, owner: { uid: number; gid: number }): Promise<void> {
  await lchown(path, owner.uid, owner.gid);
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) await changeOwner(below, owner);
    else await lchown(below, owner.uid, owner.gid);
  }
}
