import { Database } from "bun:sqlite";
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chown, cp, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isFileKey } from "../../worker/adapters/shared/file-key";
import { runDoctor } from "../../worker/cli/doctor/doctor";
import { createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { pdfFile, sha256 } from "../support/files/files";
import { spawnServer } from "../support/processes/bun-process";
import { runOperatorCommand } from "../support/processes/operator-command";
import { startProductionWorker } from "../support/processes/production-worker";
import { startS3Server } from "../support/servers/s3-server";
import { makeFolder } from "../support/temporary-folder";

setDefaultTimeout(300_000);

const ACCOUNT = { email: "ada@example.com", password: "long enough" };
const ANOTHER = "The file store belongs to another database: choose the database or the store that belongs";

const folder = makeFolder();
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  await withServer({ DATA_DIR: at("own") }, async (url) => {
    for (let count = 0; count < 3; count += 1) await submit(url);
  });
  // Otherwise they would be too new to be removed.
  const old = new Date("2026-01-01");
  for (const key of await filesIn("own/uploads")) await utimes(at(`own/uploads/${key}`), old, old);
  await withServer({ DATA_DIR: at("other") }, submit);
});

const filesIn = async (path: string) => (await readdir(at(path))).filter(isFileKey).sort();
const databaseOf = (name: string) => `file:${at(`${name}/doculopes.db`)}`;
const query = (name: string, statement: string) => {
  const db = new Database(at(`${name}/doculopes.db`));
  const rows = db.query(statement).all();
  db.close();
  return rows;
};

async function withServer<T>(
  variables: Record<string, string>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const server = spawnServer(variables);
  try {
    return await work(await server.url);
  } finally {
    // A graceful stop waits for the jobs of the start.
    server.child.kill("SIGTERM");
    expect(await server.child.exited).toBe(0);
  }
}

async function submit(url: string): Promise<void> {
  const client = createClient({ fetch, origin: url });
  if ((await client.post("/api/login", ACCOUNT)).status !== 200) await client.post("/api/register", ACCOUNT);
  const { body } = await client.post("/api/requests", ENVELOPE);
  expect((await client.post(linkOf(body), form({ Contract: pdfFile() }))).status).toBe(201);
}

/** Reads every submitted file. @returns their number */
async function readFiles(url: string): Promise<number> {
  const client = createClient({ fetch, origin: url });
  await client.post("/api/login", ACCOUNT);
  const { body } = await client.get("/api/requests");
  const files = body.flatMap(({ submissions }: { submissions: { url: string }[] }) => submissions);
  for (const file of files) expect(await sha256(await client.bytes(file.url))).toBe(await sha256(pdfFile()));
  return files.length;
}

async function startFailure(variables: Record<string, string>): Promise<string> {
  const { child, output, problems } = spawnServer(variables);
  expect([await child.exited, await output]).toEqual([1, ""]);
  return problems;
}

const findingsOf = async (variables: Record<string, string>) =>
  (await runDoctor({ PORT: "0", ...variables })).filter(({ subject }) => subject === "Files");

test("a server does not start on the files of another database, and a new database does neither", async () => {
  const before = await filesIn("own/uploads");
  expect(before).toHaveLength(3);
  const foreign = { DATA_DIR: at("own"), DATABASE_URL: databaseOf("other") };
  expect(await startFailure(foreign)).toStartWith(ANOTHER);
  expect(await findingsOf(foreign)).toContainEqual({
    level: "failure",
    subject: "Files",
    text: "The file store belongs to another database, so the server does not start",
    advice: expect.stringContaining("`doculopes adopt`"),
  });
  const fresh = { DATA_DIR: at("own"), DATABASE_URL: databaseOf(".") };
  expect(await startFailure(fresh)).toStartWith(
    "The file store belongs to another database, and this one has no accounts: choose",
  );
  const refused = await runOperatorCommand(["orphans", "--remove"], foreign);
  expect([refused.code, refused.problems]).toEqual([1, expect.stringContaining(ANOTHER)]);
  expect(await filesIn("own/uploads")).toEqual(before);
  expect(await withServer({ DATA_DIR: at("own") }, readFiles)).toBe(3);
});

test("a server does not start with an empty store beside a database that has files, as when a disk is not mounted", async () => {
  await cp(at("own"), at("unmounted"), { recursive: true, preserveTimestamps: true });
  await rename(at("unmounted/uploads"), at("unmounted/elsewhere"));
  expect(await startFailure({ DATA_DIR: at("unmounted") })).toStartWith(
    "The file store is empty, or its disk is not mounted, but the database has files: choose",
  );
  await rm(at("unmounted/uploads"), { recursive: true, force: true });
  await rename(at("unmounted/elsewhere"), at("unmounted/uploads"));
  expect(await withServer({ DATA_DIR: at("unmounted") }, readFiles)).toBe(3);
});

test("adopt gives the files to another database, which asks before it removes them, and keeps them for a week", async () => {
  await cp(at("own"), at("adopted"), { recursive: true, preserveTimestamps: true });
  const own = { DATA_DIR: at("adopted") };
  const other = { ...own, DATABASE_URL: databaseOf("other") };
  const adopted = await runOperatorCommand(["adopt"], other);
  expect([adopted.code, adopted.output]).toEqual([
    0,
    "The file store belongs to this database now; start the server again. The database does not know 3 of 3 files in the store, 3 of them at least a day old",
  ]);
  expect(await startFailure(own)).toStartWith(ANOTHER);
  await withServer(other, async () => {});
  const files = await filesIn("adopted/uploads");
  expect(files).toHaveLength(3);
  expect(await findingsOf(other)).toContainEqual({
    level: "warning",
    subject: "Files",
    text: "3 of 3 files are referenced by no row and no upload, so many that they wait for you",
    advice: expect.stringContaining("`orphans --remove`"),
  });
  expect((await runOperatorCommand(["orphans"], other)).output).toEndWith("then add --remove");
  expect((await runOperatorCommand(["orphans", "--remove"], other)).output).toStartWith("3 files removed");
  expect([await filesIn("adopted/uploads"), await filesIn("adopted/orphans")]).toEqual([[], files]);
  await withServer(other, async () => {});
  expect(await filesIn("adopted/orphans")).toEqual(files);

  for (const key of files) await rename(at(`adopted/orphans/${key}`), at(`adopted/uploads/${key}`));
  expect((await runOperatorCommand(["adopt"], own)).output).toEndWith("knows all of 3 files in the store");
  expect(await withServer(own, readFiles)).toBe(3);
  // Its own store is without a doubt the other's.
  expect(await startFailure({ DATA_DIR: at("other") })).toStartWith(ANOTHER);
  expect((await runOperatorCommand(["adopt"], { DATA_DIR: at("other") })).code).toBe(0);
  expect(await withServer({ DATA_DIR: at("other") }, readFiles)).toBe(1);
});

test.if(process.getuid?.() === 0)("what root adopts can be read by the server's user", async () => {
  await cp(at("own"), at("by-root"), { recursive: true });
  await chown(at("by-root/uploads"), 65534, 65534);
  expect((await runOperatorCommand(["adopt"], { DATA_DIR: at("by-root") })).code).toBe(0);
  expect((await stat(at("by-root/uploads/.instance"))).uid).toBe(65534);
});

test("several servers that start at once on a new database and store agree on one id", async () => {
  const servers = Array.from({ length: 4 }, () => spawnServer({ DATA_DIR: at("several") }));
  await Promise.all(servers.map(({ url }) => url));
  for (const { child } of servers) child.kill("SIGTERM");
  await Promise.all(servers.map(({ child }) => child.exited));
  const stored = (await Bun.file(at("several/uploads/.instance")).text()).trim();
  expect(query("several", "select id from instance")).toEqual([{ id: stored }]);
  expect(await readdir(at("several/uploads"))).toEqual([".instance"]);
});

test("an installation without an id, or with one on one side only, gets it at the start", async () => {
  const own = { DATA_DIR: at("upgraded") };
  await cp(at("own"), at("upgraded"), { recursive: true });
  const idOf = () => query("upgraded", "select id from instance");
  const [before] = idOf();
  for (const missing of ["both", "store", "database"]) {
    if (missing !== "database") await rm(at("upgraded/uploads/.instance"));
    if (missing !== "store") query("upgraded", "delete from instance");
    expect(await withServer(own, readFiles)).toBe(3);
    const stored = (await Bun.file(at("upgraded/uploads/.instance")).text()).trim();
    expect(idOf()).toEqual([{ id: stored }]);
  }
  expect(idOf()).not.toEqual([before]);
});

test("files without an id stay beside a new database, and beside one that does not know them", async () => {
  await cp(at("own/uploads"), at("unmarked/uploads"), { recursive: true });
  await rm(at("unmarked/uploads/.instance"));
  expect(await startFailure({ DATA_DIR: at("unmarked") })).toStartWith(
    "The file store contains files, but the database has no accounts: choose",
  );
  await rm(at("unmarked/doculopes.db"));
  const other = { DATA_DIR: at("unmarked"), DATABASE_URL: databaseOf("other") };
  expect(await startFailure(other)).toStartWith(
    "The database does not know 3 of 3 files in the file store: choose",
  );
  expect(await filesIn("unmarked/uploads")).toHaveLength(3);
});

test("a restored backup has its own id, keeps that of its store, and takes over another's only with --adopt", async () => {
  await runOperatorCommand(["backup", at("backup")], { DATA_DIR: at("own") });
  expect((await runOperatorCommand(["restore", at("backup")], { DATA_DIR: at("clone") })).code).toBe(0);
  expect(await withServer({ DATA_DIR: at("clone") }, readFiles)).toBe(3);
  const [{ id: original } = { id: "" }] = query("own", "select id from instance") as { id: string }[];
  expect(query("clone", "select id from instance")).not.toEqual([{ id: original }]);

  const again = await runOperatorCommand(["restore", "--replace", at("backup")], { DATA_DIR: at("own") });
  expect(again.problems).toBe("");
  expect(query("own", "select id from instance")).toEqual([{ id: original }]);

  const onForeign = { DATA_DIR: at("own"), DATABASE_URL: databaseOf("staging") };
  const refused = await runOperatorCommand(["restore", at("backup")], onForeign);
  expect([refused.code, refused.problems]).toEqual([
    1,
    "The file store belongs to another database. Choose an empty store; or, if no server uses these files any more, add --adopt",
  ]);
  expect(await withServer({ DATA_DIR: at("own") }, readFiles)).toBe(3);
  expect((await runOperatorCommand(["restore", "--adopt", at("backup")], onForeign)).code).toBe(0);
  expect(await withServer(onForeign, readFiles)).toBe(3);
  expect(await startFailure({ DATA_DIR: at("own") })).toStartWith(ANOTHER);
});

test("a bucket that fails, or may not be listed, does not prevent the start, and no file is removed", async () => {
  const keys = { accessKeyId: "key", secretAccessKey: "secret" };
  const s3 = startS3Server("documents", keys);
  const variables = {
    ...{ DATA_DIR: at("bucket"), S3_ENDPOINT: s3.endpoint, S3_BUCKET: "documents" },
    ...{ S3_ACCESS_KEY_ID: keys.accessKeyId, S3_SECRET_ACCESS_KEY: keys.secretAccessKey },
  };
  await withServer(variables, submit);
  expect([...s3.objects.keys()]).toContain("uploads/.instance");
  query("bucket", "delete from submissions");
  for (const object of s3.objects.values()) object.modified = new Date("2026-01-01");
  for (const failWith of [500, 403]) {
    s3.failWith = failWith;
    await withServer(variables, async (url) => expect((await fetch(`${url}/api/health`)).status).toBe(200));
  }
  s3.failWith = null;
  await withServer(variables, async () => {});
  // The only file of the store is 100 % of it.
  expect(s3.objects.size).toBe(2);
  query("bucket", "update instance set id = 'another'");
  expect(await startFailure(variables)).toStartWith(ANOTHER);
  await s3.stop();
});

test("a Worker with another database than its bucket's does not work, and removes nothing", async () => {
  const foreign = await startProductionWorker({});
  await foreign.put("uploads/.instance", "another");
  expect((await fetch(`${foreign.url}/api/health`)).status).toBe(500);
  await foreign.logged("The file store belongs to another database, and this one has no");
  await foreign.stop();

  const worker = await startProductionWorker({ RATE_LIMITS: "off", HOST: "127.0.0.1" });
  await submit(worker.url);
  const before = await worker.objects();
  expect(before).toContain("uploads/.instance");
  await worker.cron();
  expect(await worker.objects()).toEqual(before);
  await worker.sql("update instance set id = 'another'");
  await worker.sql("delete from job_runs");
  await worker.cron();
  await worker.logged(ANOTHER);
  expect(await worker.objects()).toEqual(before);
  await worker.stop();
});
