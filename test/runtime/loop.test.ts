import { expect, test } from "bun:test";
import { createApp } from "../../worker/app";
import type { Dependencies } from "../../worker/dependencies";
import { WORST_CALLS } from "../support/loop/worst-calls";

// `bun run bench loop` feeds each call its worst input and measures how long it keeps everybody else waiting.
test("each route of the app has its worst input in the table of the bench, or the reason why it has none", () => {
  const { routes } = createApp({} as Dependencies);
  const served = routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(WORST_CALLS).sort()).toEqual([...new Set(served)].sort());
});
