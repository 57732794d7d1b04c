import { Database } from "bun:sqlite";
import { beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, chown, lstat, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { $ } from "bun";
import { openLibsql } from "../../db/libsql";
import { version } from "../../package.json";
import { readRevision } from "../../worker/adapters/bun/revision";
import { SERVER } from "../../worker/cli/build";
import { runDoctor } from "../../worker/cli/doctor/doctor";
import { nameVersion } from "../../worker/lib/version";
import { createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { spawnServer, spawnServerWith } from "../support/processes/bun-process";
import { FROM_SOURCE, runCommandLine, runOperatorCommand } from "../support/processes/operator-command";
import { startGateway } from "../support/servers/http-gateway";
import { startOpenIdProvider } from "../support/servers/openid-provider";
import { startS3Server } from "../support/servers/s3-server";
import { startSmtpServer } from "../support/servers/smtp-server";
import { makeFolder } from "../support/temporary-folder";

setDefaultTimeout(300_000);

const ACCOUNT = { email: "ada@example.com", password: "long enough" };
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

const folder = makeFolder();
let count = 0;
let dataDir: string;
beforeEach(() => {
  count += 1;
  dataDir = join(folder, String(count));
});

/** All findings except "ok", as `level subject: text`. */
async function problemsOf(variables: Record<string, string> = {}): Promise<string[]> {
  const findings = await runDoctor({ DATA_DIR: dataDir, PORT: "0", ...variables });
  const noMail = `no mail is sent: each is written to ${dataDir}/mail`;
  const expected = [noMail, "no complete backup is recorded"];
  const problems = findings.filter(({ level, text }) => level !== "ok" && !expected.includes(text));
  for (const { advice } of problems) expect(advice).toMatch(/\w \w/);
  return problems.map(({ level, subject, text }) => `${level} ${subject}: ${text}`);
}

/**
 * A migrated database, changed without the app. Not for a server that is killed later: libSQL closes the file when its
 * statements are collected, and would then remove that server's write-ahead log.
 */
async function databaseWith(change: (db: Database) => unknown = () => {}): Promise<void> {
  await mkdir(join(dataDir, "uploads"), { recursive: true, mode: 0o700 });
  const path = join(dataDir, "doculopes.db");
  const made = await openLibsql({ url: `file:${path}` });
  await made.migrate();
  made.close();
  const db = new Database(path);
  db.run("pragma foreign_keys = off");
  change(db);
  db.close();
}

const USER = `insert into users (email, password, avatar_url, created_at, is_administrator)
  values ('ada@example.com', '', '/uploads/lost.png', '2026-03-14', 1)`;

test("a healthy instance: empty, with a running server, and after the server has stopped", async () => {
  expect(await problemsOf()).toEqual([]);
  const smtp = await startSmtpServer();
  const gateway = startGateway();
  const twilio = { TWILIO_ACCOUNT_SID: "AC1", TWILIO_AUTH_TOKEN: "secret", TWILIO_FROM: "+15550001111" };
  const variables = {
    DATA_DIR: dataDir,
    SMTP_URL: smtp.url,
    MAIL_FROM: "papers@example.com",
    ...twilio,
    TWILIO_API_URL: gateway.url,
    RATE_LIMITS: "on",
  };
  const server = spawnServer(variables);
  const url = await server.url;
  const owner = createClient({ fetch, origin: url });
  await owner.post("/api/register", { email: "ada@example.com", password: "long enough" });
  const { body } = await owner.post("/api/requests", ENVELOPE);
  await owner.post(linkOf(body), form({ Contract: pdfFile() }));

  const running = await runOperatorCommand(["doctor"], { ...variables, PORT: new URL(url).port });
  expect(running).toMatchObject({ code: 0, problems: "" });
  expect(running.output.split("\n").map((line) => line.split(": ", 1)[0])).toEqual([
    "ok       Version",
    "ok       Configuration",
    "ok       Database",
    "ok       Administrators",
    "ok       Files",
    "ok       Secret key",
    "warning  Backup",
    "         → run `backup` each night, as the timer of worker/deploy does, unless something else backs up database and files",
    "ok       Mail",
    "ok       SMS",
    "ok       Server",
  ]);
  expect(running.output).toContain(`runs at http://127.0.0.1:${new URL(url).port}, and is ready`);
  expect(running.output).toContain("text messages go to +1\n");
  expect(gateway.requests).toMatchObject([{ method: "GET", path: "/2010-04-01/Accounts/AC1.json" }]);
  server.child.kill("SIGTERM");
  await server.child.exited;
  await smtp.received();
  const stopped = await runOperatorCommand(["doctor"], { ...variables, PORT: new URL(url).port });
  expect(stopped).toMatchObject({ code: 0, output: expect.stringContaining("Server: no server runs at") });
  expect(await smtp.received()).toEqual([]);
  await gateway.stop();
  await smtp.close();
});

test("the OpenID provider is asked whether it answers, and says that addresses are verified", async () => {
  const provider = await startOpenIdProvider("http://localhost:3000", { isSilent: "entra" });
  const client = { OIDC_CLIENT_ID: "doculopes", OIDC_CLIENT_SECRET: "secret" };
  const oidc = { ...client, OIDC_ISSUER: provider.issuer };
  // Entra ID's claim is enough.
  expect(await problemsOf(oidc)).toEqual([]);
  const silent = await startOpenIdProvider("http://localhost:3000", { isSilent: "entirely" });
  const lacking = `warning Sign-in: ${silent.issuer} answers, but does not list the claim email_verified: nobody's address counts as verified`;
  expect(await problemsOf({ ...oidc, OIDC_ISSUER: silent.issuer })).toEqual([lacking]);
  expect(await problemsOf({ ...oidc, OIDC_ISSUER: silent.issuer, OIDC_TRUST_EMAIL: "on" })).toEqual([]);
  await Promise.all([provider.stop(), silent.stop()]);
  const [down] = await problemsOf(oidc);
  expect(down).toMatch(/^failure Sign-in: http:\S+ cannot be used: /);
});

test("a workspace in which somebody could work and no owner can sign in is reported", async () => {
  const person = (id: number, disabledAt: string) =>
    `insert into users (id, email, password, created_at, is_administrator, disabled_at) values (${id}, 'u${id}@example.com', '', '', ${id === 1}, ${disabledAt})`;
  await databaseWith((db) => {
    for (const [id, disabledAt] of [
      [1, "null"],
      [2, "'2026-03-14'"],
    ] as const)
      db.run(person(id, disabledAt));
    for (const [id, name] of [
      [1, "Shared"],
      [2, "Of somebody disabled"],
      [3, "Healthy"],
    ])
      db.run(
        `insert into workspaces (id, name, user_id, created_at, updated_at) values (${id}, '${name}', ${id === 3 ? 1 : 2}, '', '')`,
      );
    for (const [workspace, user, role] of [
      [1, 2, "owner"],
      [1, 1, "member"],
      [2, 2, "owner"],
      [3, 1, "owner"],
      [3, 2, "member"],
    ])
      db.run(`insert into workspace_members values (${workspace}, ${user}, '${role}', '')`);
  });
  expect(await problemsOf()).toEqual(["warning Workspaces: without an enabled owner: Shared (1)"]);
  const domains = { SIGN_UP: "domains", SIGN_UP_DOMAINS: "acme.example" };
  expect(await problemsOf({ ...domains, SIGN_UP_WORKSPACE: "1" })).toHaveLength(1);
  expect(await problemsOf({ ...domains, SIGN_UP_WORKSPACE: "7" })).toContainEqual(
    expect.stringMatching(/nobody can join the workspace 7, SIGN_UP_WORKSPACE/),
  );
});

test("what is due and not sent, kept back, missed, or paused by an import or a departure is reported", async () => {
  await databaseWith((db) => {
    db.run(
      "insert into envelope_documents (envelope_id, position, name, allowed_file_types, workspace_id, renewal_paused) values (1, 0, 'Passport', '[]', 1, 1)",
    );
    db.run(
      "insert into workspaces (id, name, user_id, created_at, updated_at) values (1, 'Taxes', 1, '', '')",
    );
    db.run(
      `insert into envelopes (user_id, workspace_id, title, description, customer_email, submission_token, status, created_at, updated_at, send_at)
       values (1, 1, '', '', '', 'token', 'scheduled', '', '', '2026-03-14')`,
    );
    for (const [name, dueAt, limitedSince, paused] of [
      ["Late", "2026-03-14", null, null],
      ["Next year's", "9999-03-14", null, null],
      ["Over a limit", "2026-03-14", "2026-03-14", null],
      ["Missed", "9999-03-14", null, null],
      ["Wanted", null, null, "person"],
      ["Moved", null, null, "moved"],
      ["Left", null, null, "left"],
    ] as const)
      db.run(
        `insert into series (workspace_id, address, name, envelope, every, unit, start_on, send_hour, weekend, if_open, due_at, limited_since, paused, created_at, updated_at)
         values (1, '', ?, '{}', 1, 'month', '2026-03-14', 9, 'same', 'send', ?, ?, ?, '', '')`,
        [name, dueAt, limitedSince, paused],
      );
    for (const [number, state] of [
      [1, "sent"],
      [2, "missed"],
    ] as const)
      db.run(
        `insert into series_occurrences (series_id, number, day, state, at) select id, ${number}, '', '${state}', '' from series where name = 'Missed'`,
      );
  });
  expect((await problemsOf()).filter((problem) => problem.includes("Schedules"))).toEqual([
    "warning Schedules: recurring envelopes were due more than an hour ago and were not sent: Late (Taxes)",
    "warning Schedules: recurring envelopes wait for a sending limit, and are missed after a day: Over a limit (Taxes)",
    "warning Schedules: recurring envelopes were missed the last time: Missed (Taxes)",
    "warning Schedules: recurring envelopes are paused, because their account has left, its password was changed, or the data was moved to this server: Moved (Taxes), Left (Taxes)",
    "warning Schedules: 1 scheduled envelope due more than an hour ago",
    "warning Schedules: 1 document will not be asked for again before the end of validity, since an import or a reset",
  ]);
});

test("a clock that is behind the database, or was ahead for a while, is reported", async () => {
  await databaseWith((db) => {
    db.run(
      `insert into envelopes (user_id, workspace_id, title, description, customer_email, submission_token, status, created_at, updated_at, reminded_at)
       values (1, 1, '', '', '', 'token', 'pending', '', '', '9999-03-14T09:00:00.000Z')`,
    );
    db.run("insert into job_runs (job, hour) values ('backup', '9999-03-14T09')");
    db.run("insert into users (email, password, created_at) values ('ada@example.com', '', '')");
  });
  const found = await problemsOf();
  expect(found.filter((problem) => problem.includes("Clock"))).toEqual([
    expect.stringMatching(
      /^warning Clock: the database has entries of 9999-03-14 09:00 UTC, but it is 20.* on this machine$/,
    ),
  ]);
  expect(found).toContain(
    "warning Backup: the last complete one was made in the hour of 9999-03-14 09:00 UTC",
  );
});

test("an invalid value is reported with advice and exits with a failure", async () => {
  const output = await runOperatorCommand(["doctor"], { DATA_DIR: dataDir, RATE_LIMITS: "maybe" });
  expect(output.code).toBe(1);
  expect(output.output.split("\n")).toEqual([
    'failure  Configuration: RATE_LIMITS is "maybe", but must be “on” or “off”',
    "         → correct the variable; nothing else was checked",
  ]);
  expect(output.problems).toBe("1 failure: see the advice above");
});

test("values that are valid alone but not together are warnings", async () => {
  expect(await problemsOf({ RATE_LIMITS: "off", HOST: "0.0.0.0" })).toEqual([
    expect.stringContaining("warning Configuration: HOST is 0.0.0.0, and PUBLIC_URL is not set"),
    expect.stringContaining("RATE_LIMITS is off"),
  ]);
  const unreachable = expect.stringMatching(
    /^warning Server: PUBLIC_URL, https?:\/\/papers\.invalid, cannot be reached from this machine: .*ENOTFOUND/,
  );
  expect(await problemsOf({ PUBLIC_URL: "http://papers.invalid/app" })).toEqual([
    expect.stringContaining("PUBLIC_URL is http"),
    expect.stringContaining("PUBLIC_URL has a path, /app"),
    unreachable,
  ]);
  expect(await problemsOf({ PUBLIC_URL: "https://papers.invalid" })).toEqual([
    expect.stringContaining("TRUSTED_PROXIES is 0"),
    unreachable,
  ]);
  expect(await problemsOf({ PUBLIC_URL: "https://papers.invalid", TRUSTED_PROXIES: "1" })).toEqual([
    unreachable,
  ]);
  expect(await problemsOf({ MAX_FILE_MB: "20", MAX_ENVELOPE_MB: "10", SMTPURL: "smtp://x" })).toEqual([
    expect.stringContaining(
      "warning Configuration: MAX_FILE_MB is 20, but all files of an envelope together have",
    ),
    "warning Configuration: SMTPURL is not a variable of Doculopes, so it has no effect",
  ]);
  expect(await problemsOf({ RESEND_API_KEY: "re_1" })).toEqual([
    expect.stringContaining("mail is sent from no-reply@localhost"),
  ]);
});

test("a file that is not a database, is damaged, or of another version", async () => {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const text = "Not a database, but long enough for one. ".repeat(50);
  await Bun.write(join(dataDir, "doculopes.db"), text, { mode: 0o600 });
  expect(await problemsOf()).toEqual([expect.stringMatching(/^failure Database: .*file is not a database$/)]);

  dataDir += "-orphans";
  await databaseWith((db) =>
    db.run("insert into workspaces (name, user_id, created_at, updated_at) values ('W', 4711, 'x', 'x')"),
  );
  expect(await problemsOf()).toEqual([
    "failure Database: a row of workspaces points to one of users that does not exist",
  ]);
  dataDir += "-newer";
  await databaseWith((db) =>
    db.run("insert into __drizzle_migrations (hash, created_at) values ('', 9999999999999)"),
  );
  expect(await problemsOf()).toEqual([
    expect.stringMatching(/^failure Database: .*: The database was written by a newer version/),
  ]);
  dataDir += "-older";
  await databaseWith((db) =>
    db.run(
      "delete from __drizzle_migrations where created_at > (select min(created_at) from __drizzle_migrations)",
    ),
  );
  expect(await problemsOf()).toEqual([expect.stringMatching(/^warning Database: .*has an older version/)]);
});

test("a locked database", async () => {
  await databaseWith();
  const hold = `const db = new (require("bun:sqlite").Database)(process.argv[1]); db.run("begin immediate");
    console.log("held"); setInterval(() => {}, 1000);`;
  const other = Bun.spawn([process.execPath, "-e", hold, join(dataDir, "doculopes.db")], { stdout: "pipe" });
  await other.stdout.getReader().read();
  expect(await problemsOf()).toEqual([
    expect.stringMatching(/^failure Database: it is not writable: .*locked/),
  ]);
  other.kill();
  await other.exited;
});

test("rows without files, files without rows, and a folder that cannot be written to", async () => {
  await databaseWith((db) => db.run(USER));
  await Bun.write(join(dataDir, "uploads/forgotten.pdf"), "old");
  await Bun.write(join(dataDir, `uploads/${"u".repeat(16)}-1.pdf`), "an upload between its file and its row");
  await databaseWith((db) =>
    db.run("insert into upload_leases (id, key_prefix, bytes, heartbeat) values (?1, ?1, 0, 0)", [
      "u".repeat(16),
    ]),
  );
  expect(await problemsOf()).toEqual([
    "failure Files: 1 file referenced by rows is missing: lost.png",
    "warning Files: 1 file that no row and no upload references",
  ]);
  dataDir += "-file";
  await writeFile(dataDir, "not a folder", { mode: 0o600 });
  expect(await problemsOf({ DATABASE_URL: `file:${folder}/none.db` })).toEqual([
    expect.stringMatching(
      /^failure Files: .* cannot be used: DATA_DIR is .* cannot be written to \(EEXIST\)/,
    ),
  ]);
});

/** Each path below the folder with its owner, mode, time of change and contents. */
async function everythingIn(path: string): Promise<Record<string, string>> {
  const found = await lstat(path).catch(() => null);
  if (!found) return {};
  // The shared memory of processes that have the database open.
  if (path.endsWith("-shm")) return { [path]: String(found.uid) };
  const contents = found.isDirectory() ? "" : Bun.hash(await Bun.file(path).bytes()).toString();
  const own = { [path]: `${found.uid} ${found.mode.toString(8)} ${found.mtimeMs} ${contents}` };
  const names = found.isDirectory() ? await readdir(path) : [];
  return Object.assign(own, ...(await Promise.all(names.map((name) => everythingIn(join(path, name))))));
}

test.if(isRoot)("uploads on another mount than the folders beside, with which no server starts", async () => {
  await mkdir(join(dataDir, "uploads"), { recursive: true });
  await mkdir(join(dataDir, "tmp"));
  await mkdir(join(dataDir, "disk"));
  const problem = `${dataDir}/uploads and ${dataDir}/tmp are on different file systems or mounts, so files cannot be renamed between them`;
  for (const mount of ["mount --bind disk uploads", "mount -t tmpfs tmpfs uploads"]) {
    const inMount = (...command: string[]) => [
      ...["unshare", "--mount", "sh", "-c", `(cd "$1" && ${mount}) && shift && exec "$@"`, "-", dataDir],
      ...command,
    ];
    const variables = { DATA_DIR: dataDir, PORT: "0" };
    const doctor = await runCommandLine(inMount(...FROM_SOURCE, "doctor"), variables);
    expect([doctor.code, doctor.output]).toEqual([
      1,
      expect.stringContaining(`failure  Files: ${problem}\n         → mount the disk at DATA_DIR itself`),
    ]);
    const server = spawnServerWith(inMount(process.execPath, SERVER), variables);
    expect(await server.child.exited).toBe(1);
    expect(await server.problems).toStartWith(`${problem}: mount the disk at DATA_DIR itself`);
  }
  expect((await readdir(join(dataDir, "uploads"))).length).toBe(0);
  expect((await problemsOf()).filter((text) => text.includes("Files"))).toEqual([]);
});

test.if(isRoot)("a full disk is to be freed, whoever owns it", async () => {
  await mkdir(dataDir, { recursive: true });
  const full =
    'mount -t tmpfs -o size=64k tmpfs "$1"; head -c 1m /dev/zero 2>/dev/null >"$1/fill"; shift; exec "$@"';
  const command = ["unshare", "--mount", "sh", "-c", full, "-", dataDir, ...FROM_SOURCE, "doctor"];
  const { output } = await runCommandLine(command, { DATA_DIR: dataDir, PORT: "0" });
  expect(output).toMatch(/Files: .* cannot be used: .*\n\s+→ free some space on its disk/);
});

test("nothing is created and nothing changed, whether the server has never run, runs, or was stopped or killed", async () => {
  const unchanged = async () => {
    const before = await everythingIn(dataDir);
    const { problems } = await runOperatorCommand(["doctor"], { DATA_DIR: dataDir, PORT: "0" });
    expect(problems).toBe("");
    expect(await everythingIn(dataDir)).toEqual(before);
    return Object.keys(before).map((path) => path.slice(dataDir.length));
  };
  expect(await unchanged()).toEqual([]);
  await mkdir(dataDir, { mode: 0o700 });
  expect(await unchanged()).toEqual([""]);
  const first = spawnServer({ DATA_DIR: dataDir });
  await first.url;
  first.child.kill("SIGTERM");
  await first.child.exited;
  const db = new Database(join(dataDir, "doculopes.db"));
  db.run("pragma journal_mode = delete");
  db.close();
  expect(await unchanged()).not.toContain("/doculopes.db-wal");
  const server = spawnServer({ DATA_DIR: dataDir });
  const owner = createClient({ fetch, origin: await server.url });
  expect((await owner.post("/api/register", ACCOUNT)).status).toBe(201);
  expect((await runOperatorCommand(["doctor"], { DATA_DIR: dataDir, PORT: "0" })).problems).toBe("");
  server.child.kill("SIGKILL");
  await server.child.exited;
  expect(await unchanged()).toContain("/doculopes.db-wal");
  const again = spawnServer({ DATA_DIR: dataDir });
  await again.url;
  again.child.kill("SIGTERM");
  await again.child.exited;
  expect(await unchanged()).toContain("/uploads");
});

test("a bucket is left as it is, and a missing server, bucket or key is named in a sentence", async () => {
  await databaseWith((db) => db.run(USER.replace("'/uploads/lost.png'", "null")));
  const credentials = { accessKeyId: "key", secretAccessKey: "secret" };
  const s3 = startS3Server("documents", credentials);
  const variables = {
    ...{ S3_ENDPOINT: s3.endpoint, S3_BUCKET: "documents" },
    ...{ S3_ACCESS_KEY_ID: credentials.accessKeyId, S3_SECRET_ACCESS_KEY: credentials.secretAccessKey },
  };
  s3.afterPut = () => Promise.reject(new Error("An object was stored"));
  expect(await problemsOf(variables)).toEqual([]);
  expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0]);
  const { host } = new URL(s3.endpoint);
  expect(await problemsOf({ ...variables, S3_BUCKET: "other" })).toEqual([
    `failure Files: ${s3.endpoint} other cannot be used: The S3 server ${host} has no bucket “other”: create it, or correct S3_BUCKET`,
  ]);
  expect(await problemsOf({ ...variables, S3_SECRET_ACCESS_KEY: "wrong" })).toEqual([
    expect.stringContaining(
      `The S3 server ${host} rejects the key (SignatureDoesNotMatch): check S3_ACCESS_KEY_ID`,
    ),
  ]);
  await s3.stop();
  expect(await problemsOf(variables)).toEqual([
    expect.stringContaining(`The S3 server ${host} cannot be reached (ECONNREFUSED): check S3_ENDPOINT`),
  ]);
});

test("PUBLIC_URL is asked itself: another version or commit, another program, a redirect, nothing", async () => {
  let response = () => Response.json({ status: "ok", version });
  const proxy = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => response() });
  const PUBLIC_URL = proxy.url.origin;
  expect(await problemsOf({ PUBLIC_URL })).toEqual([]);
  response = () => Response.json({ status: "ok", version: "0.0.9" });
  expect(await problemsOf({ PUBLIC_URL })).toEqual([
    `warning Server: PUBLIC_URL, ${PUBLIC_URL}, leads to a server of version 0.0.9, but this is ${nameVersion(readRevision())}`,
  ]);
  response = () => Response.json({ status: "ok", version, commit: "0123456789ab" });
  expect(await problemsOf({ PUBLIC_URL })).toEqual([
    `warning Server: PUBLIC_URL, ${PUBLIC_URL}, leads to a server of version ${version} (0123456789ab), but this is ${nameVersion(readRevision())}`,
  ]);
  response = () => Response.redirect("https://docs.example.com/api/health", 308);
  expect(await problemsOf({ PUBLIC_URL })).toEqual([
    `warning Server: PUBLIC_URL, ${PUBLIC_URL}, redirects to https://docs.example.com`,
  ]);
  response = () => new Response("Bad Gateway", { status: 502 });
  expect(await problemsOf({ PUBLIC_URL })).toEqual([
    `warning Server: PUBLIC_URL, ${PUBLIC_URL}, answers 502 and does not lead to the server`,
  ]);
  await proxy.stop(true);
  expect(await problemsOf({ PUBLIC_URL })).toEqual([
    expect.stringContaining(`PUBLIC_URL, ${PUBLIC_URL}, cannot be reached from this machine`),
  ]);
});

test("PUBLIC_URL must let uploads through: their chunks and their methods", async () => {
  let rejects = (_: Request): number => 0;
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    maxRequestBodySize: 16 * 1024 * 1024,
    fetch(request) {
      if (request.url.endsWith("/api/health")) return Response.json({ status: "ok", version });
      const status = rejects(request);
      if (status) return new Response("<html>", { status });
      return Response.json(
        { code: "submission_not_found" },
        { status: 404, headers: { "Tus-Resumable": "1.0.0" } },
      );
    },
  });
  const PUBLIC_URL = proxy.url.origin;
  expect(await problemsOf({ PUBLIC_URL })).toEqual([]);
  rejects = ({ headers }) => (Number(headers.get("Content-Length")) > 1024 * 1024 ? 413 : 0);
  expect(await problemsOf({ PUBLIC_URL })).toEqual([
    `warning Server: a proxy before ${PUBLIC_URL} rejects bodies of 8 MB (413), so uploads are slower or fail`,
  ]);
  rejects = ({ method }) => (method === "PATCH" ? 405 : method === "DELETE" ? 501 : 0);
  expect(await problemsOf({ PUBLIC_URL })).toEqual([
    `warning Server: a proxy before ${PUBLIC_URL} rejects PATCH (405), DELETE (501): the recipient's page sends POST instead, other clients fail`,
  ]);
  await proxy.stop(true);
});

test.if(process.getuid?.() === 0)("files of another user than the folder's owner", async () => {
  await databaseWith();
  await mkdir(join(dataDir, "lost+found"));
  for (const name of ["", ...(await readdir(dataDir))])
    if (name !== "uploads" && name !== "lost+found") await chown(join(dataDir, name), NOBODY, NOBODY);
  expect(await problemsOf()).toEqual([
    `failure Permissions: ${dataDir} belongs to nobody, but not all in it: ${dataDir}/uploads (root). A server that runs as nobody may not be able to use it`,
  ]);
  for (const name of ["", ...(await readdir(dataDir))]) await chown(join(dataDir, name), 12345, 12345);
  await chown(join(dataDir, "uploads"), 0, 0);
  const unnamed = (await runDoctor({ DATA_DIR: dataDir, PORT: "0" })).find(
    ({ level }) => level === "failure",
  );
  expect(unnamed?.text).toStartWith(`${dataDir} belongs to user 12345, but not all in it`);
  const [, fix = "", run = ""] =
    unnamed?.advice?.match(/^`(.*)`, and run commands as user 12345: `(.*)`$/) ?? [];
  expect(run).toEndWith(" doculopes …");
  expect((await $`sh -c ${run.replace("doculopes …", "id -u")}`.text()).trim()).toBe("12345");
  await $`sh -c ${fix}`;
  expect((await lstat(join(dataDir, "uploads"))).uid).toBe(12345);
});

test("files and folders that other users of the machine can read", async () => {
  await databaseWith();
  await mkdir(join(dataDir, "uploads"), { recursive: true, mode: 0o700 });
  await Bun.write(join(dataDir, "uploads/hidden.pdf"), "", { mode: 0o644 });
  await chmod(join(dataDir, "doculopes.db"), 0o644);
  await chmod(dataDir, 0o700);
  expect(await problemsOf()).toEqual([
    "failure Files: The file store contains files, but the database has no accounts, so the server does not start",
    "warning Files: 1 file that no row and no upload references",
  ]);
  await chmod(dataDir, 0o755);
  const found = (await problemsOf()).at(-1) ?? "";
  expect(found).toStartWith("warning Permissions: other users of this machine can access ");
  expect(found).toContain(`${dataDir} (0755)`);
  expect(found).toContain("doculopes.db (0644)");
  expect(found).not.toContain("hidden.pdf");
});

test("a disk without space for one file of the maximum size", async () => {
  await databaseWith();
  expect(await problemsOf({ MAX_FILE_MB: "100000" })).toEqual([
    expect.stringMatching(/^(?:failure|warning) Files: only \d+ MB are free, but a file can have 100000 MB$/),
  ]);
});

test("unreachable or misconfigured senders, and an unreachable scanner", async () => {
  const closed = await startSmtpServer();
  await closed.close();
  const from = { MAIL_FROM: "papers@example.com" };
  expect(await problemsOf({ ...from, SMTP_URL: closed.url })).toEqual([
    expect.stringMatching(/^failure Mail: 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/),
  ]);
  // Its certificate is a sample, as that of a new Postfix.
  const sample = await startSmtpServer({ disabledCommands: [] });
  const findings = await runDoctor({ DATA_DIR: dataDir, PORT: "0", ...from, SMTP_URL: sample.url });
  expect(findings.find(({ subject }) => subject === "Mail")).toMatchObject({
    level: "failure",
    text: expect.stringContaining("certificate"),
    advice: expect.stringContaining("add ?ignoreTLS=true"),
  });
  expect(await problemsOf({ ...from, SMTP_URL: `${sample.url}?ignoreTLS=true` })).toEqual([]);
  await sample.close();
  const strict = await startSmtpServer({
    authOptional: false,
    onAuth: (_, __, callback) => callback(new Error("Who are you?")),
  });
  const withPassword = strict.url.replace("//", "//ada:wrong@");
  const [rejection] = await problemsOf({ ...from, SMTP_URL: withPassword });
  expect(rejection).toMatch(/^failure Mail: .*Who are you\?/);
  expect(rejection).not.toContain("wrong");
  await strict.close();

  const gateway = startGateway();
  gateway.respond = () => new Response(null, { status: 401 });
  const twilio = { TWILIO_ACCOUNT_SID: "AC1", TWILIO_AUTH_TOKEN: "wrong", TWILIO_FROM: "+15550001111" };
  expect(await problemsOf({ ...twilio, TWILIO_API_URL: gateway.url })).toEqual([
    "failure SMS: The SMS gateway answered 401",
  ]);
  await gateway.stop();
  const { port } = new URL(closed.url);
  expect(await problemsOf({ CLAMAV_URL: `tcp://127.0.0.1:${port}` })).toEqual([
    expect.stringMatching(/^failure Virus scanner: .* cannot be used/),
  ]);
});

test("a port of another program, and a server that is not ready", async () => {
  let response = () => new Response("Hello");
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => response() });
  const PORT = String(other.port);
  expect(await problemsOf({ PORT })).toEqual([
    `warning Server: another program answers at http://127.0.0.1:${PORT} (200)`,
  ]);
  expect(await runOperatorCommand(["ready"], { PORT })).toMatchObject({
    code: 1,
    problems: expect.any(String),
  });
  response = () => Response.json({ code: "unavailable" }, { status: 503 });
  expect(await problemsOf({ PORT })).toEqual([
    `failure Server: runs at http://127.0.0.1:${PORT}, and is not ready (503)`,
  ]);
  expect((await runOperatorCommand(["ready"], { PORT })).code).toBe(1);
  expect((await runOperatorCommand(["ready", "--running"], { PORT })).code).toBe(0);
  response = () => Response.json({ status: "ready" });
  expect(await runOperatorCommand(["ready"], { PORT })).toMatchObject({ code: 0, problems: "" });
  await other.stop(true);
});

/** An account of each address, with the columns of its passkeys' hosts. */
function accountsWith(db: Database, hosts: Record<string, (string | null)[]>): void {
  for (const [email, rpIds] of Object.entries(hosts)) {
    const { lastInsertRowid } = db.run(
      "insert into users (email, password, created_at) values (?, 'x', '2026-01-01T00:00:00.000Z')",
      [email],
    );
    for (const [index, rpId] of rpIds.entries())
      db.run(
        `insert into passkeys (user_id, credential_id, public_key, counter, name, rp_id, backed_up, created_at)
         values (?, ?, 'x', 0, 'Key', ?, 0, '2026-01-01T00:00:00.000Z')`,
        [Number(lastInsertRowid), `${email} ${index}`, rpId],
      );
  }
}

test("passkeys of another host than that of PUBLIC_URL are reported", async () => {
  const ada = ["docs.example.com", "docs.example.com", null];
  await databaseWith((db) => accountsWith(db, { "ada@example.com": ada, "bea@example.com": [] }));
  const signIn = async (PUBLIC_URL: string) =>
    (await problemsOf({ PUBLIC_URL })).filter((problem) => problem.includes("Sign-in"));
  expect(await signIn("https://docs.example.com")).toEqual([]);
  expect(await signIn("https://docs.example.com:8443")).toEqual([]);
  expect(await signIn("https://new.example.com")).toEqual([
    "warning Sign-in: 2 passkeys of 1 account cannot be used, because PUBLIC_URL had another host than new.example.com",
  ]);
});

test("a policy that leaves nobody, or somebody, no way in is reported", async () => {
  const off = { PASSWORD_SIGN_IN: "off", PUBLIC_URL: "https://docs.example.com" };
  const signIn = async (variables: Record<string, string>) =>
    (await problemsOf(variables)).filter((problem) => /Sign-in: PASSWORD/.test(problem));
  await databaseWith((db) =>
    accountsWith(db, { "ada@example.com": ["docs.example.com"], "bea@example.com": ["old.example.com"] }),
  );
  expect(await signIn(off)).toEqual([
    "warning Sign-in: PASSWORD_SIGN_IN is off, no other sign-in service is configured, and 1 of 2 accounts have no passkey",
  ]);
  expect(await signIn({ ...off, PASSWORD_SIGN_IN: "on" })).toEqual([]);
  expect(await signIn({ ...off, GITHUB_CLIENT_ID: "id", GITHUB_CLIENT_SECRET: "secret" })).toEqual([]);
  const db = new Database(join(dataDir, "doculopes.db"));
  db.run("delete from passkeys");
  // A service that is not configured lets nobody in, even if it is linked.
  db.run("insert into identities values ('github', '1', 1, '2026-01-01T00:00:00.000Z')");
  db.close();
  expect(await signIn(off)).toEqual([
    "failure Sign-in: PASSWORD_SIGN_IN is off, no other sign-in service is configured, and nobody has a passkey: nobody can sign in",
  ]);
});

test("DELIVERY_DIR that is not there, such as a disk that is not mounted", async () => {
  await mkdir(dataDir, { mode: 0o700 });
  const missing = join(dataDir, "nas");
  expect(await problemsOf({ DELIVERY_DIR: missing })).toEqual([
    `failure File destinations: DELIVERY_DIR is ${JSON.stringify(missing)}, but there is no such folder`,
  ]);
  expect(await problemsOf({ DELIVERY_DIR: dataDir })).toEqual([]);
});

test("a folder of DELIVERY_DIR whose disk is not mounted, by the file that was left in it", async () => {
  const nas = join(dataDir, "nas");
  await mkdir(join(nas, "taxes"), { recursive: true, mode: 0o700 });
  await databaseWith((db) => {
    db.run(
      "insert into workspaces (id, name, user_id, created_at, updated_at) values (1, 'Taxes', 1, '', '')",
    );
    for (const [name, settings, state] of [
      ["NAS", { path: "taxes", marker: ".doculopes" }, "active"],
      ["Earlier", { path: "taxes" }, "active"],
      ["Paused", { path: "taxes", marker: ".doculopes" }, "paused"],
    ] as const)
      db.run(
        `insert into destinations (workspace_id, kind, name, settings, delivered_when, folder_rule, include_answers, state, created_at, updated_at)
         values (1, 'folder', ?, ?, 'submitted', '', 1, ?, '', '')`,
        [name, JSON.stringify(settings), state],
      );
  });
  const problems = async () =>
    (await problemsOf({ DELIVERY_DIR: nas })).filter((problem) => problem.includes("File destinations"));
  expect(await problems()).toEqual([
    `failure File destinations: NAS (folder) of the workspace Taxes gets no files, because ${nas}/taxes/.doculopes is not there`,
  ]);
  await writeFile(join(nas, "taxes/.doculopes"), "");
  expect(await problems()).toEqual([]);
});

test("a destination that waits for somebody is named, with the reason", async () => {
  await databaseWith((db) => {
    db.run(
      "insert into workspaces (id, name, user_id, created_at, updated_at) values (1, 'Taxes', 1, '', '')",
    );
    for (const [name, kind, state] of [
      ["Drive", "google", "reconnect"],
      ["SharePoint", "microsoft", "full"],
      ["NAS", "webdav", "active"],
    ] as const)
      db.run(
        `insert into destinations (workspace_id, kind, name, delivered_when, folder_rule, include_answers, state, state_reason, created_at, updated_at)
         values (1, ?, ?, 'submitted', '', 1, ?, 'invalid_grant', '', '')`,
        [kind, name, state],
      );
  });
  const problems = (await problemsOf()).filter((problem) => problem.includes("File destinations"));
  expect(problems).toEqual([
    "warning File destinations: Drive (google) of the workspace Taxes has no access any more, so files wait: invalid_grant",
    "warning File destinations: SharePoint (microsoft) of the workspace Taxes is full, so files wait: invalid_grant",
  ]);
});
