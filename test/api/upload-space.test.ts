import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CryptoHasher } from "bun";
import { createDiskResumableStore } from "../../worker/adapters/bun/files/disk-resumable-store";
import { createClient } from "../support/api";
import { startBunRuntime } from "../support/bun-runtime";
import { sendEnvelope } from "../support/envelopes";
import { pdfFile } from "../support/files";
import { createTus, locationOf } from "../support/tus";

test("an upload is rejected if the disk has less than MIN_FREE_MB", async () => {
  const runtime = await startBunRuntime();
  const folder = await mkdtemp(join(tmpdir(), "doculopes-space-"));
  try {
    const owner = createClient(runtime);
    await owner.post("/api/register", { email: "ada@example.com", password: "long enough" });
    const envelope = await sendEnvelope(owner);
    const tus = createTus({ anonymous: () => createClient(runtime) }, envelope);
    const [{ id }] = envelope.documents;
    const ample = runtime.deps.resumableFiles;
    runtime.deps.resumableFiles = await createDiskResumableStore(folder, { minFreeBytes: 2 ** 60 });
    const rejected = await tus.create(id, "a.pdf", 10);
    expect([rejected.status, rejected.body.code]).toEqual([507, "storage_full"]);
    expect((await tus.document(id)).files).toEqual([]);
    // Enough is free now, but not after this file.
    runtime.deps.resumableFiles = await createDiskResumableStore(folder, { minFreeBytes: 1 });
    runtime.deps.config.maxFileBytes = 2 ** 49;
    runtime.deps.config.quotas.envelopeBytes = 2 ** 49;
    expect((await tus.create(id, "a.pdf", 2 ** 49)).body.code).toBe("storage_full");
    runtime.deps.resumableFiles = ample;
    expect((await tus.create(id, "a.pdf", 10)).status).toBe(201);
  } finally {
    await runtime.stop();
    await rm(folder, { recursive: true });
  }
});

test("an upload that was interrupted by too little space continues where it was", async () => {
  const runtime = await startBunRuntime();
  const folder = await mkdtemp(join(tmpdir(), "doculopes-space-"));
  try {
    const owner = createClient(runtime);
    await owner.post("/api/register", { email: "ada@example.com", password: "long enough" });
    const envelope = await sendEnvelope(owner);
    const tus = createTus({ anonymous: () => createClient(runtime) }, envelope);
    const [{ id }] = envelope.documents;
    const file = await pdfFile().bytes();
    const location = locationOf(await tus.create(id, "a.pdf", file.length));
    expect((await tus.patch(location, 0, file.slice(0, 5))).status).toBe(204);
    const ample = runtime.deps.resumableFiles;
    runtime.deps.resumableFiles = await createDiskResumableStore(folder, { minFreeBytes: 2 ** 60 });
    const checksums: Record<string, string>[] = [{}, { "Upload-Checksum": `sha256 ${"A".repeat(43)}=` }];
    for (const headers of checksums) {
      const rejected = await tus.patch(location, 5, file.slice(5), headers);
      expect([rejected.status, rejected.body.code]).toEqual([507, "storage_full"]);
      expect((await tus.head(location)).headers.get("Upload-Offset")).toBe("5");
    }
    runtime.deps.resumableFiles = ample;
    expect((await tus.patch(location, 5, file.slice(5))).status).toBe(204);
    const { status, body } = await tus.submit();
    expect([status, body.submissions[0].sha256]).toEqual([
      201,
      new CryptoHasher("sha256").update(file).digest("hex"),
    ]);
  } finally {
    await runtime.stop();
    await rm(folder, { recursive: true });
  }
});
