import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWeb } from "../../web/build";
import { killRounds } from "./kill-rounds";

setDefaultTimeout(60_000);

let folder: string;
beforeAll(async () => {
  await buildWeb();
  folder = await mkdtemp(join(tmpdir(), "doculopes-faults-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a server that is killed at any moment has lost nothing it said yes to, and leaves nothing half-done", async () => {
  const { kills, acknowledged, problems } = await killRounds(folder, { seed: 6, kills: 4 });
  expect(problems).toEqual([]);
  expect(kills).toBe(4);
  expect(acknowledged).toBeGreaterThan(10);
});
