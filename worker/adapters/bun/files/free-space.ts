import type { StatsFs } from "node:fs";
import { statfs } from "node:fs/promises";
import { StorageFullError } from "../../../ports/file-store";
import { attempt } from "./disk-errors";

/** @throws StorageFullError if less than the minimum would be free after storing this many bytes */
export type RequireFreeSpace = (bytes?: number) => Promise<void>;

/** The disk with this folder; null if it cannot be read. */
export async function readDisk(folder: string): Promise<{ freeBytes: number; sizeBytes: number } | null> {
  const disk = await statfs(folder).catch(() => null);
  return disk && { freeBytes: disk.bavail * disk.bsize, sizeBytes: disk.blocks * disk.bsize };
}

/** A smaller write needs no check: the database goes on recording sign-ins and deletions. */
const LARGE_WRITE = 64 * 1024;

/** Like `createFreeSpaceCheck`, for writes that are mostly small. */
export function createLargeWriteCheck(
  folder: string,
  minFreeBytes: number,
): (bytes: number) => Promise<void> {
  const requireFreeSpace = createFreeSpaceCheck(folder, minFreeBytes);
  return async (bytes) => {
    if (bytes > LARGE_WRITE) await requireFreeSpace(bytes);
  };
}

/**
 * Keeps large writes from filling a disk that the database needs for small ones.
 * @param read by default in another thread, because the disk may be a slow network's
 */
export function createFreeSpaceCheck(
  folder: string,
  minFreeBytes: number,
  read: (folder: string) => StatsFs | Promise<StatsFs> = statfs,
): RequireFreeSpace {
  return async (bytes = 0) => {
    if (minFreeBytes === 0) return;
    const { bavail, bsize } = await attempt(async () => read(folder));
    if (bavail * bsize - bytes < minFreeBytes)
      throw new StorageFullError("Too little space is free on the disk");
  };
}
