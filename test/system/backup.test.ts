import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { chown, cp, lstat, mkdir, readdir, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { file, write } from "bun";
import { CLIENTS, removeChanged, startLoad } from "../faults/load";
import { noAcknowledgements, problemsOfStore } from "../faults/store-check";
import { createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { largePdfFile, sha256 } from "../support/files/files";
import { spawnServer } from "../support/processes/bun-process";
import { runOperatorCommand, spawnCommand } from "../support/processes/operator-command";
import { type S3Server, startS3Server } from "../support/servers/s3-server";
import { makeFolder } from "../support/temporary-folder";
import { waitFor } from "../support/wait";

setDefaultTimeout(300_000);

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

const folder = makeFolder();
const at = (name: string) => join(folder, name);

test("a backup of a busy server contains everything acknowledged before it", async () => {
  const server = spawnServer({ DATA_DIR: at("live") });
  const load = await startLoad(await server.url);
  await load.warm;
  const before = load.acknowledged();
  const made = await runOperatorCommand(["backup", at("first")], { DATA_DIR: at("live") });
  expect(made).toMatchObject({ code: 0, problems: "" });
  const during = load.acknowledged().files.size - before.files.size;
  await load.stop();
  server.child.kill("SIGTERM");
  expect(await server.child.exited).toBe(0);
  // Otherwise the backup would not be that of a busy server.
  expect(during).toBeGreaterThan(0);
  expect(before.files.size).toBeGreaterThanOrEqual(CLIENTS);

  const after = load.acknowledged();
  expect(after.files.size).toBe(after.envelopes.size);
  removeChanged(before, after);
  expect(await runOperatorCommand(["restore", at("first")], { DATA_DIR: at("restored") })).toMatchObject({
    code: 0,
    problems: "",
    output: `${made.output.replace("written to", "read from")} into ${at("restored/doculopes.db")}`,
  });
  expect(await problemsOfStore(at("restored"), before)).toEqual([]);

  const again = spawnServer({ DATA_DIR: at("restored") });
  const actor = createClient({ fetch, origin: await again.url });
  for (const [email, password] of before.passwords)
    expect((await actor.post("/api/login", { email, password })).status).toBe(200);
  again.child.kill("SIGTERM");
  await again.child.exited;
  expect(await problemsOfStore(at("restored"), before)).toEqual([]);
  expect((await readdir(folder)).sort()).toEqual(["first", "live", "restored"]);
});

test("a restore replaces a database only with --replace, and never one in use", async () => {
  const target = { DATA_DIR: at("restored") };
  const path = at("restored/doculopes.db");
  expect(await runOperatorCommand(["restore", at("first")], target)).toEqual({
    code: 1,
    output: "",
    problems: `There is already a database at ${path}; --replace replaces it with the backup`,
  });
  const server = spawnServer(target);
  const actor = createClient({ fetch, origin: await server.url });
  await actor.post("/api/register", { email: "late@example.com", password: "long enough" });
  expect(await runOperatorCommand(["restore", "--replace", at("first")], target)).toEqual({
    code: 1,
    output: "",
    problems: `The app is still running on ${path}; stop it first`,
  });
  expect((await actor.get("/api/user")).status).toBe(200);
  server.child.kill("SIGTERM");
  await server.child.exited;
  expect((await runOperatorCommand(["restore", "--replace", at("first")], target)).code).toBe(0);
  expect(await problemsOfStore(at("restored"), noAcknowledgements())).toEqual([]);
  const after = spawnServer(target);
  const late = await createClient({ fetch, origin: await after.url }).post("/api/login", {
    email: "late@example.com",
    password: "long enough",
  });
  expect(late.status).toBe(401);
  after.child.kill("SIGTERM");
  await after.child.exited;
});

test("what root restores belongs to the folder's owner", async () => {
  const owner = isRoot ? NOBODY : (process.getuid?.() ?? 0);
  await mkdir(at("owned"), { mode: 0o700 });
  if (isRoot) await chown(at("owned"), NOBODY, NOBODY);
  expect((await runOperatorCommand(["restore", at("first")], { DATA_DIR: at("owned") })).code).toBe(0);
  const names = await readdir(at("owned"), { recursive: true });
  expect(names.length).toBeGreaterThan(CLIENTS);
  for (const name of names) expect([name, (await stat(at(`owned/${name}`))).uid]).toEqual([name, owner]);
  await rm(at("owned"), { recursive: true });
});

test.if(isRoot)("root restores nothing else to the folder's owner than what it has restored", async () => {
  const owner = async (name: string) => (await stat(at(name))).uid;
  await mkdir(at("shared/others"), { recursive: true });
  await write(at("shared/others/file"), "of root");
  await chown(at("shared"), NOBODY, NOBODY);
  const target = { DATA_DIR: at("owned"), DATABASE_URL: `file:${at("shared/doculopes.db")}` };
  expect((await runOperatorCommand(["restore", at("live")], target)).code).toBe(1);
  expect((await runOperatorCommand(["restore", at("first")], target)).code).toBe(0);
  expect(await owner("shared/doculopes.db")).toBe(NOBODY);
  for (const name of ["shared/others", "shared/others/file"])
    expect([name, await owner(name)]).toEqual([name, 0]);
  for (const name of ["owned", "shared"]) await rm(at(name), { recursive: true });
});

test.if(isRoot)("root restores nothing through links of the folder's owner", async () => {
  await mkdir(at("owned"), { mode: 0o700 });
  await mkdir(at("system"), { mode: 0o700 });
  await symlink(at("system"), at("owned/tmp"));
  await chown(at("owned"), NOBODY, NOBODY);
  const refused = await runOperatorCommand(["restore", at("first")], { DATA_DIR: at("owned") });
  expect([refused.code, refused.problems]).toEqual([
    1,
    `${at("owned/tmp")} is a link that root must not follow; run this as nobody: \`runuser -u nobody -- doculopes restore …\``,
  ]);
  await rm(at("owned/tmp"));
  // Left by a killed restore, or made by the owner.
  const [key = ""] = await readdir(at("first/files"));
  await mkdir(at("owned/tmp"));
  await write(at("system/file"), "of the system");
  await symlink(at("system/file"), at(`owned/tmp/${key}`));
  expect((await runOperatorCommand(["restore", at("first")], { DATA_DIR: at("owned") })).problems).toBe("");
  expect(await file(at("system/file")).text()).toBe("of the system");
  expect((await lstat(at(`owned/uploads/${key}`))).isFile()).toBe(true);
  await rm(at("owned"), { recursive: true });
  await rm(at("system"), { recursive: true });
});

test("a database behind a link is replaced where it is, unless root would follow another user's link", async () => {
  await mkdir(at("linked"), { mode: 0o700 });
  await mkdir(at("elsewhere"), { mode: 0o700 });
  await write(at("elsewhere/real.db"), "damaged");
  await symlink(at("elsewhere/real.db"), at("linked/doculopes.db"));
  const replace = () => runOperatorCommand(["restore", "--replace", at("first")], { DATA_DIR: at("linked") });
  expect((await replace()).output).toEndWith(` into ${at("elsewhere/real.db")}`);
  expect((await lstat(at("linked/doculopes.db"))).isSymbolicLink()).toBe(true);
  expect(await problemsOfStore(at("linked"), noAcknowledgements())).toEqual([]);
  if (isRoot) {
    await chown(at("linked"), NOBODY, NOBODY);
    expect((await replace()).problems).toStartWith(
      `${at("linked/doculopes.db")} is a link that root must not follow`,
    );
  }
  for (const name of ["linked", "elsewhere"]) await rm(at(name), { recursive: true });
});

test("a damaged backup, an invalid folder and a killed restore change nothing", async () => {
  const before = await contentOf(at("restored"));
  const target = { DATA_DIR: at("restored") };
  await cp(at("first"), at("damaged"), { recursive: true });
  const [key = ""] = await readdir(at("damaged/files"));
  await write(join(at("damaged/files"), key), "else");
  const damaged = await runOperatorCommand(["restore", "--replace", at("damaged")], target);
  expect(damaged.problems).toEndWith("has changed since it was written");
  expect(damaged.code).toBe(1);
  const none = await runOperatorCommand(["restore", "--replace", at("live")], target);
  expect(none.problems).toEndWith("is not an archive, or an incomplete one: archive.json cannot be read");
  expect(await contentOf(at("restored"))).toEqual(before);

  // Again, should it have ended before it was killed.
  do {
    await rm(at("killed"), { recursive: true, force: true });
    const child = spawnCommand(["restore", at("first")], { DATA_DIR: at("killed") });
    const isRunning = () => exists(at("killed/doculopes.db.restoring"));
    await waitFor("the restore", async () => child.exitCode !== null || (await isRunning()));
    child.kill("SIGKILL");
    await child.exited;
  } while (await exists(at("killed/doculopes.db")));
  expect((await runOperatorCommand(["restore", at("first")], { DATA_DIR: at("killed") })).code).toBe(0);
  expect(await problemsOfStore(at("killed"), noAcknowledgements())).toEqual([]);
});

test("files in an S3 store are backed up from there and restored into another", async () => {
  const keys = { accessKeyId: "key", secretAccessKey: "secret" };
  const [from, to] = [startS3Server("papers", keys), startS3Server("papers", keys)];
  const variables = (dataDir: string, { endpoint }: S3Server) => ({
    DATA_DIR: at(dataDir),
    S3_ENDPOINT: endpoint,
    S3_BUCKET: "papers",
    S3_ACCESS_KEY_ID: keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
  });
  const paper = largePdfFile(3_000_000);
  const server = spawnServer(variables("s3", from));
  const actor = createClient({ fetch, origin: await server.url });
  await actor.post("/api/register", { email: "ada@example.com", password: "long enough" });
  const { body } = await actor.post("/api/requests", ENVELOPE);
  expect((await actor.post(linkOf(body), form({ Contract: paper }))).status).toBe(201);
  expect(await runOperatorCommand(["doctor"], { ...variables("s3", from), PORT: "0" })).toMatchObject({
    code: 0,
  });
  expect((await runOperatorCommand(["backup", at("second/backup")], variables("s3", from))).code).toBe(0);
  server.child.kill("SIGTERM");
  await server.child.exited;

  expect(
    (await runOperatorCommand(["restore", at("second/backup")], variables("s3-restored", to))).code,
  ).toBe(0);
  expect([...to.objects.keys()].sort()).toEqual([...from.objects.keys()].sort());
  const [restored] = to.objects.values();
  expect(await sha256(restored?.bytes ?? new Uint8Array())).toBe(await sha256(paper));
  to.failWith = 500;
  const broken = await runOperatorCommand(["doctor"], { ...variables("s3-restored", to), PORT: "0" });
  expect(broken).toMatchObject({ code: 1, output: expect.stringMatching(/^failure {2}Files: http/m) });
  await Promise.all([from.stop(), to.stop()]);
});

test("a failed backup says why in one line and leaves nothing behind", async () => {
  const rejected = async (folder: string, variables: Record<string, string>) => {
    const { code, problems } = await runOperatorCommand(["backup", folder], variables);
    expect(code).toBe(1);
    return problems;
  };
  expect(await rejected(at("first"), { DATA_DIR: at("live") })).toBe(
    `${at("first")} already exists; name a new folder`,
  );
  expect(await rejected(at("none"), { DATA_DIR: at("nowhere") })).toBe(
    `There is no database at ${at("nowhere/doculopes.db")}; is DATA_DIR the app's folder?`,
  );
  expect(await rejected("/proc/backups/none", { DATA_DIR: at("live") })).toBe(
    "Cannot write to /proc/backups (ENOENT)",
  );
  // Nothing can be removed there either.
  await write(at("no-folder"), "");
  expect(await rejected(at("no-folder/none"), { DATA_DIR: at("live") })).toBe(
    `Cannot write to ${at("no-folder")} (ENOTDIR)`,
  );
  await mkdir(at("emptied"));
  await write(at("emptied/doculopes.db"), "");
  expect(await rejected(at("none"), { DATA_DIR: at("emptied") })).toBe(
    `${at("emptied/doculopes.db")} has no tables; is DATA_DIR the app's folder?`,
  );
  const server = spawnServer({ DATA_DIR: at("emptied") });
  await server.url;
  server.child.kill("SIGTERM");
  await server.child.exited;
  expect((await runOperatorCommand(["backup", at("emptied/backup")], { DATA_DIR: at("emptied") })).code).toBe(
    0,
  );
  await cp(at("live/uploads"), at("emptied/uploads"), { recursive: true });
  expect(await rejected(at("emptied/none"), { DATA_DIR: at("emptied") })).toBe(
    "The file store contains files, but the database has no accounts: is it the app's?",
  );
  expect((await readdir(folder)).filter((name) => name.startsWith("none"))).toEqual([]);
});

const exists = async (path: string) => (await stat(path).catch(() => null)) !== null;

/** The rows that users would miss, and the hash of every file. */
async function contentOf(dataDir: string) {
  const db = new Database(join(dataDir, "doculopes.db"), { readonly: true });
  const rows = ["users", "envelopes", "submissions"].map((table) => db.query(`select * from ${table}`).all());
  db.close();
  const uploads = join(dataDir, "uploads");
  const names = (await readdir(uploads)).sort();
  const files = names.map(async (name) => [name, await sha256(await file(join(uploads, name)).bytes())]);
  return { rows, files: await Promise.all(files) };
}

test("a restore says which rights it brings back, also if they have ended since", async () => {
  const DATA_DIR = at("rights");
  const server = spawnServer({ DATA_DIR });
  const actor = createClient({ fetch, origin: await server.url });
  await actor.post("/api/register", { email: "ada@example.com", password: "a long password" });
  const { body } = await actor.post("/api/tokens", { name: "a program", scope: "read" });
  expect((await runOperatorCommand(["backup", at("with-rights/backup")], { DATA_DIR })).code).toBe(0);
  expect((await actor.delete(`/api/tokens/${body.id}`)).status).toBe(204);
  server.child.kill("SIGTERM");
  await server.child.exited;
  const restored = await runOperatorCommand(["restore", "--replace", at("with-rights/backup")], { DATA_DIR });
  expect([restored.code, restored.output.split("\n").length]).toEqual([0, 2]);
  expect(restored.output).toMatch(
    /\nAs of \S+, also if they have ended since: 1 API token\. .* recipients' links are/,
  );
});

test("a restore for a drill holds every message until its file is removed, and its series ask nobody again", async () => {
  const DATA_DIR = at("drill");
  const first = spawnServer({ DATA_DIR: at("drilled") });
  const owner = createClient({ fetch, origin: await first.url });
  const account = { email: "ada@example.com", password: "a long password" };
  await owner.post("/api/register", account);
  const series = await owner.post("/api/series", {
    ...{ name: "Monthly", every: 1, unit: "month", startOn: "2099-01-31", recipients: [ENVELOPE] },
    envelope: { subject: ENVELOPE.subject, documents: ENVELOPE.documents },
  });
  const path = `/api/series/${series.body.id}`;
  expect((await owner.post(`${path}/run`)).status).toBe(200);
  const backup = at("drill-backups/1");
  expect((await runOperatorCommand(["backup", backup], { DATA_DIR: at("drilled") })).code).toBe(0);
  first.child.kill("SIGTERM");
  await first.child.exited;
  const restored = await runOperatorCommand(["restore", "--hold-mail", backup], { DATA_DIR });
  expect([restored.code, restored.output]).toEqual([0, expect.stringContaining("will send no message")]);
  const mails = () => readdir(join(DATA_DIR, "mail")).catch(() => []);
  for (const isHeld of [true, false]) {
    const server = spawnServer({ DATA_DIR });
    const actor = createClient({ fetch, origin: await server.url });
    await actor.post("/api/login", account);
    if (isHeld) expect((await actor.post("/api/requests", ENVELOPE)).status).toBe(201);
    const { body } = await actor.get(path);
    expect(body).toMatchObject({ pauseReason: "moved", nextOn: "2099-02-28" });
    expect(body.occurrences).toMatchObject([{ number: 1, state: "sent" }]);
    const doctor = await runOperatorCommand(["doctor"], { DATA_DIR, PORT: "0" });
    const sentence = `${join(DATA_DIR, "hold-mail")} exists, so no mail, text message or webhook is sent`;
    expect(doctor.output.includes(sentence)).toBe(isHeld);
    if (!isHeld) await waitFor("the mail", async () => (await mails()).length > 0);
    server.child.kill("SIGTERM");
    await server.child.exited;
    expect((await server.output).includes("messages are held")).toBe(isHeld);
    if (isHeld) expect(await mails()).toEqual([]);
    await rm(join(DATA_DIR, "hold-mail"), { force: true });
  }
});

test("what somebody had comes back with an older backup, however it has ended since", async () => {
  const DATA_DIR = at("ended");
  const server = spawnServer({ DATA_DIR, RATE_LIMITS: "off" });
  const origin = await server.url;
  const signUp = async (name: string, at = origin) => {
    const client = createClient({ fetch, origin: at });
    const { body } = await client.post("/api/register", {
      email: `${name}@example.com`,
      password: "a long password",
    });
    return Object.assign(client, { id: Number(body.id) });
  };
  const owner = await signUp("owner");
  const [{ id: workspaceId }] = (await owner.get("/api/workspaces")).body;
  type Person = Awaited<ReturnType<typeof signUp>>;
  const pathOf = ({ id }: Person) => `/api/workspaces/${workspaceId}/members/${id}`;
  const EVENTS: Record<string, (person: Person) => Promise<{ status: number }>> = {
    removed: (person) => owner.delete(pathOf(person)),
    demoted: (person) => owner.patch(pathOf(person), { role: "viewer" }),
    disabled: ({ id }) => owner.post(`/api/administration/accounts/${id}/disable`),
    deleted: (person) => person.delete("/api/user/account"),
    reset: async (person) => {
      const command = ["users", "reset-password", "reset@example.com", "--link", "--json"];
      const { link } = JSON.parse((await runOperatorCommand(command, { DATA_DIR })).output);
      const token = link.split("/reset/")[1];
      return person.post("/api/password/reset", { token, newPassword: "another password" });
    },
  };
  const people = new Map<string, { person: Person; token: string }>();
  const db = new Database(join(DATA_DIR, "doculopes.db"));
  db.run("pragma busy_timeout = 5000");
  for (const name of Object.keys(EVENTS)) {
    const person = await signUp(name);
    const { body } = await person.post("/api/tokens", { name: "a program", scope: "write" });
    db.run("insert into workspace_members values (?, ?, 'owner', '2026-03-14T09:26:53.000Z')", [
      workspaceId,
      person.id,
    ]);
    people.set(name, { person, token: body.token });
  }
  db.close();
  const statuses = async (at: string) => {
    const found: Record<string, number> = {};
    for (const [name, { token }] of people) {
      const contact = { firstName: "Ada", workspaceId };
      const headers = { authorization: `Bearer ${token}` };
      found[name] = (
        await createClient({ fetch, origin: at }).send("POST", "/api/contacts", contact, headers)
      ).status;
    }
    return found;
  };
  const all = (status: number) => Object.fromEntries(Object.keys(EVENTS).map((name) => [name, status]));
  expect(await statuses(origin)).toEqual(all(201));
  expect((await runOperatorCommand(["backup", at("before-the-end/backup")], { DATA_DIR })).code).toBe(0);
  for (const [name, happen] of Object.entries(EVENTS)) {
    const person = people.get(name)?.person;
    if (person)
      expect([name, (await happen(person)).status]).toEqual([
        name,
        name === "demoted" || name === "disabled" ? 200 : 204,
      ]);
  }
  expect(await statuses(origin)).toEqual({ ...all(401), removed: 404, demoted: 403 });
  server.child.kill("SIGTERM");
  await server.child.exited;
  expect(
    (await runOperatorCommand(["restore", "--replace", at("before-the-end/backup")], { DATA_DIR })).code,
  ).toBe(0);
  const again = spawnServer({ DATA_DIR, RATE_LIMITS: "off" });
  expect(await statuses(await again.url)).toEqual(all(201));
  again.child.kill("SIGTERM");
  await again.child.exited;
});
