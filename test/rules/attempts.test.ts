import { expect, test } from "bun:test";
import { join } from "node:path";
import { file } from "bun";
import { readSources } from "./sources";

test("only browser tests get a second attempt, and no test requests one itself", async () => {
  const run = await file(join(import.meta.dir, "../run.ts")).text();
  const lines = run.split("\n").filter((line) => line.includes("--retry"));
  expect(lines.map((line) => line.trim().split(":")[0])).toEqual(["[BROWSER]"]);
  const asking = (await readSources()).filter(
    ({ path, code }) =>
      path.startsWith("test/") && path.endsWith(".test.ts") && /\bretry: *\d|\brepeats: *\d/.test(code),
  );
  expect(asking.map(({ path }) => path)).toEqual([]);
});
