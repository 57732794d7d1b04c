import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { file } from "bun";
import { startInstance } from "../support/runtime/workerd";

setDefaultTimeout(240_000);

/** The workarounds of db/d1.ts. If a test fails here, its workaround is no longer needed. */
const NEEDED_BY = "drizzle-orm 0.45.4";

test("the workaround is that of the installed version", async () => {
  const path = join(import.meta.dir, "../../node_modules/drizzle-orm/package.json");
  expect(`drizzle-orm ${(await file(path).json()).version}`).toBe(NEEDED_BY);
});

test(`a batch of raw statements with parameters fails on D1 with ${NEEDED_BY}, and runs in the app's database`, async () => {
  const { command } = await startInstance();
  expect(await command("rawBatch", "drizzle")).toBe("TypeError");
  expect(await command("rawBatch", "app")).toEqual([3, "ab"]);
});
