import { lchown, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Does the work and then gives everything in the folder to the user that owned the folder before, so that what root
 * restores can be used by the user that runs the app. Other users cannot give files away, and leave theirs as they are.
 */
export async function keepOwner<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const owner = await stat(folder).catch(() => null);
  try {
    return await work();
  } finally {
    if (owner && process.getuid?.() === 0) await giveTo(folder, owner);
  }
}

async function giveTo(path: string, owner: { uid: number; gid: number }): Promise<void> {
  await lchown(path, owner.uid, owner.gid);
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) await giveTo(below, owner);
    else await lchown(below, owner.uid, owner.gid);
  }
}
