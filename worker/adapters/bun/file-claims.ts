import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { openFile } from "./open-file";
import { readTag, taggedName } from "./process-tag";

/** Which process is about to commit which file, until its row is written. */
export type FileClaims = {
  /** Notes that this process commits the file; an empty file that outlives the process. */
  make(key: string): Promise<void>;
  /** Forgets the claims on the files, its own and those of the dead. Never fails. */
  drop(keys: readonly string[]): Promise<void>;
  /** The files claimed by processes that were gone when this one started. */
  abandoned(): string[];
};

/**
 * Opens the claims in `folder`. Not synced: a claim has to outlive its process, not the machine; after a
 * power cut the hourly sweep finds the file.
 */
export async function openFileClaims(folder: string): Promise<FileClaims> {
  await mkdir(folder, { recursive: true });
  const ofTheDead = new Map<string, string>();
  for (const name of await readdir(folder)) {
    const { owner, rest } = readTag(name);
    if (owner === "gone") ofTheDead.set(rest, name);
  }
  return {
    async make(key) {
      await (await openFile(join(folder, taggedName(key)), "wx")).close();
    },
    async drop(keys) {
      for (const key of keys) {
        const name = ofTheDead.get(key) ?? taggedName(key);
        ofTheDead.delete(key);
        await rm(join(folder, name), { force: true }).catch(() => {});
      }
    },
    abandoned: () => [...ofTheDead.keys()],
  };
}
