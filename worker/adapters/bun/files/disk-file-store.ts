import { mkdir, opendir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { file as fileAt } from "bun";
import { type FileStore, type FileWriter, StorageFullError } from "../../../ports/file-store";
import { isFileKey, requireFileKey } from "../../shared/file-key";
import { errorCode, storeError } from "./disk-errors";
import { createFolderSync, moveDurably, syncPath } from "./durable-file";
import { createFreeSpaceCheck, type RequireFreeSpace } from "./free-space";
import { openFile } from "./open-file";
import { readPieces } from "./read-pieces";

const PAGE = 500;

/** Free space is checked before each file and again after this many bytes. */
const CHECK_EVERY_BYTES = 16 * 1024 * 1024;

type Folders = {
  uploads: string;
  temporary: string;
  syncUploads(): Promise<void>;
  requireFreeSpace: RequireFreeSpace;
};
type Options = { minFreeBytes?: number };

/**
 * Stores files under `folder`: complete ones in `uploads/`, unfinished ones in `tmp/`, both under their key. Creates
 * missing folders.
 */
export async function createDiskFileStore(
  folder: string,
  { minFreeBytes = 0 }: Options = {},
): Promise<FileStore> {
  const [uploads, temporary] = [join(folder, "uploads"), join(folder, "tmp")];
  for (const path of [uploads, temporary]) await mkdir(path, { recursive: true, mode: 0o700 });
  await syncPath(folder);
  await removeOlderLeftovers(folder, temporary);
  const folders = {
    uploads,
    temporary,
    syncUploads: createFolderSync(uploads),
    requireFreeSpace: createFreeSpaceCheck(folder, minFreeBytes),
  };
  const pathOf = (key: string) => join(uploads, requireFileKey(key));

  return {
    create: async (key) => createWriter(folders, requireFileKey(key)),
    async read(key, range, options) {
      const path = pathOf(key);
      const found = await attempt(() => stat(path)).catch(missingAsNull);
      if (!found) return null;
      const start = Math.min(range?.offset ?? 0, found.size);
      const end = Math.min(start + (range?.length ?? found.size), found.size);
      // Bun sends a Content-Length only for its own streams.
      return options?.toSend ? fileAt(path).slice(start, end).stream() : readPieces(path, start, end);
    },
    async remove(keys) {
      if (keys.length === 0) return;
      const paths = keys.flatMap((key) => [pathOf(key), join(temporary, key)]);
      await attempt(async () => {
        for (const path of paths) await rm(path, { force: true });
        await syncPath(uploads);
      });
    },
    list: (prefix = "") => list(uploads, prefix),
    listUnfinished: async () => (await attempt(() => readdir(temporary))).filter(isFileKey),
  };
}

/** Removes what version 0.1 left: temporary files with other names, and claims on files about to be recorded. */
async function removeOlderLeftovers(folder: string, temporary: string): Promise<void> {
  await rm(join(folder, "claims"), { recursive: true, force: true });
  for (const name of await readdir(temporary))
    if (!isFileKey(name)) await rm(join(temporary, name), { force: true });
}

async function createWriter(folders: Folders, key: string): Promise<FileWriter> {
  const path = join(folders.temporary, key);
  const target = join(folders.uploads, key);
  await folders.requireFreeSpace();
  const file = await attempt(() => openFile(path, "w", { temporary: true }));
  let unchecked = 0;
  let state: "open" | "committed" | "gone" = "open";
  let synced: Promise<void> | undefined;

  const sync = () => {
    synced ??= file.sync();
    return synced;
  };
  const abort = async () => {
    if (state !== "open") return;
    state = "gone";
    await synced?.catch(() => {});
    await file.close().catch(() => {});
    await rm(path, { force: true }).catch(() => {});
  };
  /** Runs one write step. If it fails, the whole file is discarded. */
  const step = async (work: () => Promise<void>) => {
    if (state !== "open") throw new Error("The file is no longer being written");
    await attempt(work).catch(async (error) => {
      await abort();
      throw error;
    });
  };

  return {
    write: (chunk) =>
      step(async () => {
        unchecked += chunk.length;
        if (unchecked >= CHECK_EVERY_BYTES) {
          unchecked = 0;
          await folders.requireFreeSpace();
        }
        await file.write(chunk);
      }),
    // Runs while the next file arrives. `commit` reports a failure.
    end: async () => void sync().catch(() => {}),
    commit: () =>
      step(async () => {
        await sync();
        await file.close();
        await moveDurably(path, target, folders.syncUploads).catch(async (error) => {
          await rm(target, { force: true }).catch(() => {});
          throw error;
        });
        state = "committed";
      }),
    abort,
  };
}

async function* list(folder: string, prefix: string): AsyncGenerator<string[]> {
  let page: string[] = [];
  for await (const { name } of await attempt(() => opendir(folder))) {
    if (!name.startsWith(prefix) || !isFileKey(name)) continue;
    page.push(name);
    if (page.length === PAGE) {
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StorageFullError ? error : storeError(error);
  }
}

function missingAsNull(error: Error): null {
  if (errorCode(error.cause) === "ENOENT") return null;
  throw error;
}
