import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type Client, createClient } from "../support/api/client";
import { form } from "../support/api/envelopes";
import { largePdfFile, pdfFile } from "../support/files/files";
import { startInstance, type WorkerdInstance } from "../support/runtime/workerd";

setDefaultTimeout(30_000);

let instance: WorkerdInstance;
let client: Client;

beforeAll(async () => {
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
