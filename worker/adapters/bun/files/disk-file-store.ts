import { mkdir, opendir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { file as fileAt } from "bun";
import type { FileStore, FileWriter } from "../../../ports/file-store";
import { isFileKey, PROBE_KEY, requireFileKey } from "../../shared/file-key";
import { StartError } from "../start-error";
import { attempt, errorCode, storeError } from "./disk-errors";
import { createDiskUpkeep } from "./disk-upkeep";
import { createFolderSync, moveDurably, syncPath } from "./durable-file";
import { createFreeSpaceCheck, type RequireFreeSpace } from "./free-space";
import { createTemporaryFile, type OpenFile, openFile } from "./open-file";

const PAGE = 500;

/** The folders of a store on a disk. */
export const STORE_FOLDERS = ["uploads", "tmp", "orphans"] as const;

/** Free space is checked before each file and again after this many bytes. */
const CHECK_EVERY_BYTES = 16 * 1024 * 1024;

type Folders = {
  uploads: string;
  temporary: string;
  syncUploads(): Promise<void>;
  requireFreeSpace: RequireFreeSpace;
};
type Options = {
  minFreeBytes?: number;
  /** Creates no folder and removes nothing that an earlier version left. */
  readOnly?: boolean;
};

/**
 * Stores files under `folder`: complete ones in `uploads/`, unfinished ones in `tmp/`, and for a week those of unknown
 * origin in `orphans/`, each under its key. Creates missing folders.
 * @throws StartError if files cannot be renamed between them
 */
export async function createDiskFileStore(
  folder: string,
  { minFreeBytes = 0, readOnly = false }: Options = {},
): Promise<FileStore> {
  const [uploads, temporary, orphans] = foldersOf(folder);
  if (!readOnly) {
    for (const path of [uploads, temporary, orphans]) await makeFolder(path);
    await syncPath(folder);
    const split = await findSplit(folder);
    if (split) throw new StartError(`${split.problem}: ${split.advice}`);
    await removeOlderLeftovers(folder, temporary);
  }
  const folders = {
    uploads,
    temporary,
    syncUploads: createFolderSync(uploads),
    requireFreeSpace: createFreeSpaceCheck(folder, minFreeBytes),
  };
  const pathOf = (key: string) => join(uploads, requireFileKey(key));

  return {
    create: async (key) => createWriter(folders, requireFileKey(key)),
    async tryStoring() {
      const writer = await createWriter(folders, PROBE_KEY);
      try {
        await writer.write(new Uint8Array(1));
      } finally {
        await writer.abort();
      }
    },
    async read(key, range, options) {
      const path = pathOf(key);
      const found = await attempt(() => stat(path)).catch(missingAsNull);
      if (!found) return null;
      const start = Math.min(range?.offset ?? 0, found.size);
      const end = Math.min(start + (range?.length ?? found.size), found.size);
      // Bun sends a Content-Length only for its own streams.
      return options?.toSend ? fileAt(path).slice(start, end).stream() : readInChunks(path, start, end);
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
    ...createDiskUpkeep({ uploads, temporary, orphans }),
  };
}

/** Unless it exists. @throws StartError if something else has its name */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    if (errorCode(error) !== "EEXIST") throw error;
    throw new StartError(`${path} is not a folder: move it away, or correct DATA_DIR`);
  });
}

const foldersOf = (folder: string) => {
  const [uploads, temporary, orphans] = STORE_FOLDERS;
  return [join(folder, uploads), join(folder, temporary), join(folder, orphans)] as const;
};

/** Which folders of the store files cannot be renamed between, and what to do about it; null if there are none. */
export async function findSplit(folder: string): Promise<{ problem: string; advice: string } | null> {
  const [uploads, ...others] = foldersOf(folder);
  const device = async (path: string) => (await stat(path).catch(() => null))?.dev;
  for (const other of others) {
    const [own, another] = [await device(uploads), await device(other)];
    if (own === undefined || another === undefined) continue;
    // Two mounts of one file system have the same device; the missing file is looked for only within one mount.
    const missing = `.${crypto.randomUUID()}`;
    const code = await rename(join(other, missing), join(uploads, missing)).catch(errorCode);
    if (own !== another || code === "EXDEV")
      return {
        problem: `${uploads} and ${other} are on different file systems or mounts, so files cannot be renamed between them`,
        advice: "mount the disk at DATA_DIR itself; DATABASE_URL can keep the database elsewhere",
      };
  }
  return null;
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
  const file = await attempt(() => createTemporaryFile(path));
  let unchecked = 0;
  let state: "open" | "committed" | "gone" = "open";
  let synced: Promise<void> | undefined;

  /** Closed as well: `commit` may come much later, and a request may have thousands of files. */
  const sync = () => {
    synced ??= file.sync().finally(() => file.close());
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
    // `commit` reports a failure.
    end: () => sync().catch(() => {}),
    commit: () =>
      step(async () => {
        await sync();
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
  const entries = await attempt(() => opendir(folder)).catch(missingAsNull);
  for await (const { name } of entries ?? []) {
    if (!name.startsWith(prefix) || !isFileKey(name)) continue;
    page.push(name);
    if (page.length === PAGE) {
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}

function missingAsNull(error: Error): null {
  if (errorCode(error.cause) === "ENOENT") return null;
  throw error;
}

/** The size of one read. Every read reuses the same memory. */
const BLOCK_BYTES = 256 * 1024;
const CHUNK_BYTES = 64 * 1024;

/**
 * The bytes of a file between two offsets, read on demand. Problem: chunks in flight during one of the frequent small
 * garbage collections stay in memory until the next full one. With the 256 KiB chunks of Bun's own stream, an archive
 * of 2 GB takes more than 100 MB; small chunks leave little behind.
 */
function readInChunks(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  let opened: Promise<OpenFile> | undefined;
  let block: Uint8Array<ArrayBuffer> | undefined;
  let unsent = new Uint8Array(0);
  let position = start;
  const close = async () => (await opened?.catch(() => {}))?.close();

  async function readBlock(): Promise<void> {
    try {
      opened ??= openFile(path, "r");
      const file = await opened;
      block ??= new Uint8Array(Math.min(BLOCK_BYTES, end - start));
      const count = await file.read(block.subarray(0, end - position), position);
      if (count === 0) throw new Error("The file has become shorter");
      position += count;
      unsent = block.subarray(0, count);
    } catch (error) {
      await close();
      throw storeError(error);
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (unsent.length === 0 && position < end) await readBlock();
        if (unsent.length > 0) controller.enqueue(unsent.slice(0, CHUNK_BYTES));
        unsent = unsent.subarray(CHUNK_BYTES);
        if (unsent.length > 0 || position < end) return;
        await close();
        controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
