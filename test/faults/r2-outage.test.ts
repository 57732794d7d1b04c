import { beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { type Client, createClient } from "../support/api/client";
import { form } from "../support/api/envelopes";
import { largePdfFile, pdfFile } from "../support/files/files";
import { startProductionWorker } from "../support/processes/production-worker";
import { startInstance, type WorkerdInstance } from "../support/runtime/workerd";
import { waitFor } from "../support/wait";

setDefaultTimeout(300_000);

let instance: WorkerdInstance;
let client: Client;

beforeEach(async () => {
  instance = await startInstance();
  client = createClient({ fetch: instance.fetch, origin: instance.publicUrl });
  await client.post("/api/register", { email: "calm@example.com", password: "correct horse" });
});

async function createRequest() {
  const { body } = await client.post("/api/requests", {
    recipientName: "Rita Recipient",
    recipientEmail: "rita@example.com",
    subject: "Papers",
    documents: [{ name: "Contract", required: true }, { name: "Letter" }],
  });
  return body;
}

test("while R2 fails, uploads and downloads return 503, everything else works, and nothing partial is stored", async () => {
  const sent = await createRequest();
  const link = `/api/submissions/${sent.submissionToken}`;
  expect((await client.post(link, form({ Contract: pdfFile() }))).status).toBe(201);
  const [{ url }] = (await client.get(`/api/requests/${sent.id}`)).body.submissions;

  await instance.command("failR2", "true");
  const open = await createRequest();
  const other = `/api/submissions/${open.submissionToken}`;
  const files = form({ Contract: pdfFile(), Letter: largePdfFile(2 * 1024 * 1024) });
  for (const rejected of [await client.post(other, files), await client.get(url)]) {
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(rejected.body).toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/\w+ \w+/),
    });
  }
  for (const path of ["/api/requests", "/api/health", other])
    expect((await client.get(path)).status).toBe(200);

  await instance.command("failR2", "false");
  expect(await instance.command("storedFiles")).toHaveLength(1);
  expect(await instance.command("openUploads")).toBe(0);
  expect((await client.get(`/api/requests/${open.id}`)).body.status).toBe("pending");
  expect((await client.post(other, form({ Contract: pdfFile() }))).status).toBe(201);
  expect((await client.get(url)).status).toBe(200);
});

test("a Worker whose R2 does not answer serves what needs no file, from its first request on", async () => {
  const vars = { PUBLIC_URL: "http://localhost:8787" };
  const worker = await startProductionWorker(vars, undefined, "test/support/runtime/silent-bucket-entry.ts");
  for (const path of ["/api/live", "/api/health", "/api/session"]) {
    const response = await fetch(`${worker.url}${path}`, { signal: AbortSignal.timeout(10_000) });
    expect([path, response.status]).toEqual([path, 200]);
  }
  await worker.stop();
});

test("while R2 does not answer, the schedule sends mails, and later removes files", async () => {
  const sent = await createRequest();
  const link = `/api/submissions/${sent.submissionToken}`;
  await client.post(link, form({ Contract: pdfFile() }));
  await instance.command("finishBackgroundWork");
  await instance.command("setMail", "down");
  await createRequest();
  await instance.command("finishBackgroundWork");
  await instance.command("setMail", "works");
  await instance.command("silenceR2", "true");
  // Its file is to be removed.
  expect((await client.delete(`/api/requests/${sent.id}`)).status).toBeLessThan(300);
  const before = (await instance.command("mails")).length;
  await instance.command("setClock", "2026-03-14T10:26:53.000Z");
  const jobs = instance.command("runJobs");
  await waitFor("the mail", async () => (await instance.command("mails")).length > before);
  await instance.command("silenceR2", "false");
  await jobs;
  await instance.command("setClock", "2026-03-14T10:27:53.000Z");
  await instance.command("runJobs");
  expect(await instance.command("select", "select * from file_deletions")).toEqual([]);
}, 120_000);
