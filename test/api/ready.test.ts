import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { sql } from "drizzle-orm";
import { openLibsql } from "../../db/libsql";
import { createDiskFileStore } from "../../worker/adapters/bun/files/disk-file-store";
import { createApp } from "../../worker/app";
import type { Dependencies } from "../../worker/dependencies";
import { StoreUnavailableError } from "../../worker/ports/file-store";
import { describeApi } from "../support/api/client";
import { createMemoryFileStore } from "../support/memory/memory-file-store";
import { createMemoryLogger } from "../support/memory/memory-logger";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { makeFolder } from "../support/temporary-folder";

const REJECTED = { code: "unavailable", message: expect.stringMatching(/\w \w/) };
const LATER_MS = 5000;

let runtime: Awaited<ReturnType<typeof startBunRuntime>>;
let now = Date.parse("2026-03-14T09:26:53.000Z");

beforeAll(async () => {
  runtime = await startBunRuntime();
});
afterAll(() => runtime.stop());
// After the cached result has expired.
beforeEach(() => pass(LATER_MS));

function pass(ms: number) {
  now += ms;
  return runtime.setClock(new Date(now).toISOString());
}

function checkOf(changes: Partial<Dependencies>) {
  const app = createApp({ ...runtime.deps, ...changes });
  return async () => {
    const response = await app.request("/api/ready", {}, { clientAddress: "203.0.113.7" });
    return {
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      body: await response.json(),
    };
  };
}

describeApi("ready", (api) => {
  test("returns 200 to anybody while the database and the store accept writes", async () => {
    const { status, body } = await api.anonymous().get("/api/ready");
    expect([status, body]).toEqual([200, { status: "ready" }]);
  });
});

describeApi("live", (api) => {
  test("returns 200 to anybody, whatever the state of the database", async () => {
    const { status, body } = await api.anonymous().get("/api/live");
    expect([status, body]).toEqual([200, { status: "live" }]);
  });
});

test("a server that is about to stop is live but not ready", async () => {
  const stopping = new AbortController();
  const files = createMemoryFileStore();
  const app = createApp({ ...runtime.deps, files, stopping: stopping.signal });
  const statusOf = async (path: string) =>
    (await app.request(path, {}, { clientAddress: "203.0.113.7" })).status;
  expect(await statusOf("/api/ready")).toBe(200);
  stopping.abort();
  expect(await statusOf("/api/ready")).toBe(503);
  expect(await statusOf("/api/live")).toBe(200);
});

test("returns 503 with a message while the store is unavailable", async () => {
  const files = createMemoryFileStore();
  const check = checkOf({ files });
  expect((await check()).status).toBe(200);
  files.failWith = new StoreUnavailableError("gone");
  await pass(LATER_MS);
  expect(await check()).toEqual({ status: 503, retryAfter: "5", body: expect.objectContaining(REJECTED) });
  files.failWith = null;
  await pass(LATER_MS);
  expect((await check()).status).toBe(200);
});

test("a hundred calls within five seconds write once and get the same response", async () => {
  const files = createMemoryFileStore();
  let writes = 0;
  const tryStoring = async () => {
    writes += 1;
  };
  const check = checkOf({ files: { ...files, tryStoring } });
  const responses = await Promise.all(Array.from({ length: 50 }, check));
  await pass(LATER_MS - 1);
  for (let count = 0; count < 50; count++) responses.push(await check());
  expect([...new Set(responses.map(({ status }) => status))]).toEqual([200]);
  expect(writes).toBe(1);
  await pass(1);
  await check();
  expect(writes).toBe(2);
});

test("setting the clock back does not extend the cache", async () => {
  const files = createMemoryFileStore();
  const check = checkOf({ files });
  expect((await check()).status).toBe(200);
  files.failWith = new StoreUnavailableError("gone");
  await pass(-60_000);
  expect((await check()).status).toBe(503);
});

test("a read-only database is not ready", async () => {
  const check = checkOf({ files: createMemoryFileStore() });
  await runtime.deps.db.run(sql`PRAGMA query_only = 1`);
  expect(await check()).toMatchObject({ status: 503, body: REJECTED });
  await runtime.deps.db.run(sql`PRAGMA query_only = 0`);
  await pass(LATER_MS);
  expect((await check()).status).toBe(200);
});

test("a locked database is not ready, and the response does not wait for it", async () => {
  const folder = makeFolder();
  const url = `file:${join(folder, "locked.db")}`;
  const database = await openLibsql({ url });
  await database.migrate();
  const other = createClient({ url });
  const transaction = await other.transaction("write");
  const log = createMemoryLogger();
  const check = checkOf({ db: database.db, files: createMemoryFileStore(), log });
  expect(await check()).toMatchObject({ status: 503, body: REJECTED });
  // Its own deadline ended it, not the longer one of the database.
  expect(JSON.stringify(log.entries)).toContain("No answer in 3000 ms");
  await transaction.rollback();
  await pass(LATER_MS);
  expect((await check()).status).toBe(200);
  other.close();
  database.close();
});

test("a read-only disk is not ready, and the check leaves no file on a writable one", async () => {
  const folder = makeFolder();
  const check = checkOf({ files: await createDiskFileStore(folder) });
  expect((await check()).status).toBe(200);
  expect(await readdir(folder, { recursive: true }).then((names) => names.sort())).toEqual([
    "orphans",
    "tmp",
    "uploads",
  ]);
  // Like a disk that became read-only, which permissions cannot simulate for root.
  await rename(join(folder, "tmp"), join(folder, "elsewhere"));
  await pass(LATER_MS);
  expect((await check()).status).toBe(503);
  await rename(join(folder, "elsewhere"), join(folder, "tmp"));
  await pass(LATER_MS);
  expect((await check()).status).toBe(200);
});
