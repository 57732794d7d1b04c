import { Database } from "bun:sqlite";
import { beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { chmod, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openLibsql } from "../../db/libsql";
import { readEnvironment } from "../../worker/adapters/bun/environment";
import { ensureKeyFile, readKeyFile } from "../../worker/adapters/bun/files/key-file";
import { createSecretBox } from "../../worker/adapters/shared/secret-box";
import { runDoctor } from "../../worker/cli/doctor/doctor";
import { requireSecretKeys, rotateSecretKey } from "../../worker/cli/secret-keys";
import { SEALED_CONTEXTS } from "../../worker/ports/crypto";
import { createClient } from "../support/api/client";
import { spawnServer } from "../support/processes/bun-process";
import { runOperatorCommand, spawnCommand } from "../support/processes/operator-command";
import { createRandom } from "../support/random";
import { startS3Server } from "../support/servers/s3-server";
import { startSqld } from "../support/servers/sqld";
import { makeFolder } from "../support/temporary-folder";

setDefaultTimeout(300_000);

const folder = makeFolder();
let count = 0;
let dataDir: string;
const at = (name: string) => join(folder, `${count}-${name}`);
beforeEach(() => {
  count += 1;
  dataDir = at("data");
});

/**
 * A database with so many accounts that have an authenticator app, encrypted with the folder's key. A server creates it:
 * in this process libSQL would close the file only when its statements are collected, and then undo what was written since,
 * because another SQLite has opened and closed the file meanwhile, which ends the locks of the process.
 */
async function createAccounts(accounts: number): Promise<void> {
  const path = join(dataDir, "doculopes.db");
  await startAndStop();
  const box = createSecretBox(() => readKeyFile(dataDir));
  const db = new Database(path);
  const now = new Date().toISOString();
  db.run("begin");
  for (let id = 1; id <= accounts; id += 1) {
    db.run("insert into users (email, password, created_at) values (?, '', ?)", [
      `user${id}@example.com`,
      now,
    ]);
    const sealed = await box.seal(`secret of ${id}`, SEALED_CONTEXTS.totp(id));
    db.run("insert into totp (user_id, sealed_secret, confirmed_at) values (?, ?, ?)", [id, sealed, now]);
  }
  db.run("commit");
  db.close();
}

/** @returns the output of the server */
async function startAndStop(variables: Record<string, string> = {}): Promise<string> {
  const server = spawnServer({ DATA_DIR: dataDir, ...variables });
  await server.url;
  server.child.kill("SIGTERM");
  await server.child.exited;
  return server.output;
}

/** The decrypted secrets of a folder's database, and the number of keys that they are encrypted with. */
async function readSecrets(data = dataDir): Promise<{ secrets: string[]; keys: number }> {
  const db = new Database(join(data, "doculopes.db"), { readonly: true });
  const rows = db.query("select user_id, sealed_secret from totp order by user_id").all() as {
    user_id: number;
    sealed_secret: string;
  }[];
  db.close();
  const box = createSecretBox(() => readKeyFile(data));
  const secrets: string[] = [];
  for (const row of rows) secrets.push(await box.open(row.sealed_secret, SEALED_CONTEXTS.totp(row.user_id)));
  return { secrets, keys: new Set(rows.map((row) => row.sealed_secret.split(".")[1])).size };
}

const expected = (accounts: number) =>
  Array.from({ length: accounts }, (_, index) => `secret of ${index + 1}`);

async function findings(variables: Record<string, string> = {}): Promise<string[]> {
  const found = await runDoctor({ DATA_DIR: dataDir, PORT: "0", ...variables });
  return found.flatMap(({ subject, level, text }) => (subject === "Secret key" ? [`${level}: ${text}`] : []));
}

test("two servers that start at once on one folder agree on one key, which only their user can read", async () => {
  const servers = [spawnServer({ DATA_DIR: dataDir }), spawnServer({ DATA_DIR: dataDir })];
  for (const { url } of servers) {
    const client = createClient({ fetch, origin: await url });
    expect((await client.get("/api/health")).status).toBe(200);
  }
  const key = await readFile(join(dataDir, "secret.key"), "utf8");
  expect(key).toMatch(/^[\w-]{43}\n$/);
  expect((await stat(join(dataDir, "secret.key"))).mode & 0o777).toBe(0o600);
  expect((await readdir(dataDir)).filter((name) => name.startsWith("secret.key"))).toEqual(["secret.key"]);
  for (const { child } of servers) child.kill("SIGTERM");
  for (const { child, output } of servers) {
    expect(await child.exited).toBe(0);
    expect(await output).not.toContain(key.trim());
  }
});

test("a restore without the key names whose authenticator apps are lost, one with the key loses nothing", async () => {
  await createAccounts(2);
  const without = await runOperatorCommand(["backup", at("without")], { DATA_DIR: dataDir });
  expect(without).toMatchObject({ code: 0, problems: "" });
  expect(await readdir(at("without"))).not.toContain("secret.key");
  const lost = await runOperatorCommand(["restore", at("without")], { DATA_DIR: at("lost") });
  expect(lost).toMatchObject({ code: 0, problems: "" });
  expect(lost.output).toContain(
    "authenticator apps is missing, so their codes do not work: user1@example.com, user2@example.com",
  );

  const args = ["backup", "--with-key", at("with")];
  expect(await runOperatorCommand(args, { DATA_DIR: dataDir })).toMatchObject({ code: 0, problems: "" });
  expect((await stat(join(at("with"), "secret.key"))).mode & 0o777).toBe(0o600);
  const restored = await runOperatorCommand(["restore", at("with")], { DATA_DIR: at("restored") });
  expect(restored).toMatchObject({ code: 0, problems: "" });
  expect(restored.output).not.toContain("authenticator");
  expect((await readSecrets(at("restored"))).secrets).toEqual(expected(2));
  expect((await stat(join(at("restored"), "secret.key"))).mode & 0o777).toBe(0o600);

  // A key that is there already stays in front, and the backup's is added.
  await ensureKeyFile(at("lost"));
  const own = await readKeyFile(at("lost"));
  const again = await runOperatorCommand(["restore", "--replace", at("with")], { DATA_DIR: at("lost") });
  expect(again).toMatchObject({ code: 0, problems: "" });
  expect(await readKeyFile(at("lost"))).toEqual([...own, ...(await readKeyFile(dataDir))]);
  expect((await readSecrets(at("lost"))).secrets).toEqual(expected(2));

  await writeFile(join(at("with"), "secret.key"), "another-key-that-is-not-the-one-of-this\n");
  const changed = await runOperatorCommand(["restore", at("with")], { DATA_DIR: at("changed") });
  expect(changed.problems).toContain("secret.key has changed since it was written");
});

test("a lost key is not replaced without a line in the log that says what is lost", async () => {
  await createAccounts(1);
  expect(await startAndStop()).not.toContain("secret key missing");
  await rm(join(dataDir, "secret.key"));
  expect(await startAndStop()).toMatch(
    /"level":"error","event":"secret key missing".* no secret of the authenticator apps/,
  );
  await rm(join(dataDir, "secret.key"));
  new Database(join(dataDir, "doculopes.db")).run("delete from totp");
  expect(await startAndStop()).not.toContain("secret key missing");
});

test.each<[what: string, insert: (db: Database, sealed: string) => void]>([
  [
    "a confidential answer",
    (db, sealed) =>
      db.run(
        "insert into answers (envelope_id, envelope_document_id, value, sealed, created_at) values (1, 1, ?, 1, '')",
        [JSON.stringify(sealed)],
      ),
  ],
  [
    "the access of a destination",
    (db, sealed) =>
      db.run(
        `insert into destinations (workspace_id, kind, name, credentials, delivered_when, folder_rule, include_answers, state, created_at, updated_at)
         values (1, 'webdav', 'NAS', ?, 'submitted', '', 1, 'paused', '', '')`,
        [sealed],
      ),
  ],
])("a start says that the key of %s is lost, or another one", async (_, insert) => {
  await startAndStop();
  const db = new Database(join(dataDir, "doculopes.db"));
  db.run("pragma foreign_keys = off");
  insert(db, await createSecretBox(() => readKeyFile(dataDir)).seal('"secret"', "of its row"));
  db.close();
  expect(await startAndStop()).not.toContain("secret key missing");
  const another = { SECRET_KEY: "x".repeat(40) };
  const differs = /"level":"error","event":"secret key missing".* a key that this server does not have/;
  expect(await startAndStop(another)).toMatch(differs);
  await rm(join(dataDir, "secret.key"));
  expect(await startAndStop()).toMatch(/"event":"secret key missing".* confidential answer/);
  expect(await startAndStop()).toMatch(differs);
});

test("servers without a folder in common are told to take the keys of an archive into SECRET_KEY", async () => {
  await createAccounts(1);
  const made = await runOperatorCommand(["export", "--with-key", at("moved")], { DATA_DIR: dataDir });
  expect(made).toMatchObject({ code: 0, problems: "" });
  const sqld = await startSqld(at("sqld"));
  const keys = { accessKeyId: "key", secretAccessKey: "secret" };
  const s3 = startS3Server("papers", keys);
  const remote = {
    ...{ DATA_DIR: at("remote"), DATABASE_URL: sqld.url, S3_ENDPOINT: s3.endpoint, S3_BUCKET: "papers" },
    ...{ S3_ACCESS_KEY_ID: keys.accessKeyId, S3_SECRET_ACCESS_KEY: keys.secretAccessKey },
  };
  const { output } = await runOperatorCommand(["import", at("moved")], remote);
  expect(output).toContain(`add the lines of ${at("moved")}/secret.key to it on all servers`);
  expect(await readKeyFile(at("remote"))).toEqual([]);
  const [key = ""] = await readKeyFile(dataDir);
  const again = await runOperatorCommand(["import", "--replace", at("moved")], {
    ...remote,
    SECRET_KEY: key,
  });
  expect(again.output).not.toContain("secret.key");
  await Promise.all([sqld.stop(), s3.stop()]);
});

test("an export with the key moves everything, and SECRET_KEY decides where it is set", async () => {
  await createAccounts(1);
  const made = await runOperatorCommand(["export", "--with-key", at("moved")], { DATA_DIR: dataDir });
  expect(made).toMatchObject({ code: 0, problems: "" });
  const SECRET_KEY = "a-key-of-the-environment-of-the-new-server";
  const other = await runOperatorCommand(["import", at("moved")], { DATA_DIR: at("other"), SECRET_KEY });
  expect(other.output).toContain("user1@example.com");
  expect(await readKeyFile(at("other"))).toEqual([]);
  const [former] = await readKeyFile(dataDir);
  const both = { DATA_DIR: at("other"), SECRET_KEY: `${SECRET_KEY} ${former}` };
  const rotated = await runOperatorCommand(["rotate-key"], both);
  expect(rotated.output).toContain(
    "1 secret encrypted again, with the first key of SECRET_KEY. Remove the other",
  );
  expect(await runOperatorCommand(["import", at("moved")], { DATA_DIR: at("here") })).toMatchObject({
    code: 0,
  });
  expect((await readSecrets(at("here"))).secrets).toEqual(expected(1));
});

test("a rotation encrypts everything with a new key, and a running server uses it without a restart", async () => {
  await createAccounts(250);
  const before = await readKeyFile(dataDir);
  const box = createSecretBox(() => readKeyFile(dataDir));
  await box.seal("known before", "");
  const rotated = await runOperatorCommand(["rotate-key"], { DATA_DIR: dataDir });
  expect(rotated).toMatchObject({ code: 0, problems: "" });
  expect(rotated.output).toContain("250 secrets encrypted again");
  const after = await readKeyFile(dataDir);
  expect(after).toEqual([expect.any(String), ...before]);
  expect(await readSecrets()).toEqual({ secrets: expected(250), keys: 1 });
  expect(await box.isCurrent(await box.seal("later", ""))).toBe(true);
  await runOperatorCommand(["rotate-key"], { DATA_DIR: dataDir });
  expect(await readKeyFile(dataDir)).toEqual([expect.any(String), after[0] ?? ""]);
  expect(await readSecrets()).toEqual({ secrets: expected(250), keys: 1 });
});

test("a rotation encrypts the access to destinations and unfinished deliveries, and a lost key is named", async () => {
  await startAndStop();
  const open = () => new Database(join(dataDir, "doculopes.db"));
  const box = createSecretBox(() => readKeyFile(dataDir));
  const contexts = [SEALED_CONTEXTS.destination(1), SEALED_CONTEXTS.delivery(1)] as const;
  const sealed = await Promise.all(contexts.map((context) => box.seal("secret", context)));
  const db = open();
  db.run(
    `insert into destinations (workspace_id, kind, name, credentials, delivered_when, folder_rule, include_answers, created_at, updated_at)
     values (1, 'google', 'Drive', ?, 'submitted', '', 1, '', '')`,
    [sealed[0] ?? ""],
  );
  db.run(
    `insert into file_deliveries (destination_id, envelope_id, submitted_at, state_at, session, created_at)
     values (1, 1, '', '', ?, '')`,
    [sealed[1] ?? ""],
  );
  db.close();
  const rotated = await runOperatorCommand(["rotate-key"], { DATA_DIR: dataDir });
  expect(rotated.output).toContain("2 secrets encrypted again");
  const read = open();
  const row = read
    .query(
      "select credentials, session from destinations join file_deliveries on destination_id = destinations.id",
    )
    .get() as { credentials: string; session: string };
  read.close();
  for (const [index, text] of [row.credentials, row.session].entries()) {
    expect(await box.isCurrent(text)).toBe(true);
    expect(await box.open(text, contexts[index] ?? "")).toBe("secret");
  }
  await writeFile(join(dataDir, "secret.key"), "another-key-that-is-not-the-one-of-this\n", { mode: 0o600 });
  expect(await findings()).toEqual(["failure: 1 file destination cannot be used without the former key"]);
});

test("a rotation that is killed at any time loses nothing, and the next one completes it", async () => {
  const ACCOUNTS = 400;
  await createAccounts(ACCOUNTS);
  const random = createRandom(26);
  const started = performance.now();
  await runOperatorCommand(["rotate-key"], { DATA_DIR: dataDir });
  let duration = performance.now() - started;
  let interrupted = 0;
  // Another process may have made the first one, or each of these, slower: it goes on until one was killed halfway.
  for (let round = 0; round < 8 || interrupted === 0; round += 1) {
    const begun = performance.now();
    const child = spawnCommand(["rotate-key"], { DATA_DIR: dataDir });
    await Promise.race([child.exited, Bun.sleep(duration * (0.3 + random.below(60) / 100))]);
    const hasEnded = child.exitCode !== null;
    child.kill("SIGKILL");
    await child.exited;
    const { secrets, keys } = await readSecrets();
    expect(secrets).toEqual(expected(ACCOUNTS));
    if (keys > 1) interrupted += 1;
    else duration = hasEnded ? performance.now() - begun : duration * 1.2;
  }
  expect(await runOperatorCommand(["rotate-key"], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  expect(await readSecrets()).toEqual({ secrets: expected(ACCOUNTS), keys: 1 });
  expect((await readdir(dataDir)).filter((name) => name === "secret.key.next")).toEqual([]);
});

test("a rotation removes the keys that a killed process left, and none that is being written", async () => {
  await startAndStop();
  const [left, ours] = [1, 2].map((part) => `secret.key.next.${"0".repeat(35)}${part}`);
  for (const name of [left, ours]) await writeFile(join(dataDir, String(name)), "a key\n", { mode: 0o600 });
  await utimes(join(dataDir, String(left)), 0, 0);
  expect(await runOperatorCommand(["rotate-key"], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  const names = (await readdir(dataDir)).filter((name) => name.startsWith("secret.key"));
  expect(names.sort()).toEqual(["secret.key", String(ours)]);
});

test("a backup has the keys from before and after a rotation, which drops the oldest", async () => {
  await startAndStop();
  const [first = ""] = await readKeyFile(dataDir);
  const imported = "the-key-of-an-instance-that-was-imported";
  await writeFile(join(dataDir, "secret.key"), `${first}\n${imported}\n`, { mode: 0o600 });
  const variables = readEnvironment({ DATA_DIR: dataDir });
  const keys = await requireSecretKeys(variables);
  expect(await runOperatorCommand(["rotate-key"], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  const [latest = ""] = await readKeyFile(dataDir);
  expect(await readKeyFile(dataDir)).toEqual([latest, first]);
  expect(await keys()).toEqual([latest, first, imported]);
});

test("two rotations at once agree on one key", async () => {
  await createAccounts(150);
  const runs = [1, 2, 3].map(() => runOperatorCommand(["rotate-key"], { DATA_DIR: dataDir }));
  await Promise.all(runs);
  expect((await readSecrets()).secrets).toEqual(expected(150));
});

test("a rotation that ends after the next one has begun leaves the next one's key", async () => {
  await createAccounts(1);
  const { db, close } = await openLibsql({ url: `file:${join(dataDir, "doculopes.db")}` });
  const [former = ""] = await readKeyFile(dataDir);
  const next = "the-key-of-the-next-rotation-which-has-begun";
  let reads = 0;
  const overtaken = new Proxy(db, {
    get(target, name) {
      if (name === "select") reads += 1;
      if (name === "select" && reads === 2)
        for (const [file, keys] of [
          ["secret.key.next", [next]],
          ["secret.key", [next, former]],
        ] as const)
          writeFileSync(join(dataDir, file), `${keys.join("\n")}\n`);
      return Reflect.get(target, name);
    },
  });
  await rotateSecretKey(readEnvironment({ DATA_DIR: dataDir }), overtaken);
  close();
  expect(await readKeyFile(dataDir)).toEqual([next, former]);
  expect(await readFile(join(dataDir, "secret.key.next"), "utf8")).toBe(`${next}\n`);
});

test("doctor says when the key is missing, readable by others, or another one", async () => {
  expect(await findings()).toEqual([
    `ok: there is no ${join(dataDir, "secret.key")} yet; the next start makes it`,
  ]);
  await createAccounts(1);
  const path = join(dataDir, "secret.key");
  expect(await findings()).toEqual([`ok: ${path} decrypts 1 secret in the database; keep a copy of it`]);
  await chmod(path, 0o640);
  expect(await findings()).toEqual([`failure: other users of this machine may read ${path} (0640)`]);
  const another = "another-key-that-is-not-the-one-of-this";
  expect(await findings({ SECRET_KEY: another })).toEqual([
    "failure: it is another one: the authenticator apps of 1 account cannot be used (user1@example.com)",
  ]);
  await rm(path);
  expect(await findings()).toEqual([
    "failure: it is missing: the authenticator apps of 1 account cannot be used (user1@example.com)",
  ]);
  const s3 = {
    S3_ENDPOINT: "http://127.0.0.1:9",
    S3_BUCKET: "b",
    S3_ACCESS_KEY_ID: "k",
    S3_SECRET_ACCESS_KEY: "s",
  };
  const elsewhere = { ...s3, DATA_DIR: at("nowhere"), DATABASE_URL: "http://127.0.0.1:9" };
  expect(await findings(elsewhere)).toEqual([
    "warning: SECRET_KEY is not set, so authenticator apps, confidential answers and file destinations cannot be used",
  ]);
});
