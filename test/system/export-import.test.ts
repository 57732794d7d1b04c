import { Database } from "bun:sqlite";
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { file, Glob, spawn, write } from "bun";
import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { countArchivedRows } from "../../db/archive/rows";
import { ARCHIVED_TABLES, EXCLUDED_TABLES, LOCAL_TABLES } from "../../db/archive/tables";
import * as schema from "../../db/schema";
import { LAST_MIGRATION } from "../../db/version";
import { readManifest, writeManifest } from "../../worker/cli/archive/archive-folder";
import { importArchive } from "../../worker/cli/archive/import-archive";
import { readWranglerConfig } from "../../worker/cli/cloudflare/wrangler-config";
import { type Client, createClient } from "../support/api/client";
import { ENVELOPE, form } from "../support/api/envelopes";
import { forgeRows } from "../support/files/archives";
import { largePdfFile, pdfFile, pngFile, sha256 } from "../support/files/files";
import { spawnServer } from "../support/processes/bun-process";
import { runOperatorCommand, spawnCommand } from "../support/processes/operator-command";
import { startProductionWorker } from "../support/processes/production-worker";
import { createRandom } from "../support/random";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { makeFolder } from "../support/temporary-folder";

// Each instance runs in a separate process, and the Worker's starts wrangler.
setDefaultTimeout(300_000);

const ROOT = join(import.meta.dir, "../..");
const ACCOUNT = { email: "mona@example.com", password: "a password kept" };
const LARGE = largePdfFile(9 * 1024 * 1024);

const folder = makeFolder();
/** The data before the migration, as its owner saw it. */
let left: Awaited<ReturnType<typeof liveInBun>>;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  left = await liveInBun(at("old"));
  expect(await move("export", at("old"), at("first"))).toBe("1 account with 2 files written to");
});

test("every table of the schema is either exported or excluded on purpose", () => {
  const tables = Object.values(schema).flatMap((table) =>
    is(table, SQLiteTable) ? [getTableName(table)] : [],
  );
  const known = [ARCHIVED_TABLES, EXCLUDED_TABLES, LOCAL_TABLES].flatMap((tables) =>
    Object.values(tables).map(getTableName),
  );
  expect(known.sort()).toEqual(tables.sort());
});

test("from Bun to a Worker and back: rows and files are the same, sign-in and links work in each instance", async () => {
  expect(await move("import", at("worker"), at("first"), "--worker")).toBe(
    "1 account with 2 files read from",
  );
  expect(await move("export", at("worker"), at("second"), "--worker")).toBe(
    "1 account with 2 files written to",
  );
  expect(await contentOf(at("second"))).toEqual(await contentOf(at("first")));
  await Promise.all([
    (async () => {
      const worker = await startProductionWorker({ RATE_LIMITS: "off" }, await existingStores(at("worker")));
      await findEverything(worker.url);
      await worker.stop();
    })(),
    (async () => {
      expect(await move("import", at("new"), at("second"))).toBe("1 account with 2 files read from");
      await inBun(at("new"), findEverything);
    })(),
  ]);
});

test("no command migrates a Worker's database, except that an import creates a new one", async () => {
  expect(await move("export", at("absent"), at("never"), "--worker")).toBe(
    "The database has no tables yet: start the server once, or for a Worker run `bun run deploy`",
  );
  await cp(at("worker"), at("older"), { recursive: true });
  const db = await workerDatabase("older");
  db.run("delete from d1_migrations where name = ?", [`${LAST_MIGRATION}.sql`]);
  const applied = () => db.query("select name from d1_migrations order by id").all();
  const before = applied();
  for (const command of [["export", "never"] as const, ["import", "first", "--replace"] as const]) {
    const [name, archive, ...options] = command;
    expect(await move(name, at("older"), at(archive), "--worker", ...options)).toBe(
      "The database was written by an older version: start the server once, or for a Worker run `bun run deploy`",
    );
    expect(applied()).toEqual(before);
  }
  db.close();
});

test("wrangler applies the migrations with their triggers whole, as the server does", async () => {
  const ofWorker = await Array.fromAsync(new Glob("v3/d1/**/*.sqlite").scan(at("worker")));
  const triggersOf = (path: string) => {
    const db = new Database(at(path), { readonly: true });
    const rows = db.query("select name, sql from sqlite_master where type = 'trigger' order by name").all();
    db.close();
    return rows;
  };
  const triggers = ofWorker.flatMap((path) => triggersOf(join("worker", path)));
  expect(triggers).toEqual(triggersOf("old/doculopes.db"));
  expect(triggers).toContainEqual({
    name: "audit_entries_delete",
    sql: expect.stringMatching(/RAISE\(ABORT, 'The audit log is append-only'\); END$/),
  });
});

test("an import into an instance with data is rejected unless it may replace it", async () => {
  await inBun(at("lived-in"), async (url) => {
    await createClient({ fetch, origin: url }).post("/api/register", {
      ...ACCOUNT,
      email: "other@example.com",
    });
  });
  const rejection = "The database already contains 6 rows; --replace removes all of them first";
  expect(await move("import", at("lived-in"), at("first"))).toBe(rejection);
  expect(await move("import", at("lived-in"), at("first"), "--replace")).toContain("1 account");
  await inBun(at("lived-in"), findEverything);
});

test("an import that may replace an instance leaves it as it is if the store takes no files", async () => {
  const full = { MIN_FREE_MB: "9000000" };
  expect(await moveWith(full, "import", at("lived-in"), at("first"), "--replace")).toBe(
    "Failed: Error: Too little space is free on the disk",
  );
  expect(await move("import", at("lived-in"), at("first"))).toStartWith("The database already contains");
});

test("an import that fails after it has removed what was there says so", async () => {
  await cp(at("lived-in"), at("emptied"), { recursive: true });
  await cp(at("first"), at("unfit"), { recursive: true });
  await forgeRows(at("unfit"), "submissions", /"envelopeId":\d+/, '"envelopeId":4711');
  expect(await move("import", at("emptied"), at("unfit"), "--replace")).toMatch(
    /^The former contents were removed, and then the import failed: .*FOREIGN KEY constraint failed.* run it again with --replace$/,
  );
});

test("an archive that is damaged, of another version or incomplete is rejected in one line", async () => {
  const [key = ""] = await readdir(at("first/files"));
  const notes = join("files", key);
  const cases: [damage: (copy: string) => Promise<unknown>, sentence: string][] = [
    [(copy) => write(join(copy, notes), "else"), "has changed since it was written"],
    [(copy) => rm(join(copy, notes)), "The archive is damaged"],
    [(copy) => rm(join(copy, "rows/users.ndjson")), "The archive is damaged"],
    [(copy) => write(join(copy, "rows/users.ndjson"), ""), "has changed since it was written"],
    [(copy) => rm(join(copy, "archive.json")), "is not an archive, or an incomplete one"],
    [(copy) => rm(join(copy, "archive.json.sha256")), "does not match archive.json.sha256"],
    [
      async (copy) => writeManifest(copy, { ...(await readManifest(copy)), migration: "9999_other" }),
      "restore it with that version",
    ],
    [
      (copy) => write(join(copy, "archive.json"), '{\n  "format": 1, "rows": {} }'),
      "was written by version 0.1",
    ],
  ];
  const runtime = await startBunRuntime();
  for (const [index, [damage, sentence]] of cases.entries()) {
    const copy = at(`damaged${index}`);
    await cp(at("first"), copy, { recursive: true });
    await damage(copy);
    await expect(importArchive(runtime.deps, copy, { replace: true })).rejects.toThrow(sentence);
    expect(await countArchivedRows(runtime.deps.db)).toBe(0);
  }
  await runtime.stop();
});

test("an import beside a running server is rejected, and what the server accepts meanwhile stays", async () => {
  await inBun(at("running"), async (url) => {
    const rejection = `The app is still running on ${at("running/doculopes.db")}; stop it first`;
    expect(await move("import", at("running"), at("first"))).toBe(rejection);
    expect(await move("import", at("running"), at("first"), "--replace")).toBe(rejection);
    const client = createClient({ fetch, origin: url });
    expect((await client.post("/api/register", ACCOUNT)).status).toBe(201);
    expect((await client.post("/api/requests", ENVELOPE)).status).toBe(201);
  });
});

test("of two imports at once into one instance, none removes what the other says that it has read", async () => {
  const isRead = (output: string) => output.startsWith("1 account with 2 files");
  const outputs = await Promise.all([1, 2].map(() => move("import", at("twice"), at("first"))));
  if (!outputs.some(isRead)) outputs.push(await move("import", at("twice"), at("first")));
  expect(outputs.filter(isRead)).toHaveLength(1);
  await inBun(at("twice"), findEverything);
});

test("an import that is killed is named by all, until another one replaces what it has left", async () => {
  const variables = { DATA_DIR: at("interrupted") };
  await inBun(at("interrupted"), async () => {});
  const isMarked = () => {
    const database = new Database(at("interrupted/doculopes.db"));
    const mark = database.query("select 1 from job_runs where job = 'import'").get();
    database.close();
    return mark !== null;
  };
  const random = createRandom(43);
  const begun = performance.now();
  expect(await move("import", at("interrupted"), at("first"), "--replace")).toContain("1 account");
  const duration = performance.now() - begun;
  // Another process may make one of them slower: it goes on until one was killed halfway.
  while (!isMarked()) {
    const child = spawnCommand(["import", at("first"), "--replace"], variables);
    await Promise.race([child.exited, Bun.sleep(duration * (0.3 + random.below(70) / 100))]);
    child.kill("SIGKILL");
    await child.exited;
  }
  const server = spawnServer(variables);
  expect(await server.child.exited).toBe(1);
  expect(await server.problems).toContain("An import into the database is under way, or was interrupted");
  const doctor = await runOperatorCommand(["doctor"], variables);
  expect(doctor.code).toBe(1);
  expect(doctor.output).toContain("lacks a part of what was imported");
  expect(await move("import", at("interrupted"), at("first"))).toStartWith("Another import is under way");
  expect(await move("import", at("interrupted"), at("first"), "--replace")).toContain("1 account");
  await inBun(at("interrupted"), findEverything);
});

test("no job runs while an import is under way", async () => {
  const runtime = await startBunRuntime();
  const owner = createClient(runtime);
  await owner.post("/api/register", ACCOUNT);
  await runtime.execute("insert into job_runs (job, hour) values ('import', '2026-03-14T09:26:53.000Z')");
  await runtime.runJobs();
  expect(await runtime.select("select job from job_runs")).toEqual([{ job: "import" }]);
  await runtime.execute("delete from job_runs");
  await runtime.runJobs();
  expect((await runtime.select("select job from job_runs")).length).toBeGreaterThan(1);
  await runtime.stop();
});

test("an import that fails midway leaves no row and no file behind", async () => {
  const runtime = await startBunRuntime();
  await cp(at("first"), at("broken"), { recursive: true });
  await forgeRows(at("broken"), "submissions", /"envelopeId":\d+/, '"envelopeId":4711');
  await expect(importArchive(runtime.deps, at("broken"), { replace: false })).rejects.toThrow();
  expect(await countArchivedRows(runtime.deps.db)).toBe(0);
  expect(await runtime.storedFiles()).toEqual([]);
  await runtime.stop();
  expect(await move("import", at("unlucky"), at("broken"))).toContain("FOREIGN KEY constraint failed");
});

test("an export never overwrites a folder, and leaves nothing if it fails", async () => {
  expect(await move("export", at("old"), at("first"))).toBe(
    `${at("first")} already exists; name a new folder`,
  );
  await cp(at("old"), at("broken-rows"), { recursive: true });
  // Read after every file was copied.
  const db = new Database(at("broken-rows/doculopes.db"));
  db.run("drop table audit_entries");
  db.close();
  expect(await move("export", at("broken-rows"), at("never"))).toContain("audit_entries");
  expect((await readdir(folder)).filter((name) => name.startsWith("never"))).toEqual([]);
});

/** An account with a picture, a submitted envelope, one that waits and one that was deleted. */
async function liveInBun(dataDir: string) {
  return inBun(dataDir, async (url) => {
    const owner = createClient({ fetch, origin: url });
    await owner.post("/api/register", ACCOUNT);
    const { avatarUrl } = (await owner.post("/api/user/avatar", form({ avatar: pngFile() }))).body;
    const send = async () => (await owner.post("/api/requests", ENVELOPE)).body;
    const submitted = await send();
    const waiting = await send();
    const deleted = await send();
    const sent = await owner.post(`/api/submissions/${submitted.submissionToken}`, form({ Contract: LARGE }));
    expect(sent.status).toBe(201);
    await owner.delete(`/api/requests/${deleted.id}`);
    await createClient({ fetch, origin: url }).get(`/api/submissions/${waiting.submissionToken}`);
    return { avatarUrl, submitted: submitted.id, link: waiting.submissionToken, lastId: deleted.id };
  });
}

/** Signs in with the password of the first instance, reads its data and continues to work with it. */
async function findEverything(url: string): Promise<void> {
  const owner: Client = createClient({ fetch, origin: url });
  expect((await owner.post("/api/login", ACCOUNT)).status).toBe(200);
  const { submissions } = (await owner.get(`/api/requests/${left.submitted}`)).body;
  expect(submissions).toMatchObject([{ documentName: "Contract", fileName: "large.pdf" }]);
  expect(await sha256(await owner.bytes(submissions[0].url))).toBe(await sha256(LARGE));
  expect(await sha256(await owner.bytes(left.avatarUrl))).toBe(await sha256(pngFile()));
  const recipient = createClient({ fetch, origin: url });
  expect((await recipient.get(`/api/submissions/${left.link}`)).body.documents).toHaveLength(1);
  const sent = await recipient.post(`/api/submissions/${left.link}`, form({ Contract: pdfFile() }));
  expect(sent.status).toBe(201);
  const next = await owner.post("/api/requests", ENVELOPE);
  expect(next.body.id).toBe(left.lastId + 1);
}

async function inBun<T>(dataDir: string, live: (url: string) => Promise<T>): Promise<T> {
  const server = spawnServer({ DATA_DIR: dataDir });
  try {
    return await live(await server.url);
  } finally {
    server.child.kill("SIGTERM");
    await server.child.exited;
  }
}

/** The command's output, without the folder that it names last. */
const move = (command: string, dataDir: string, ...rest: string[]) => moveWith({}, command, dataDir, ...rest);

async function moveWith(
  variables: Record<string, string>,
  command: string,
  dataDir: string,
  ...rest: string[]
): Promise<string> {
  const child = spawn([process.execPath, "worker/cli/instances.ts", command, ...rest], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, ...variables },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const output = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
  expect(output.split("\n")).toEqual([expect.any(String), ""]);
  return output.trim().replace(/(to|from) \S+$/, "$1");
}

/** The text of every file of rows, the list of files, and their hashes on disk. */
async function contentOf(archive: string): Promise<Record<string, string>> {
  const content: Record<string, string> = { notes: await file(join(archive, "files.ndjson")).text() };
  for (const name of await readdir(join(archive, "rows")))
    content[name] = await file(join(archive, "rows", name)).text();
  for (const key of await readdir(join(archive, "files")))
    content[key] = await sha256(await file(join(archive, "files", key)).bytes());
  const { madeAt, instances, ...manifest } = await file(join(archive, "archive.json")).json();
  content.manifest = JSON.stringify({ ...manifest, lastIds: Object.entries(manifest.lastIds).sort() });
  expect(Date.parse(madeAt)).toBeGreaterThan(0);
  return content;
}

/** The database of a local Worker in this folder. */
async function workerDatabase(name: string): Promise<Database> {
  for await (const path of new Glob(`${name}/v3/d1/**/*.sqlite`).scan(folder)) {
    const db = new Database(at(path));
    if (db.query("select 1 from sqlite_master where name = 'd1_migrations'").get()) return db;
    db.close();
  }
  throw new Error(`${name} has no migrated database`);
}

async function existingStores(dataDir: string) {
  const { d1_databases, r2_buckets } = await readWranglerConfig();
  return {
    folder: dataDir,
    database: d1_databases[0]?.database_id ?? "",
    bucket: r2_buckets[0]?.bucket_name ?? "",
  };
}
