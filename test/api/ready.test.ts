import { expect, test } from "bun:test";
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
