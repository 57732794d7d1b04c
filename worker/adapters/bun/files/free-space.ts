import { statfs } from "node:fs/promises";
import { StorageFullError } from "../../../ports/file-store";
import { storeError } from "./disk-errors";

/** @throws StorageFullError if less than the minimum would be free after storing this many bytes */
export type RequireFreeSpace = (bytes?: number) => Promise<void>;

/** Keeps uploads from filling a disk that the database writes to as well. */
export function createFreeSpaceCheck(folder: string, minFreeBytes: number): RequireFreeSpace {
  return async (bytes = 0) => {
    if (minFreeBytes === 0) return;
    const { bavail, bsize } = await statfs(folder).catch((error: unknown) => {
      throw storeError(error);
    });
    if (bavail * bsize - bytes < minFreeBytes)
      throw new StorageFullError("Too little space is free on the disk");
  };
}
