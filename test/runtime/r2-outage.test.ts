import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { form } from "../support/envelopes";
import { largePdfFile, pdfFile } from "../support/files";
import { startInstance, type WorkerdInstance } from "../support/workerd";

setDefaultTimeout(30_000);

let instance: WorkerdInstance;
let cookie = "";

beforeAll(async () => {
  instance = await startInstance();
  const account = await send("POST", "/api/register", {
    email: "calm@example.com",
    password: "correct horse",
  });
  cookie = account.headers.get("set-cookie")?.split(";")[0] ?? "";
});

function send(method: string, path: string, body?: object): Promise<Response> {
  const headers = new Headers({ cookie });
  const isForm = body instanceof FormData;
  if (body && !isForm) headers.set("content-type", "application/json");
  const sent = isForm ? body : body && JSON.stringify(body);
  return instance.fetch(new Request(instance.publicUrl + path, { method, headers, body: sent }));
}

async function ask() {
  const answer = await send("POST", "/api/requests", {
    recipientName: "Rita Recipient",
    recipientEmail: "rita@example.com",
    subject: "Papers",
    documents: [{ name: "Contract", required: true }, { name: "Letter" }],
  });
  return answer.json();
}

test("while R2 fails, uploads and downloads return 503, everything else works, and nothing partial is stored", async () => {
  const sent = await ask();
  const link = `/api/submissions/${sent.submissionToken}`;
  expect((await send("POST", link, form({ Contract: pdfFile() }))).status).toBe(201);
  const [{ url }] = (await (await send("GET", `/api/requests/${sent.id}`)).json()).submissions;

  await instance.command("failR2", "true");
  const open = await ask();
  const other = `/api/submissions/${open.submissionToken}`;
  const files = form({ Contract: pdfFile(), Letter: largePdfFile(2 * 1024 * 1024) });
  for (const refused of [await send("POST", other, files), await send("GET", url)]) {
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await refused.json()).toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/\w+ \w+/),
    });
  }
  for (const path of ["/api/requests", "/api/health", other])
    expect((await send("GET", path)).status).toBe(200);

  await instance.command("failR2", "false");
  expect(await instance.command("storedFiles")).toHaveLength(1);
  expect(await instance.command("openUploads")).toBe(0);
  expect((await (await send("GET", `/api/requests/${open.id}`)).json()).status).toBe("pending");
  expect((await send("POST", other, form({ Contract: pdfFile() }))).status).toBe(201);
  expect((await send("GET", url)).status).toBe(200);
});
