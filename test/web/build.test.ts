import { expect, test } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { file, write } from "bun";
import { keepAssets } from "../../web/build";
import { makeFolder } from "../support/temporary-folder";

test("a build keeps the last build's assets whole, and its own", async () => {
  const folder = makeFolder();
  const [last, next] = [join(folder, "last"), join(folder, "next")];
  await mkdir(next);
  await write(join(last, "old.js"), "export const old = 1;");
  await write(join(last, "older.js"), "export const older = 1;");
  await write(join(last, "same.js"), "export const same = 1;");
  await write(join(next, "same.js"), "export const same = 1;");
  await keepAssets(["old.js", "same.js", "gone.js"], last, next);
  expect((await readdir(next)).sort()).toEqual(["old.js", "same.js"]);
  expect(await file(join(next, "old.js")).text()).toBe("export const old = 1;");
  await keepAssets([], join(folder, "none"), next);
});
