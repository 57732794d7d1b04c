import { lchown, lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../adapters/bun/files/disk-errors";
import { findUser } from "../adapters/bun/files/file-access";
import { ownPaths } from "../adapters/bun/resources";
import { StartError } from "../adapters/bun/start-error";
import type { Variables } from "../config";

/** Root would write where the links of the folders' owners lead to. */
export async function requireNoForeignLinks(variables: Variables, command: string): Promise<void> {
  for (const path of ownPaths(variables)) {
    const uid = await foreignOwner(dirname(path));
    const found = await lstat(path).catch(() => null);
    if (uid === null || !found?.isSymbolicLink()) continue;
    throw new StartError(
      `${path} is a link that root must not follow; ${await asOwner(uid, `${command} …`)}`,
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
  const { name, runAs } = await findUser(uid);
  return `run this as ${name}: \`${runAs} doculopes ${command}\``;
}

/**
 * Runs the work, then gives what root has created for the app to the owners of its folders, so that the user that runs the
 * app can use it. Only root can change owners; for other users nothing changes.
 */
export async function preserveOwner<T>(variables: Variables, work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  const owners = new Map<string, Owner | null>();
  for (const path of ownPaths(variables)) owners.set(path, await stat(dirname(path)).catch(() => null));
  try {
    return await work();
  } finally {
    for (const [path, owner] of owners) if (owner) await changeOwner(path, owner);
  }
}

type Owner = { uid: number; gid: number };

/** A running server may remove the file meanwhile. */
async function changeOwner(path: string, owner: Owner): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found?.uid === 0)
    await lchown(path, owner.uid, owner.gid).catch((error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
    });
  const names = found?.isDirectory() ? await readdir(path).catch(() => []) : [];
  for (const name of names) await changeOwner(join(path, name), owner);
}
