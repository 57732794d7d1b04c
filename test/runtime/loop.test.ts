import { expect, test } from "bun:test";
import { createApp } from "../../worker/app";
import type { Dependencies } from "../../worker/dependencies";
import { startWithDeliveries } from "../support/loop/deliveries";
import { measureBlocks } from "../support/loop/measure";
import { longestBlock } from "../support/loop/watch-loop";
import { WORST_CALLS } from "../support/loop/worst-calls";

/** The goal is 50, which `bun run bench loop` measures. A busy machine takes twice as long, and a block many times as long. */
const BOUND_MS = 150;

test("each route of the app has its worst input in the table, or the reason why it has none", () => {
  const { routes } = createApp({} as Dependencies);
  const served = routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(WORST_CALLS).sort()).toEqual([...new Set(served)].sort());
});

test("no call and no job keeps everybody else waiting, whatever it is given", async () => {
  const blocks = await measureBlocks(BOUND_MS);
  expect(blocks.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(blocks.filter(({ milliseconds }) => milliseconds >= BOUND_MS)).toEqual([]);
}, 240_000);

test("a hundred thousand files that were or are to be delivered keep nobody waiting", async () => {
  const { runtime, owner, workspaceId, waiting, served } = await startWithDeliveries(50, 2000);
  const files = 100_000;
  const block = (
    call: () => Promise<{ status: number; body: unknown }>,
    ...[status, body]: [number, unknown]
  ) =>
    longestBlock(async () => {
      expect(await call()).toMatchObject({ status, ...(body !== undefined && { body }) });
      await runtime.finishBackgroundWork();
    });
  await owner.post("/api/workspaces", { name: "Other" });
  const blocks = [
    await block(() => owner.get(`/api/destinations/${waiting}/backfill`), 200, { files, bytes: 10 * files }),
    await block(() => owner.get(`/api/destinations/${served}/backfill`), 200, { files: 0 }),
    await block(() => owner.post(`/api/destinations/${waiting}/backfill`, {}), 202, { files }),
    await block(() => owner.get("/api/destinations"), 200, [{ waiting: 10_000 }, { waiting: 0 }]),
    await block(() => owner.delete(`/api/destinations/${waiting}`), 204, undefined),
    await block(() => owner.delete(`/api/workspaces/${workspaceId}`), 204, undefined),
  ];
  expect(blocks.filter((milliseconds) => milliseconds >= BOUND_MS)).toEqual([]);
  await runtime.stop();
}, 120_000);
