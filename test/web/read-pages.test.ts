import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { QueryClient } from "@tanstack/react-query";
import { readAllPages } from "../../web/lib/read-pages";

const KEY = ["rows"];
const START = new Date("2026-05-04T10:00:00Z");
// Bun has none.
const { requestIdleCallback } = globalThis;

let client: QueryClient;
/** The rows that were shown while the list was read. */
let shown: number[][];

beforeEach(() => {
  setSystemTime(START);
  client = new QueryClient();
  shown = [];
  client.getQueryCache().subscribe(({ query }) => {
    const rows = query.state.data as number[] | undefined;
    if (rows && rows !== shown.at(-1)) shown.push(rows);
  });
  globalThis.requestIdleCallback = (callback) => {
    callback({ didTimeout: false, timeRemaining: () => 0 });
    return 0;
  };
});

afterEach(() => {
  setSystemTime();
  globalThis.requestIdleCallback = requestIdleCallback;
});

/** Reads five pages of one row, each of which takes `ms`. Page `failing` fails. */
const read = (ms: number, failing?: number) =>
  readAllPages(client, KEY, async (cursor = "1") => {
    const page = Number(cursor);
    setSystemTime(Date.now() + ms);
    if (page === failing) throw new Error("offline");
    return { rows: [page], next: page < 5 ? String(page + 1) : undefined };
  });

test("a list shows its first page at once, and its other pages when all are read within a second", async () => {
  expect(await read(100)).toEqual([1, 2, 3, 4, 5]);
  expect(shown).toEqual([[1]]);
});

test("a slow list shows once a second what was read", async () => {
  expect(await read(600)).toEqual([1, 2, 3, 4, 5]);
  expect(shown).toEqual([[1], [1, 2, 3]]);
});

test("a list that fails shows what was read", async () => {
  await expect(read(100, 4)).rejects.toThrow("offline");
  expect(shown).toEqual([[1], [1, 2, 3]]);
});

test("a list that is shown already is replaced when all of it is read", async () => {
  client.setQueryData(KEY, [7]);
  expect(await read(2000)).toEqual([1, 2, 3, 4, 5]);
  expect(shown).toEqual([[7]]);
});
