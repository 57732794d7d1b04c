import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportArchive } from "../../worker/adapters/bun/cli/archive/export-archive";
import { verifyArchive } from "../../worker/adapters/bun/cli/archive/verify-archive";
import type { FileStore } from "../../worker/ports/file-store";
import { createClient } from "../support/api";
import { startBunRuntime } from "../support/bun-runtime";
import { form, linkOf, sendEnvelope } from "../support/envelopes";
import { pdfFile } from "../support/files";

let runtime: Awaited<ReturnType<typeof startBunRuntime>>;
let folder: string;

beforeEach(async () => {
  runtime = await startBunRuntime();
  folder = await mkdtemp(join(tmpdir(), "doculopes-export-"));
});
afterEach(async () => {
  await runtime.stop();
  await rm(folder, { recursive: true });
});

/** An account with `count` submitted envelopes. */
async function submitted(count: number) {
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "ada@example.com", password: "long enough" });
  const envelopes = [];
  for (let index = 0; index < count; index += 1) {
    const envelope = await sendEnvelope(owner);
    await createClient(runtime).post(linkOf(envelope), form({ Contract: pdfFile() }));
    envelopes.push(envelope);
  }
  return { owner, envelopes };
}

/** The store, with something that happens before its `turn`-th read. */
function whileReading(turn: number, happens: () => Promise<unknown>): FileStore {
  let turns = 0;
  return {
    ...runtime.deps.files,
    async read(key) {
      turns += 1;
      if (turns === turn) await happens();
      return runtime.deps.files.read(key);
    },
  };
}

test("an envelope deleted between its rows and its file is left out, and so is a file copied before", async () => {
  const { owner, envelopes } = await submitted(3);
  const files = whileReading(2, async () => {
    for (const { id } of envelopes.slice(0, 2)) await owner.delete(`/api/requests/${id}`);
    await runtime.settle();
  });
  let looks = 0;
  const rows = async () => {
    looks += 1;
    return runtime.deps.db;
  };
  const manifest = await exportArchive({ files, rows }, join(folder, "archive"));
  expect(looks).toBe(2);
  expect(manifest).toMatchObject({ files: 1, rows: { requests: 1, submissions: 1 } });
  expect(await readdir(join(folder, "archive/files"))).toEqual(await runtime.storedFiles());
  expect(await verifyArchive(join(folder, "archive"), manifest.migration)).toEqual(manifest);
});

test("a file that its rows still name at a second look is lost, and the archive is not made", async () => {
  await submitted(2);
  const files = whileReading(2, async () => {
    await runtime.deps.files.remove(await runtime.storedFiles());
  });
  await expect(
    exportArchive({ files, rows: async () => runtime.deps.db }, join(folder, "archive")),
  ).rejects.toThrow("is in the database and not in the store: it is lost");
  expect(await readdir(folder)).toEqual([]);
});
