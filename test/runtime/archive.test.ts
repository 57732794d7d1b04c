import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { file, write } from "bun";
import { exportArchive } from "../../worker/cli/archive/export-archive";
import { importArchive } from "../../worker/cli/archive/import-archive";
import { verifyArchive } from "../../worker/cli/archive/verify-archive";
import { causes } from "../../worker/errors";
import type { FileStore } from "../../worker/ports/file-store";
import { createClient } from "../support/api";
import { startBunRuntime } from "../support/bun-runtime";
import { form, linkOf, sendEnvelope } from "../support/envelopes";
import { pdfFile, sha256 } from "../support/files";

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

test("an import that fails takes back what it brought, and leaves what was there whole", async () => {
  await submitted(3);
  const archive = join(folder, "archive");
  const { files } = runtime.deps;
  await exportArchive({ files, rows: async () => runtime.deps.db }, archive);
  const [same = "", other = "", gone = ""] = await runtime.storedFiles();
  const target = await startBunRuntime();
  const put = async (key: string, bytes: Uint8Array) => {
    const writer = await target.deps.files.create(key);
    await writer.write(bytes);
    await writer.commit();
  };
  const bytesOf = async (store: FileStore, key: string) =>
    sha256(await new Response(await store.read(key)).bytes());
  await put(same, await new Response(await files.read(same)).bytes());
  await put(other, new Uint8Array(10));
  const submissions = join(archive, "rows/submissions.ndjson");
  await write(submissions, (await file(submissions).text()).replace(/"envelopeId":\d+/, '"envelopeId":4711'));

  const failure = await importArchive(target.deps, archive, { replace: false }).catch(causes);
  expect(failure).toContain("FOREIGN KEY constraint failed");
  expect((await target.storedFiles()).sort()).toEqual([same, other].sort());
  expect(await target.storedFiles()).not.toContain(gone);
  for (const key of [same, other])
    expect(await bytesOf(target.deps.files, key)).toBe(await bytesOf(files, key));
  await target.stop();
});
