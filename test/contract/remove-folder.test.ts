import { expect, test } from "bun:test";
import { unlinkSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { write } from "bun";
import { removeFolder } from "../../worker/adapters/bun/files/remove-folder";
import { makeFolder } from "../support/temporary-folder";

test("a folder is removed whole, also while its files vanish, and one that is not there is no error", async () => {
  const parent = makeFolder();
  for (let round = 0; round < 500; round += 1) {
    const folder = join(parent, String(round));
    await mkdir(folder);
    const files = ["rows.db", "rows.db-wal", "rows.db-shm"].map((name) => join(folder, name));
    for (const path of files) await write(path, "x");
    const removed = removeFolder(folder);
    for (const path of files.slice(1)) {
      try {
        unlinkSync(path);
      } catch {
        // It was removed first.
      }
    }
    await removed;
  }
  await removeFolder(join(parent, "none"));
  expect(await readdir(parent)).toEqual([]);
});
