import { constants } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type ResumableFile,
  type ResumableFileStore,
  type ResumableFileWriter,
  type SaveProgress,
  UploadLostError,
} from "../../../ports/file-store";
import { requireFileKey } from "../../shared/file-key";
import { attempt } from "./disk-errors";
import { syncPath } from "./durable-file";
import { createFreeSpaceCheck } from "./free-space";
import { openFile } from "./open-file";

/** A long request saves its progress after this many bytes or milliseconds: the most that a crash can cost. */
const SAVE_BYTES = 8 * 1024 * 1024;
const SAVE_MS = 2000;

/**
 * Stores files under `folder` while they arrive in chunks: in `uploads/`, where they stay when complete. Their row is
 * written first, so no file exists without a row. Bytes after the offset belong to an interrupted request; the next one
 * overwrites them.
 */
export async function createDiskResumableStore(
  folder: string,
  { minFreeBytes = 0 }: { minFreeBytes?: number } = {},
): Promise<ResumableFileStore> {
  const uploads = join(folder, "uploads");
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  const pathOf = (key: string) => join(uploads, requireFileKey(key));
  const requireFreeSpace = createFreeSpaceCheck(folder, minFreeBytes);
  return {
    requireSpace: requireFreeSpace,
    async append(file, save) {
      await requireFreeSpace(file.size - file.offset);
      const path = pathOf(file.key);
      let saved = false;
      const writer = await attempt(() =>
        openWriter(uploads, path, file, async (progress) => {
          await save(progress);
          saved = true;
        }),
      );
      return {
        ...writer,
        async write(chunk) {
          // Other requests may have used the space meanwhile. What is saved is accepted, so only before more.
          if (saved) await requireFreeSpace();
          saved = false;
          await writer.write(chunk);
        },
      };
    },
    // The last byte was synced before its offset was reported, and the file has had its final name from the start.
    async finish() {},
    async abandon(key) {
      const path = pathOf(key);
      await attempt(async () => {
        await rm(path, { force: true });
        await syncPath(uploads);
      });
    },
    async *listAbandoned() {},
  };
}

async function openWriter(
  folder: string,
  path: string,
  { offset: start }: ResumableFile,
  save: SaveProgress,
): Promise<ResumableFileWriter> {
  const { O_RDWR, O_CREAT } = constants;
  // A missing file is created, and found too short. A missing folder is not: its disk may return.
  const file = await openFile(path, start === 0 ? "w" : O_RDWR | O_CREAT);
  let written = start;
  let synced = start;
  let syncedAt = performance.now();
  if (start > 0 && (await file.size()) < start) {
    await file.close();
    throw new UploadLostError("The file is shorter than its offset");
  }

  const sync = async () => {
    await file.sync();
    if (synced === 0) await syncPath(folder);
    synced = written;
    syncedAt = performance.now();
    return { offset: synced, state: "" };
  };
  return {
    async write(chunk) {
      await attempt(() => file.write(chunk, written));
      written += chunk.length;
      if (written - synced >= SAVE_BYTES || performance.now() - syncedAt >= SAVE_MS)
        await save(await attempt(sync));
    },
    async end() {
      const progress = written > synced ? await attempt(sync) : { offset: synced, state: "" };
      await file.close();
      return progress;
    },
    discard: () => file.close(),
  };
}
