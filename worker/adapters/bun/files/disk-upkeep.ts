import { constants } from "node:fs";
import { lchown, link, lstat, lutimes, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "../../../lib/durations";
import type { FileStore } from "../../../ports/file-store";
import { isFileKey, OWNER_NAME, requireFileKey } from "../../shared/file-key";
import { attempt, errorCode } from "./disk-errors";
import { syncPath, writeSynced } from "./durable-file";
import { openFile } from "./open-file";

/** How long files of unknown origin remain in the folder `orphans`. */
const ORPHANS_MS = 7 * DAY_MS;
const MAX_OWNER_BYTES = 256;

type Folders = { uploads: string; temporary: string; orphans: string };
type Upkeep = Pick<FileStore, "olderThan" | "removeOrphans" | "readOwner" | "writeOwner">;

/** What commands and jobs do with the files of a disk. */
export function createDiskUpkeep({ uploads, temporary, orphans }: Folders): Upkeep {
  const ownerPath = join(uploads, OWNER_NAME);
  const isOlder = async (path: string, milliseconds: number) => {
    const found = await ifExists(() => lstat(path));
    return found !== null && Math.floor(found.mtimeMs) <= Date.now() - milliseconds;
  };

  return {
    async olderThan(keys, milliseconds) {
      const old: string[] = [];
      for (const key of keys.map(requireFileKey)) {
        const paths = [join(uploads, key), join(temporary, key)];
        const ages = await Promise.all(paths.map((path) => isOlder(path, milliseconds)));
        if (ages.includes(true)) old.push(key);
      }
      return old;
    },
    async removeOrphans(keys) {
      for (const key of keys.map(requireFileKey)) {
        const path = join(uploads, key);
        const now = new Date();
        // The time says since when the file is in `orphans`. Set first: a crash in between only delays the next attempt.
        await ifExists(() => lutimes(path, now, now));
        await ifExists(() => rename(path, join(orphans, key)));
        await ifExists(() => rm(join(temporary, key)));
      }
      if (keys.length > 0) for (const folder of [orphans, uploads]) await ifExists(() => syncPath(folder));
      for (const name of (await ifExists(() => readdir(orphans))) ?? []) {
        const path = join(orphans, name);
        if (isFileKey(name) && (await isOlder(path, ORPHANS_MS))) await ifExists(() => rm(path));
      }
    },
    async readOwner() {
      const text = await ifExists(() => readWithoutLinks(ownerPath));
      return text?.trim() || null;
    },
    async writeOwner(id, { replace = false } = {}) {
      const written = `${ownerPath}.${crypto.randomUUID()}`;
      try {
        await attempt(async () => {
          await writeSynced(written, new TextEncoder().encode(`${id}\n`));
          const { uid, gid } = await stat(uploads);
          // Otherwise the server could not read what root's command writes.
          if (process.getuid?.() === 0) await lchown(written, uid, gid);
          if (replace) await rename(written, ownerPath);
          else await link(written, ownerPath).catch(unlessCode("EEXIST"));
          await syncPath(uploads);
        });
      } finally {
        await rm(written, { force: true });
      }
    },
  };
}

/** Root may read this in a folder of another user, and what it reads is written into a database. Opening a pipe waits for its writer. */
async function readWithoutLinks(path: string): Promise<string> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await openFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const bytes = new Uint8Array(MAX_OWNER_BYTES);
    return new TextDecoder().decode(bytes.subarray(0, await file.read(bytes, 0)));
  } finally {
    await file.close();
  }
}

/** The result; null if the file is missing. */
const ifExists = <T>(work: () => Promise<T>): Promise<T | null> =>
  attempt(() => work().catch((error: unknown) => unlessCode("ENOENT")(error)));

const unlessCode = (code: string) => (error: unknown) => {
  if (errorCode(error) !== code) throw error;
  return null;
};
