import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { createClient } from "../support/api/client";
import { spawnServer } from "../support/processes/bun-process";
import { makeFolder } from "../support/temporary-folder";

setDefaultTimeout(300_000);

const DRAFTS = 150;
const LISTS = 3;
const MIB = 1024 * 1024;

/** The peak memory of a process, in bytes. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

test("three concurrent lists of 150 drafts of 1 MB each need the memory of a few pages", async () => {
  const folder = makeFolder();
  const server = spawnServer({ DATA_DIR: folder, RATE_LIMITS: "off" });
  const owner = createClient({ fetch, origin: await server.url });
  await owner.post("/api/register", { email: "ada@example.com", password: "long enough" });
  const documents = Array.from({ length: 100 }, (_, index) => ({
    name: `Document ${index}`,
    description: "x".repeat(10_000),
  }));
  for (let count = 0; count < DRAFTS; count += 1)
    expect((await owner.post("/api/requests", { isDraft: true, documents })).status).toBe(201);
  const before = await peakMemory(server.child.pid);
  const responses = await Promise.all(Array.from({ length: LISTS }, () => owner.get("/api/requests")));
  for (const { status, headers, text } of responses) {
    expect([status, headers.has("link")]).toEqual([200, true]);
    expect(text.length).toBeLessThan(2 * MIB);
  }
  expect((await peakMemory(server.child.pid)) - before).toBeLessThan(100 * MIB);
  server.child.kill("SIGTERM");
  await server.child.exited;
});
