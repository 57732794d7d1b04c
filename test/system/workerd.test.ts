import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
import { readRevision } from "../../worker/adapters/bun/revision";
import { createScryptHasher } from "../../worker/lib/password";
import { VERSION } from "../../worker/lib/version";
import { form } from "../support/api/envelopes";
import { largePdfFile, pdfFile, sha256 } from "../support/files/files";
import { type ProductionWorker, startProductionWorker } from "../support/processes/production-worker";
import { startGateway } from "../support/servers/http-gateway";
import { waitFor } from "../support/wait";

setDefaultTimeout(300_000);

const PASSWORD = "correct horse";
const gateway = startGateway();
let worker: ProductionWorker;
let accounts = 0;

beforeAll(async () => {
  worker = await startProductionWorker({
    HOST: "127.0.0.1",
    MAIL_FROM: "Doculopes <mail@doculopes.example>",
    RESEND_API_KEY: "key",
    RESEND_API_URL: gateway.url,
    TWILIO_ACCOUNT_SID: "sid",
    TWILIO_AUTH_TOKEN: "token",
    TWILIO_FROM: "+15550001111",
    TWILIO_API_URL: gateway.url,
  });
});
afterAll(async () => {
  await worker?.stop();
  await gateway.stop();
});

async function post(path: string, body: unknown, cookie = ""): Promise<Response> {
  const headers = { "content-type": "application/json", cookie };
  return fetch(worker.url + path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** A new account whose address is proved. */
async function register() {
  accounts += 1;
  const email = `worker${accounts}@example.com`;
  const response = await post("/api/register", { email, password: PASSWORD });
  expect(response.status).toBe(201);
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  await worker.sql("update users set is_verified = 1, verified_by_owner = 1 where email = ?", email);
  return { email, cookie };
}

async function send(cookie: string, changes: object = {}): Promise<{ id: number; submissionToken: string }> {
  const response = await post(
    "/api/requests",
    {
      recipientName: "Rita Recipient",
      recipientEmail: "rita@example.com",
      subject: "Papers",
      documents: [{ name: "Contract", required: true, allowedFileTypes: ["pdf"] }],
      ...changes,
    },
    cookie,
  );
  expect(response.status).toBe(201);
  return response.json();
}

test("a password hashed on the Worker is accepted under Bun, and one hashed under Bun is accepted on the Worker", async () => {
  const { email } = await register();
  const [row] = await worker.sql("select password from users where email = ?", email);
  expect(await createScryptHasher().verify(PASSWORD, String(row?.password))).toBe(true);
  const hash = await createScryptHasher().hash("another one");
  await worker.sql("update users set password = ? where email = ?", hash, email);
  expect((await post("/api/login", { email, password: "another one" })).status).toBe(200);
  expect((await post("/api/login", { email, password: PASSWORD })).status).toBe(401);
});

test("the Worker names the commit that it was built of", async () => {
  expect(await (await fetch(`${worker.url}/api/health`)).json()).toEqual({
    status: "ok",
    version: VERSION,
    ...readRevision(),
  });
});

test("mail and SMS are sent by the gateways, and the cron trigger retries failures", async () => {
  const { cookie } = await register();
  gateway.respond = () => new Response("busy", { status: 503 });
  const sent = () => gateway.requests.filter(({ body }) => /rita%40|rita@|%2B15552223333/.test(body));
  gateway.requests.length = 0;
  await send(cookie, { recipientPhone: "+15552223333", notificationPreference: "both" });
  await waitFor("two messages", () => sent().length === 2);
  await waitFor("the failure of each message", async () =>
    (await queued()).every(({ last_error }) => String(last_error).includes("503")),
  );

  gateway.respond = () => Response.json({ id: "1" }, { status: 201 });
  gateway.requests.length = 0;
  await worker.sql(
    "update notifications set next_attempt_at = '2000-01-01T00:00:00.000Z' where status = 'queued'",
  );
  await worker.cron();
  expect(
    sent()
      .map(({ path }) => path)
      .sort(),
  ).toEqual(["/2010-04-01/Accounts/sid/Messages.json", "/emails"]);
  expect(await queued()).toEqual([]);
});

const queued = () => worker.sql("select last_error from notifications where status = 'queued'");

test("a change gives the browser D1's bookmark, with which it reads on; reading gives none", async () => {
  const { cookie } = await register();
  const created = await post(
    "/api/contacts",
    { firstName: "Rita", lastName: "R", email: "r@example.com" },
    cookie,
  );
  const [bookmark = "", ...others] = created.headers.getSetCookie();
  expect([created.status, others]).toEqual([201, []]);
  expect(bookmark).toMatch(
    /^bookmark=(?:[\da-f]{8}-){3}[\da-f]{32}; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const { submissionToken } = await send(cookie);
  const headers = { cookie: `${cookie}; ${bookmark.split(";")[0]}` };
  for (const path of ["/api/contacts", `/api/submissions/${submissionToken}`, "/api/health"]) {
    const response = await fetch(worker.url + path, { headers });
    expect([path, response.status, response.headers.getSetCookie()]).toEqual([path, 200, []]);
  }
});

test("a file is at most 90 MB by default, since Cloudflare rejects a request of more than 100 MB itself", async () => {
  const { submissionToken } = await send((await register()).cookie);
  const view = await (await fetch(`${worker.url}/api/submissions/${submissionToken}`)).json();
  expect(view.maxFileSize).toBe(90 * 1024 * 1024);
});

test("a file is returned whole, in part and by HEAD", async () => {
  const { cookie } = await register();
  const { id, submissionToken } = await send(cookie);
  const file = largePdfFile(9 * 1024 * 1024 + 5);
  const body = form({ Contract: file });
  const submitted = await fetch(`${worker.url}/api/submissions/${submissionToken}`, { method: "POST", body });
  expect(submitted.status).toBe(201);
  const envelope = await (await fetch(`${worker.url}/api/requests/${id}`, { headers: { cookie } })).json();
  const url = worker.url + envelope.submissions[0].url;
  const get = (range?: string, method = "GET") =>
    fetch(url, { method, headers: { cookie, "accept-encoding": "identity", ...(range && { range }) } });

  const whole = await get();
  expect(whole.headers.get("content-length")).toBe(String(file.size));
  expect(await sha256(await whole.bytes())).toBe(await sha256(file));
  const part = await get("bytes=100-199");
  expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 100-199/${file.size}`]);
  expect(part.headers.get("content-length")).toBe("100");
  expect(await part.bytes()).toEqual(await file.slice(100, 200).bytes());
  const tail = await get("bytes=-7");
  expect(await tail.bytes()).toEqual(await file.slice(-7).bytes());
  expect((await get(`bytes=${file.size}-`)).status).toBe(416);
  const head = await get(undefined, "HEAD");
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
    200,
    String(file.size),
    "",
  ]);
});

test("an interrupted upload leaves the envelope unchanged and no object", async () => {
  const { cookie } = await register();
  const { id, submissionToken } = await send(cookie);
  const before = await worker.objects();
  const { hostname, port } = new URL(worker.url);
  const head = [
    `POST /api/submissions/${submissionToken} HTTP/1.1`,
    `Host: ${hostname}`,
    "Content-Type: multipart/form-data; boundary=edge",
    "Content-Length: 100000000",
    "",
    "--edge",
    'Content-Disposition: form-data; name="Contract"; filename="contract.pdf"',
    "",
    "",
  ].join("\r\n");
  const socket = connect(Number(port), hostname);
  socket.write(head);
  socket.write(await pdfFile().bytes());
  await new Promise((resolve) => socket.write(new Uint8Array(20 * 1024 * 1024), resolve));
  const leases = async () => (await worker.sql("select id from upload_leases")).length;
  await waitFor("the upload's lease", async () => (await leases()) === 1);
  socket.destroy();
  await waitFor("the end of the lease", async () => (await leases()) === 0);

  expect(await worker.objects()).toEqual(before);
  const envelope = await (await fetch(`${worker.url}/api/requests/${id}`, { headers: { cookie } })).json();
  expect([envelope.status, envelope.submissions]).toEqual(["pending", []]);
  const body = form({ Contract: pdfFile() });
  const again = await fetch(`${worker.url}/api/submissions/${submissionToken}`, { method: "POST", body });
  expect(again.status).toBe(201);
});

test("an invalid variable is reported in the log and not in the response", async () => {
  const broken = await startProductionWorker({ MAX_FILE_MB: "plenty" });
  const response = await fetch(`${broken.url}/api/health`);
  expect([response.status, (await response.json()).code]).toEqual([500, "internal"]);
  await broken.logged('MAX_FILE_MB is "plenty"');
  await broken.stop();
});

test("a deployed Worker without PUBLIC_URL and SIGN_UP creates its first account by the setup link in its log, and no other", async () => {
  const deployed = await startProductionWorker({});
  const register = (setupToken?: string, email = "ada@example.com") =>
    fetch(`${deployed.url}/api/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email, password: PASSWORD, setupToken }),
    });
  expect((await register()).status).toBe(403);
  expect((await (await fetch(`${deployed.url}/api/session`)).json()).signUp).toBe("setup");
  const [, token] = /\/setup\/([\w-]+)/.exec(await deployed.logged("/setup/")) ?? [];
  expect((await register(token)).status).toBe(201);
  const stranger = await register(undefined, "eve@example.com");
  expect([stranger.status, (await stranger.json()).code]).toEqual([403, "sign_up_closed"]);
  await deployed.stop();
});
