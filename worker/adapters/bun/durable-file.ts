import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes all of the bytes: one `write` may take fewer than it was given. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, offset, bytes.length - offset);
    offset += bytesWritten;
  }
}

/** Makes the names in a folder survive a power cut; fsync of a file keeps its bytes, not its name. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Renames a file whose bytes are on the disk already; resolves once the new name is there too. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Writes a small file that is there whole or not at all, and resolves once it is on the disk. */
export async function writeDurably(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(folder, `.${name}.part`);
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await writeAll(handle, bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await moveDurably(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
