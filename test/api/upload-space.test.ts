import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { CryptoHasher } from "bun";
import { createDiskResumableStore } from "../../worker/adapters/bun/files/disk-resumable-store";
import { createFreeSpaceCheck } from "../../worker/adapters/bun/files/free-space";
import { StorageFullError } from "../../worker/ports/file-store";
import { createClient } from "../support/api/client";
import { sendEnvelope } from "../support/api/envelopes";
import { createTus, locationOf } from "../support/api/tus";
import { pdfFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { makeFolder } from "../support/temporary-folder";

type Upload = Awaited<ReturnType<typeof startUpload>>;

/** A server and the recipient of one document. `requireFree` changes how many bytes must stay free, 0 for any. */
async function startUpload(folder: string) {
  const runtime = await startBunRuntime();
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "ada@example.com", password: "long enough" });
  const envelope = await sendEnvelope(owner);
  const tus = createTus({ anonymous: () => createClient(runtime) }, envelope);
  const ample = runtime.deps.resumableFiles;
  const requireFree = async (minFreeBytes: number) => {
    runtime.deps.resumableFiles =
      minFreeBytes > 0 ? await createDiskResumableStore(folder, { minFreeBytes }) : ample;
  };
  return { runtime, owner, tus, id: envelope.documents[0].id, requireFree };
}

async function withUpload(check: (upload: Upload) => Promise<void>): Promise<void> {
  const folder = makeFolder();
  const upload = await startUpload(folder);
  try {
    await check(upload);
  } finally {
    await upload.runtime.stop();
  }
}

test("an upload is rejected if the disk has less than MIN_FREE_MB", () =>
  withUpload(async ({ runtime, tus, id, requireFree }) => {
    await requireFree(2 ** 60);
    const rejected = await tus.create(id, "a.pdf", 10);
    expect([rejected.status, rejected.body.code]).toEqual([507, "storage_full"]);
    expect((await tus.document(id)).files).toEqual([]);
    // Enough is free now, but not after this file.
    await requireFree(1);
    runtime.deps.config.maxFileBytes = 2 ** 49;
    runtime.deps.config.quotas.envelopeBytes = 2 ** 49;
    expect((await tus.create(id, "a.pdf", 2 ** 49)).body.code).toBe("storage_full");
    await requireFree(0);
    expect((await tus.create(id, "a.pdf", 10)).status).toBe(201);
  }));

test("below MIN_FREE_MB sign-ins, submissions and deletions go on, and other changes and jobs wait", () =>
  withUpload(async ({ runtime, owner, tus, id }) => {
    const requireFree = (bytes: number) => {
      runtime.deps.requireSpace = createFreeSpaceCheck(tmpdir(), bytes);
    };
    const file = await pdfFile().bytes();
    const recipients = [{ recipientName: "Ada", recipientEmail: "ada@example.org" }];
    const envelope = { subject: "Taxes", documents: [{ name: "Payslip" }] };
    // Enough for the call, but not any more when its envelopes are created.
    let checks = 2;
    runtime.deps.requireSpace = async () => {
      checks -= 1;
      if (checks < 0) throw new StorageFullError("Too little space is free on the disk");
    };
    const bulk = await owner.post("/api/requests/bulk", { envelope, recipients });
    await runtime.finishBackgroundWork();
    await runtime.runJobs();
    const progress = async () => (await owner.get(`/api/requests/bulk/${bulk.body.id}`)).body.created;
    expect([bulk.status, await progress()]).toEqual([202, 0]);
    requireFree(2 ** 60);
    const template = { name: "Taxes", fields: [{ name: "Payslip" }] };
    for (const path of ["/api/templates", "/api/requests", "/api/contacts", "/api/register"])
      expect([path, (await owner.post(path, template)).body.code]).toEqual([path, "storage_full"]);
    expect((await owner.get("/api/requests?search=papers")).status).toBe(200);
    const session = createClient(runtime);
    const credentials = { email: "ada@example.com", password: "long enough" };
    expect((await session.post("/api/login", credentials)).status).toBe(200);
    const location = locationOf(await tus.create(id, "a.pdf", file.length));
    expect((await tus.patch(location, 0, file)).status).toBe(204);
    expect((await tus.submit()).status).toBe(201);
    const [first] = (await session.get("/api/requests")).body;
    expect((await session.delete(`/api/requests/${first.id}`)).status).toBe(204);
    requireFree(1);
    expect((await owner.post("/api/templates", template)).status).toBe(201);
    await runtime.runJobs();
    expect(await progress()).toBe(1);
  }));

test("an upload that was interrupted by too little space continues where it was", () =>
  withUpload(async ({ tus, id, requireFree }) => {
    const file = await pdfFile().bytes();
    const location = locationOf(await tus.create(id, "a.pdf", file.length));
    expect((await tus.patch(location, 0, file.slice(0, 5))).status).toBe(204);
    await requireFree(2 ** 60);
    const checksums: Record<string, string>[] = [{}, { "Upload-Checksum": `sha256 ${"A".repeat(43)}=` }];
    for (const headers of checksums) {
      const rejected = await tus.patch(location, 5, file.slice(5), headers);
      expect([rejected.status, rejected.body.code]).toEqual([507, "storage_full"]);
      expect((await tus.head(location)).headers.get("Upload-Offset")).toBe("5");
    }
    await requireFree(0);
    expect((await tus.patch(location, 5, file.slice(5))).status).toBe(204);
    const { status, body } = await tus.submit();
    expect([status, body.submissions[0].sha256]).toEqual([
      201,
      new CryptoHasher("sha256").update(file).digest("hex"),
    ]);
  }));
