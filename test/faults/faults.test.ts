import { afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWeb } from "../../web/build";
import { kills } from "./rows/kills";
import { locked } from "./rows/locked";

/** The short form of the bench's rows. */

setDefaultTimeout(60_000);

let folder: string;
beforeAll(() => buildWeb());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "doculopes-faults-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a server that is killed at any moment has lost nothing it said yes to, and leaves nothing half-done", async () => {
  const { measured, problems } = await kills({ folder, seed: 6, long: false });
  expect(problems).toEqual([]);
  expect(measured.kills).toBe(4);
  expect(measured.acknowledged).toBeGreaterThan(10);
});

test("while another process holds the database, reads go on, writes wait and are then refused with a time to come back", async () => {
  const { measured, problems } = await locked({ folder, seed: 6, long: false });
  expect(problems).toEqual([]);
  expect(measured["first writes after the release that were taken"]).toBe(1);
  expect(measured["writes refused"]).toBeGreaterThan(0);
});
