import { Database } from "bun:sqlite";
import { beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openLibsql } from "../../db/libsql";
import journal from "../../db/migrations/meta/_journal.json";
import { LAST_MIGRATION, schemaState } from "../../db/version";
import { runDoctor } from "../../worker/cli/doctor/doctor";
import { spawnServer } from "../support/processes/bun-process";
import { runOperatorCommand } from "../support/processes/operator-command";
import { startProductionWorker } from "../support/processes/production-worker";
import { makeFolder } from "../support/temporary-folder";

setDefaultTimeout(300_000);

const MIGRATED = "insert into __drizzle_migrations (hash, created_at) values ('x', ";

/** Databases on which this version must not start, and the message that says so. */
const REJECTED: [name: string, change: string, sentence: string][] = [
  [
    "written by a newer version",
    `${MIGRATED} 9999999999999)`,
    `The database was written by a newer version, and this one knows no schema after ${LAST_MIGRATION}: start the newer version, or restore a backup that this version wrote`,
  ],
  [
    "with tables and no history",
    "drop table __drizzle_migrations",
    "The database contains tables that no release of this app created: start the version that created them, or choose another database",
  ],
];

const root = makeFolder();
let count = 0;
let dataDir: string;
beforeEach(() => {
  count += 1;
  dataDir = join(root, String(count));
});

/** A migrated database, changed without the app. @returns its path */
async function databaseWith(change: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, "doculopes.db");
  const made = await openLibsql({ url: `file:${path}` });
  await made.migrate();
  made.close();
  const db = new Database(path);
  db.run("insert into users (email, password, created_at) values ('ada@example.com', '', '2026-03-14')");
  for (const statement of change.split(";")) db.run(statement);
  db.close();
  return path;
}

test.each(REJECTED)("no server starts on a database %s, or changes it", async (_, change, sentence) => {
  const path = await databaseWith(change);
  const { child, output, problems } = spawnServer({ DATA_DIR: dataDir });
  // EX_CONFIG: systemd does not start it again.
  expect(await child.exited).toBe(78);
  expect(await output).toBe("");
  expect(await problems).toBe(`${sentence} (file://${path})\n`);
  const db = new Database(path, { readonly: true });
  expect(db.query("select email from users").all()).toEqual([{ email: "ada@example.com" }]);
  db.close();
});

test.each(REJECTED)("doctor and backup reject a database %s", async (_, change, sentence) => {
  const path = await databaseWith(change);
  const [problem = "", advice = ""] = sentence.split(": ");
  const findings = await runDoctor({ DATA_DIR: dataDir, PORT: "0" });
  expect(findings.find(({ subject }) => subject === "Database")).toEqual({
    level: "failure",
    subject: "Database",
    text: `${path}: ${problem}`,
    advice,
  });
  const backup = await runOperatorCommand(["backup", join(root, `backup-${count}`)], { DATA_DIR: dataDir });
  expect(backup).toMatchObject({ code: 1, output: "", problems: sentence });
});

test("a database's version is determined by its recorded migrations", async () => {
  const path = await databaseWith("select 1");
  const { db, close } = await openLibsql({ url: `file:${path}` });
  const stateAfter = async (...times: number[]) => {
    await db.run("delete from __drizzle_migrations");
    for (const time of times) await db.run(`${MIGRATED} ${time})`);
    return schemaState(db);
  };
  const known = journal.entries.map(({ when }) => when);
  const [first = 0, ...later] = known;
  expect(await stateAfter(...known)).toBe("same");
  expect(await stateAfter(first)).toBe("older");
  expect(await stateAfter(...known, 9999999999999)).toBe("newer");
  expect(await stateAfter(...later)).toBe("unknown");
  expect(await stateAfter(first, 1799999999999)).toBe("unknown");
  expect(await stateAfter()).toBe("unknown");
  close();
});

test("an older database is migrated with its data", async () => {
  const path = join(dataDir, "doculopes.db");
  await mkdir(dataDir, { recursive: true });
  const first = await Bun.file(join(import.meta.dir, "../../db/migrations/0000_start.sql")).text();
  const db = new Database(path);
  for (const statement of first.split("--> statement-breakpoint")) db.run(statement);
  db.run("create table __drizzle_migrations (id serial primary key, hash text not null, created_at numeric)");
  db.run(`${MIGRATED} 1795265795641)`);
  db.run("insert into users (email, password, created_at) values ('ada@example.com', '', '2026-03-14')");
  db.close();
  const server = spawnServer({ DATA_DIR: dataDir });
  expect((await fetch(`${await server.url}/api/health`)).status).toBe(200);
  server.child.kill("SIGTERM");
  await server.child.exited;
  const { db: migrated, close } = await openLibsql({ url: `file:${path}` });
  expect(await migrated.all("select email from users")).toEqual([{ email: "ada@example.com" }]);
  expect(await migrated.all("select count(*) as count from uploads")).toEqual([{ count: 0 }]);
  close();
});

test("a Worker rejects a database of another version until it is migrated, and logs the versions", async () => {
  const worker = await startProductionWorker({ PUBLIC_URL: "http://localhost:8787" });
  const health = async () => (await fetch(`${worker.url}/api/health`)).status;
  const states: [change: string, undo: string, sentence: string][] = [
    [
      "insert into d1_migrations (name) values ('9999_later.sql')",
      "delete from d1_migrations where name = '9999_later.sql'",
      "written by a newer version",
    ],
    [
      `delete from d1_migrations where name = '${LAST_MIGRATION}.sql'`,
      `insert into d1_migrations (name) values ('${LAST_MIGRATION}.sql')`,
      "written by an older version: start the server once, or for a Worker run `bun run deploy`",
    ],
    [
      "alter table d1_migrations rename to away",
      "alter table away rename to d1_migrations",
      "has no tables yet: start the server once, or for a Worker run `bun run deploy`",
    ],
  ];
  for (const [change, undo, sentence] of states) {
    await worker.sql(change);
    const rejected = await fetch(`${worker.url}/api/health`);
    expect(rejected.status).toBe(500);
    expect(await rejected.json()).toEqual({
      code: "internal",
      message: "The server is not set up correctly; its log says what is wrong",
    });
    await worker.logged(sentence);
    await worker.sql(undo);
  }
  expect(await health()).toBe(200);
  await worker.stop();
});
