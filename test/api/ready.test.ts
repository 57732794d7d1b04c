import { expect, test } from "bun:test";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskFileStore } from "../../worker/adapters/bun/disk-file-store";
import { createMemoryFileStore } from "../../worker/adapters/memory/memory-file-store";
import { createApp } from "../../worker/app";
import { StoreUnavailableError } from "../../worker/ports/file-store";
import { startBunRuntime } from "../support/bun-runtime";

test("ready is told while database and store answer, and refused with a sentence while either does not", async () => {
  const runtime = await startBunRuntime();
  const files = createMemoryFileStore();
  const app = createApp({ ...runtime.deps, files });
  const ask = async () => app.request("/api/ready", {}, { clientAddress: "203.0.113.7" });
  const ready = await ask();
  expect([ready.status, await ready.json()]).toEqual([200, { status: "ready" }]);

  files.failWith = new StoreUnavailableError("gone");
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await refused.json()).toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/\w \w/),
  });

  files.failWith = null;
  expect((await ask()).status).toBe(200);
  await runtime.stop();
  expect((await ask()).status).toBe(503);
});

test("a disk that can be read and not written to is not ready, and asking leaves nothing on one that can", async () => {
  const runtime = await startBunRuntime();
  const folder = await mkdtemp(join(tmpdir(), "doculopes-ready-"));
  const files = await createDiskFileStore(folder);
  const app = createApp({ ...runtime.deps, files });
  const ask = async () => (await app.request("/api/ready", {}, { clientAddress: "203.0.113.7" })).status;
  expect(await ask()).toBe(200);
  expect(await readdir(folder, { recursive: true }).then((names) => names.sort())).toEqual([
    "claims",
    "tmp",
    "uploads",
  ]);
  // As good as a disk that went read-only, to root as well, whom permissions do not stop.
  await rename(join(folder, "tmp"), join(folder, "elsewhere"));
  expect(await ask()).toBe(503);
  await rename(join(folder, "elsewhere"), join(folder, "tmp"));
  expect(await ask()).toBe(200);
  await runtime.stop();
  await rm(folder, { recursive: true });
});
