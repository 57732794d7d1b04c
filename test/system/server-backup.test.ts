import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createClient as createLibsqlClient } from "@libsql/client";
import { copyServerRows } from "../../db/archive/server-snapshot";
import { openLibsql } from "../../db/libsql";
import { users, workspaces } from "../../db/schema";
import { CLIENTS, removeChanged, startLoad } from "../faults/load";
import { problemsOfStore } from "../faults/store-check";
import { createClient } from "../support/api/client";
import { spawnServer } from "../support/processes/bun-process";
import { runOperatorCommand } from "../support/processes/operator-command";
import { type S3Server, startS3Server } from "../support/servers/s3-server";
import { type Sqld, startSqld } from "../support/servers/sqld";
import { makeFolder } from "../support/temporary-folder";

setDefaultTimeout(300_000);

/** Under constant load a libSQL server may reject the record of a backup, which is complete without it. */
const BUSY = expect.stringMatching(
  /^$|^The backup is complete, but when it was made could not be recorded: .+$/,
);
const KEYS = { accessKeyId: "key", secretAccessKey: "secret" };

const folder = makeFolder();
let live: Instance;
let other: Instance;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  [live, other] = await Promise.all([startInstance("live"), startInstance("other")]);
});
afterAll(async () => {
  for (const { sqld, s3 } of [live, other]) await Promise.all([sqld.stop(), s3.stop()]);
});

type Instance = { sqld: Sqld; s3: S3Server; variables: Record<string, string> };

/** A libSQL server and an S3 server, with the variables of a server that uses both. */
async function startInstance(name: string): Promise<Instance> {
  const sqld = await startSqld(at(`${name}-sqld`));
  const s3 = startS3Server("papers", KEYS);
  const variables = {
    DATA_DIR: at(name),
    DATABASE_URL: sqld.url,
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: "papers",
    S3_ACCESS_KEY_ID: KEYS.accessKeyId,
    S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    NEW_ACCOUNT_INVITATIONS_PER_DAY: "100000",
  };
  return { sqld, s3, variables };
}

test("a backup and an export of a busy instance on sqld and S3 contain everything acknowledged before", async () => {
  const server = spawnServer(live.variables);
  const load = await startLoad(await server.url);
  await load.warm;
  const before = load.acknowledged();
  const first = await runOperatorCommand(["backup", "--incremental", at("backups/1")], live.variables);
  expect(first).toMatchObject({ code: 0, problems: BUSY });
  const during = load.acknowledged().files.size - before.files.size;
  const second = await runOperatorCommand(["backup", "--incremental", at("backups/2")], live.variables);
  expect(second).toMatchObject({
    code: 0,
    output: expect.stringContaining("sharing files with"),
    problems: BUSY,
  });
  const exported = await runOperatorCommand(["export", at("exported")], live.variables);
  expect(exported).toMatchObject({ code: 0, problems: BUSY });
  await load.stop();
  server.child.kill("SIGTERM");
  await server.child.exited;
  expect(during).toBeGreaterThan(0);
  expect(before.files.size).toBeGreaterThanOrEqual(CLIENTS);
  removeChanged(before, load.acknowledged());

  for (const name of ["backups/1", "backups/2", "exported"]) {
    const target = { DATA_DIR: at(`restored-${name.replace("/", "-")}`) };
    expect(await runOperatorCommand(["restore", at(name)], target)).toMatchObject({ code: 0, problems: "" });
    expect([name, await problemsOfStore(target.DATA_DIR, before)]).toEqual([name, []]);
  }

  expect(await runOperatorCommand(["import", at("exported")], other.variables)).toMatchObject({
    code: 0,
    output: exported.output.replace("written to", "read from"),
  });
  const again = spawnServer(other.variables);
  const client = createClient({ fetch, origin: await again.url });
  for (const [email, password] of before.passwords)
    expect((await client.post("/api/login", { email, password })).status).toBe(200);
  again.child.kill("SIGTERM");
  await again.child.exited;
  expect(await runOperatorCommand(["verify"], other.variables)).toMatchObject({ code: 0, problems: "" });
  expect((await readdir(folder)).filter((name) => /\.(?:part|rows)$/.test(name))).toEqual([]);
}, 300_000);

test.each(["http", "ws"])("a server's rows are those of one moment over %s, amid writes", async (scheme) => {
  const source = await startSqld(at(`${scheme}-sqld`));
  const rows = await openLibsql({ url: source.url });
  await rows.migrate();
  const writer = createLibsqlClient({ url: source.url });
  const addAccounts = (from: number, to: number) =>
    writer.batch(
      Array.from({ length: to - from }, (_, index) => [
        `insert into users (id, email, password, created_at) values (${from + index}, 'u${from + index}@example.com', '', '2026-03-14')`,
        `insert into workspaces (user_id, name, created_at, updated_at) values (${from + index}, 'Main', '2026-03-14', '2026-03-14')`,
      ]).flat(),
      "write",
    );
  await addAccounts(1, 1500);
  const copy = await openLibsql({ url: `file:${at(`${scheme}-copy.db`)}` });
  await copy.migrate();
  let copied = false;
  const writing = (async () => {
    let next = 1500;
    for (; !copied; next += 20) await addAccounts(next, next + 20);
    return next;
  })();
  await copyServerRows({ url: source.url.replace("http", scheme) }, copy.db);
  copied = true;
  expect(await writing).toBeGreaterThan(1500);
  const [accounts, own] = [await copy.db.$count(users), await copy.db.$count(workspaces)];
  expect(accounts).toBeGreaterThanOrEqual(1499);
  expect(own).toBe(accounts);
  for (const database of [copy, rows]) database.close();
  writer.close();
  await source.stop();
});

test("a server that does not answer, or has no tables yet, ends a backup with a sentence and no folder", async () => {
  const empty = await startSqld(at("empty-sqld"));
  const none = await runOperatorCommand(["backup", at("none")], {
    ...live.variables,
    DATABASE_URL: empty.url,
  });
  expect(none).toMatchObject({
    code: 1,
    problems: `The database has no tables yet: start the server once, or for a Worker run \`bun run deploy\` (${empty.url})`,
  });
  await empty.stop();
  const dead = await runOperatorCommand(["backup", at("none")], {
    ...live.variables,
    DATABASE_URL: empty.url,
  });
  expect([dead.code, dead.problems]).toEqual([
    1,
    `The database ${empty.url} cannot be used (ECONNREFUSED: Unable to connect. Is the computer able to access the url?)`,
  ]);
  const restored = await runOperatorCommand(["restore", at("exported")], live.variables);
  expect(restored).toMatchObject({ code: 1, problems: expect.stringContaining("let `import` read") });
  expect((await readdir(folder)).filter((name) => name.startsWith("none"))).toEqual([]);
});
