import { mkdir, opendir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { file as fileAt } from "bun";
import type { FileStore, FileWriter } from "../../ports/file-store";
import { requireFileKey } from "../shared/file-key";
import { errorCode, storeError } from "./disk-errors";
import { moveDurably, syncPath } from "./durable-file";
import { type FileClaims, openFileClaims } from "./file-claims";
import { openFile } from "./open-file";
import { removeStaleTemporaryFiles, temporaryName } from "./temporary-files";

const PAGE = 500;

type Folders = { uploads: string; temporary: string };
type Options = {
  /** Whether rows die with the process that writes them, so that what it left can go as soon as it is gone. */
  rowsAreLocal?: boolean;
};

/**
 * Keeps files under `folder`: whole ones in `uploads/`, those being written in `tmp/`, and in `claims/`
 * which process is between a file and its row. Makes the folders and removes what processes that are gone
 * have left in `tmp/`.
 */
export async function createDiskFileStore(
  folder: string,
  { rowsAreLocal = true }: Options = {},
): Promise<FileStore> {
  const folders = { uploads: join(folder, "uploads"), temporary: join(folder, "tmp") };
  for (const path of Object.values(folders)) await mkdir(path, { recursive: true });
  await syncPath(folder);
  await removeStaleTemporaryFiles(folders.temporary);
  const claims = await openFileClaims(join(folder, "claims"));
  const pathOf = (key: string) => join(folders.uploads, requireFileKey(key));

  return {
    create: async (key) => createWriter(folders, { path: pathOf(key), key, claims }),
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
      const paths = keys.map(pathOf);
      await attempt(async () => {
        for (const path of paths) await rm(path, { force: true });
        await syncPath(folders.uploads);
      });
      await claims.drop(keys);
    },
    listOlderThan: (moment) => listOlderThan(folders.uploads, moment),
    settle: claims.drop,
    listAbandoned: async () => (rowsAreLocal ? claims.abandoned() : []),
  };
}

type Target = { path: string; key: string; claims: FileClaims };

async function createWriter({ temporary }: Folders, target: Target): Promise<FileWriter> {
  const path = join(temporary, temporaryName());
  const file = await attempt(() => openFile(path, "wx", { temporary: true }));
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
        await target.claims.make(target.key);
        await moveDurably(path, target.path).catch(async (error) => {
          await rm(target.path, { force: true }).catch(() => {});
          await target.claims.drop([target.key]);
          throw error;
        });
        state = "committed";
      }),
    abort,
  };
}

async function* listOlderThan(folder: string, moment: Date): AsyncGenerator<string[]> {
  let page: string[] = [];
  for await (const { name } of await attempt(() => opendir(folder))) {
    const found = await attempt(() => stat(join(folder, name))).catch(missingAsNull);
    if (!found || found.mtimeMs >= moment.getTime()) continue;
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
