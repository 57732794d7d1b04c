import { link, rm } from "node:fs/promises";
import { archivedFile, type FileEntry, fileListPath, filePath, pump, readLines } from "./archive-folder";
import { matchesRow, type StoredFile } from "./stored-files";

/** The files of an earlier archive, to be hard-linked into a new one instead of copied. */
export type LinkedFiles = {
  /** The path of that archive. */
  folder: string;
  /** Whether the file will be linked, unless it is missing or has changed there. */
  has(file: StoredFile): boolean;
  /** Links the file to the path; null if the file is missing, is not that of its row, or cannot be linked. */
  link(file: StoredFile, path: string): Promise<FileEntry | null>;
};

/** The files of an archive. What a damaged list no longer names is copied. */
export async function readLinkedFiles(folder: string): Promise<LinkedFiles> {
  const entries = new Map<string, FileEntry>();
  try {
    for await (const entry of readLines<FileEntry>(fileListPath(folder))) entries.set(entry.key, entry);
  } catch {}
  const find = (stored: StoredFile) => {
    const entry = entries.get(stored.key);
    return entry && matchesRow(stored, entry) ? entry : null;
  };
  return {
    folder,
    has: (stored) => find(stored) !== null,
    async link(stored, path) {
      const entry = find(stored);
      if (!entry) return null;
      try {
        archivedFile(filePath(folder, stored.key));
        await link(filePath(folder, stored.key), path);
      } catch {
        return null;
      }
      // Otherwise a damaged file would spread from one backup to the next.
      const found = await pump(archivedFile(path).stream(), () => {});
      if (found.size === entry.size && found.sha256 === entry.sha256) return entry;
      await rm(path);
      return null;
    },
  };
}
