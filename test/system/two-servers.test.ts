import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createClient as createLibsqlClient, type Client as LibsqlClient } from "@libsql/client";
import { type Client, createClient } from "../support/api/client";
import { ENVELOPE, form } from "../support/api/envelopes";
import { largePdfFile, pdfFile, sha256 } from "../support/files/files";
import { spawnServer } from "../support/processes/bun-process";
import { type S3Server, startS3Server } from "../support/servers/s3-server";
import { startSmtpServer, type TestSmtpServer } from "../support/servers/smtp-server";
import { type Sqld, startSqld } from "../support/servers/sqld";
import { makeFolder } from "../support/temporary-folder";
import { waitFor } from "../support/wait";

// The database server is downloaded the first time.
setDefaultTimeout(300_000);

const S3 = { bucket: "documents", accessKeyId: "key-id", secretAccessKey: "secret" };
const ACCOUNT = { email: "tilda@example.com", password: "a long password" };

const folder = makeFolder();
let sqld: Sqld;
let database: LibsqlClient;
let s3: S3Server;
let smtp: TestSmtpServer;
let servers: ReturnType<typeof spawnServer>[];
/** One user's browser, which alternates between the servers. */
let one: Client;
let other: Client;

beforeAll(async () => {
  sqld = await startSqld(join(folder, "sqld"));
  database = createLibsqlClient({ url: sqld.url });
  s3 = startS3Server(S3.bucket, S3);
  smtp = await startSmtpServer();
  servers = ["one", "other"].map((name) => spawnServer(variables(name)));
  const [first, second] = await Promise.all(servers.map(({ url }) => url));
  one = createClient({ fetch, origin: String(first) });
  other = createClient({ fetch, origin: String(second) });
});
afterAll(async () => {
  for (const { child } of servers) child.kill("SIGKILL");
  database.close();
  await Promise.all([s3.stop(), smtp.close(), sqld.stop()]);
});

test("an account that is created at both concurrently is created once, and signs in at each", async () => {
  const responses = await Promise.all([one, other].map((client) => client.post("/api/register", ACCOUNT)));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
  for (const client of [one, other]) expect((await client.post("/api/login", ACCOUNT)).status).toBe(200);
  const users = await database.execute("select count(*) as n from users");
  expect(users.rows[0]?.n).toBe(1);
});

test("a session works on both and ends on both", async () => {
  const { origin } = new URL(await urlOf(1));
  const elsewhere = createClient({ fetch, origin });
  elsewhere.cookie = one.cookie;
  expect((await elsewhere.get("/api/user")).body.email).toBe(ACCOUNT.email);
  expect((await elsewhere.post("/api/logout")).status).toBe(204);
  expect((await one.get("/api/user")).body?.email).toBeUndefined();
  expect((await one.post("/api/login", ACCOUNT)).status).toBe(200);
});

test("files submitted to one are downloaded from the other, byte for byte", async () => {
  const file = largePdfFile(20 * 1024 * 1024);
  const { id, submissionToken } = (await one.post("/api/requests", ENVELOPE)).body;
  const sent = await one.post(`/api/submissions/${submissionToken}`, form({ Contract: file }));
  expect(sent.status).toBe(201);
  const envelope = (await other.get(`/api/requests/${id}`)).body;
  expect(envelope.status).toBe("completed");
  expect(await sha256(await other.bytes(envelope.submissions[0].url))).toBe(await sha256(file));
  for (const name of ["one", "other"]) expect(await readdir(join(folder, name))).toEqual(["mail"]);
});

test("of concurrent submissions to one link through both, one succeeds and the rest store nothing", async () => {
  const { id, submissionToken } = (await other.post("/api/requests", ENVELOPE)).body;
  const before = s3.objects.size;
  // One link may have 10 uploads under way.
  const tries = Array.from({ length: 10 }, (_, index) =>
    (index % 2 ? one : other).post(`/api/submissions/${submissionToken}`, form({ Contract: pdfFile() })),
  );
  const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
  expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 410)]);
  expect((await one.get(`/api/requests/${id}`)).body.submissions).toHaveLength(1);
  expect(s3.objects.size).toBe(before + 1);
});

test("two servers with one outbox send every message once", async () => {
  const sent = Array.from({ length: 24 }, (_, index) =>
    (index % 2 ? one : other).post("/api/requests", { ...ENVELOPE, recipientEmail: `r${index}@example.com` }),
  );
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 201));
  const count = async (condition: string) =>
    Number((await database.execute(`select count(*) as n from notifications ${condition}`)).rows[0]?.n);
  await waitFor(
    "an outbox in which nothing waits",
    async () => (await count("where status = 'queued'")) === 0,
  );

  const mails = await smtp.received();
  expect(await count("where status = 'failed'")).toBe(0);
  // Messages about requests that are no longer open are cancelled. Every other message was sent once.
  expect(mails).toHaveLength(await count("where status = 'sent'"));
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(mails.length);
  const invited = mails.flatMap(({ recipients }) => recipients).filter((name) => /^r\d+@/.test(name));
  expect(invited.sort()).toEqual(sent.map((_, index) => `r${index}@example.com`).sort());
  // A claim that was written and not answered ends after two minutes, as that of a server that died.
}, 300_000);

test("when one is killed, the other continues", async () => {
  servers[0]?.child.kill("SIGKILL");
  await servers[0]?.child.exited;
  expect((await other.get("/api/requests")).body).toHaveLength(26);
  expect((await other.post("/api/requests", ENVELOPE)).status).toBe(201);
  const [server] = servers.splice(1);
  server?.child.kill("SIGTERM");
  expect(await server?.child.exited).toBe(0);
  expect(await server?.problems).toBe("");
});

function variables(name: string): Record<string, string> {
  return {
    DATA_DIR: join(folder, name),
    DATABASE_URL: sqld.url.replace("http", "ws"),
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: S3.bucket,
    S3_ACCESS_KEY_ID: S3.accessKeyId,
    S3_SECRET_ACCESS_KEY: S3.secretAccessKey,
    SMTP_URL: smtp.url,
  };
}

async function urlOf(index: number): Promise<string> {
  return String(await servers[index]?.url);
}
