import { mkdir, opendir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { file as fileAt } from "bun";
import type { FileStore, FileWriter } from "../../ports/file-store";
import { isFileKey, requireFileKey } from "../shared/file-key";
import { errorCode, storeError } from "./disk-errors";
import { createFolderSync, moveDurably, syncPath } from "./durable-file";
import { openFile } from "./open-file";

const PAGE = 500;

type Folders = { uploads: string; temporary: string; syncUploads(): Promise<void> };

/**
 * Keeps files under `folder`: whole ones in `uploads/`, those being written in `tmp/`, both under their key.
 * Creates the folders where they are missing.
 */
export async function createDiskFileStore(folder: string): Promise<FileStore> {
  const [uploads, temporary] = [join(folder, "uploads"), join(folder, "tmp")];
  for (const path of [uploads, temporary]) await mkdir(path, { recursive: true, mode: 0o700 });
  await syncPath(folder);
  await removeOlderLeftovers(folder, temporary);
  const folders = { uploads, temporary, syncUploads: createFolderSync(uploads) };
  const pathOf = (key: string) => join(uploads, requireFileKey(key));

  return {
    create: async (key) => createWriter(folders, requireFileKey(key)),
    async read(key, range) {
      const path = pathOf(key);
      const found = await attempt(() => stat(path)).catch(missingAsNull);
      if (!found) return null;
      const start = Math.min(range?.offset ?? 0, found.size);
      const end = Math.min(start + (range?.length ?? found.size), found.size);
      return fileAt(path).slice(start, end).stream(); // Bun's own, since it answers no other with a Content-Length.
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

/** Version 0.1 named what it was writing, and what it was about to record, after its host and process. */
async function removeOlderLeftovers(folder: string, temporary: string): Promise<void> {
  await rm(join(folder, "claims"), { recursive: true, force: true });
  for (const name of await readdir(temporary))
    if (!isFileKey(name)) await rm(join(temporary, name), { force: true });
}

async function createWriter(folders: Folders, key: string): Promise<FileWriter> {
  const path = join(folders.temporary, key);
  const target = join(folders.uploads, key);
  const file = await attempt(() => openFile(path, "w", { temporary: true }));
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
  /** Runs a step of the writing; a step that fails takes the whole file with it. */
  const step = async (work: () => Promise<void>) => {
    if (state !== "open") throw new Error("The file is no longer being written");
    await attempt(work).catch(async (error) => {
      await abort();
      throw error;
    });
  };

  return {
    write: (chunk) => step(() => file.write(chunk)),
    // While the next file comes in; what fails is the commit's to tell.
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
    throw storeError(error);
  }
}

function missingAsNull(error: Error): null {
  if (errorCode(error.cause) === "ENOENT") return null;
  throw error;
}
