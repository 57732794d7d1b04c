import { expect, test } from "bun:test";
import { createApp } from "../../worker/app";
import type { Dependencies } from "../../worker/dependencies";
import { measureBlocks } from "../support/loop/measure";
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
