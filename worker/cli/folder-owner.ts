import { lchown, lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../adapters/bun/files/disk-errors";
import { STORE_FOLDERS } from "../adapters/bun/files/disk-file-store";
import { userName } from "../adapters/bun/files/file-access";
import { StartError } from "../adapters/bun/start-error";

/** Root would write where the links of the folder's owner lead to. */
export async function requireNoForeignLinks(dataDir: string, command: string): Promise<void> {
  const uid = await foreignOwner(dataDir);
  if (uid === null) return;
  for (const name of STORE_FOLDERS) {
    const found = await lstat(join(dataDir, name)).catch(() => null);
    if (!found?.isSymbolicLink()) continue;
    throw new StartError(
      `${join(dataDir, name)} is a link that root must not follow; ${await asOwner(uid, `${command} …`)}`,
    );
  }
}

/** The server could not read what root creates. */
export async function requireOwner(dataDir: string, command: string): Promise<void> {
  const uid = await foreignOwner(dataDir);
  if (uid !== null) throw new StartError(`${dataDir} is not root's; ${await asOwner(uid, command)}`);
}

/** The owner of the folder, if it is another user than root, who runs this. */
async function foreignOwner(folder: string): Promise<number | null> {
  const { uid } = await stat(folder);
  return process.getuid?.() === 0 && uid !== 0 ? uid : null;
}

async function asOwner(uid: number, command: string): Promise<string> {
  const user = await userName(uid);
  return `run this as ${user}: \`runuser -u ${user} -- doculopes ${command}\``;
}

/**
 * Runs the work, then gives everything in the folder to the user that owned the folder before, so that the user that
 * runs the app can use what root has written. Only root can change owners; for other users nothing changes.
 */
export async function preserveOwner<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const owner = await stat(folder).catch(() => null);
  try {
    return await work();
  } finally {
    if (owner && process.getuid?.() === 0) await changeOwner(folder, owner);
  }
}

type Owner = { uid: number; gid: number };

async function changeOwner(path: string, owner: Owner): Promise<void> {
  await giveTo(path, owner);
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) await changeOwner(below, owner);
    else await giveTo(below, owner);
  }
}

/** A running server may remove the file meanwhile. */
async function giveTo(path: string, { uid, gid }: Owner): Promise<void> {
  await lchown(path, uid, gid).catch((error: unknown) => {
    if (errorCode(error) !== "ENOENT") throw error;
  });
}
