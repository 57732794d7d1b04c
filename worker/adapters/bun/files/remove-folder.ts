import { rm, stat } from "node:fs/promises";

/**
 * Removes a folder with all that is in it; it need not exist. Problem: if a file vanishes meanwhile, such as one that SQLite
 * removes when it closes, Bun leaves the rest without an error. Therefore it is removed until it is gone.
 */
export async function removeFolder(path: string): Promise<void> {
  do await rm(path, { recursive: true, force: true });
  while (await stat(path).catch(() => null));
}
