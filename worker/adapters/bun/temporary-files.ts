import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { readTag, taggedName } from "./process-tag";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A name that tells which process is writing the file. */
export const temporaryName = (): string => taggedName(crypto.randomUUID());

/**
 * Removes temporary files whose process is gone. Another server that lives on the same folder keeps its
 * own; what a machine of another name left goes after a day.
 */
export async function removeStaleTemporaryFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { owner } = readTag(name);
    if (owner === "gone" || (owner === "elsewhere" && (await isOld(path)))) await rm(path, { force: true });
  }
}

async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > DAY_MS;
}
