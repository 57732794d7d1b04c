import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { write } from "bun";
import { addPasskey } from "../support/api/authenticator";
import { createClient, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { codeOf } from "../support/api/two-factor";
import { largePdfFile } from "../support/files/files";
import { spawnServer } from "../support/processes/bun-process";
import { FROM_SOURCE, runCommandLine, runOperatorCommand } from "../support/processes/operator-command";
import { makeFolder } from "../support/temporary-folder";

setDefaultTimeout(300_000);

const MIB = 1024 * 1024;
const DAY_MS = 24 * 60 * 60_000;
const folder = makeFolder();
let server: ReturnType<typeof spawnServer>;
let origin: string;
let variables: Record<string, string>;

beforeAll(async () => {
  variables = { DATA_DIR: folder, SIGN_UP: "invite", PUBLIC_URL: "http://localhost" };
  server = spawnServer({ DATA_DIR: folder, SIGN_UP: "invite", RATE_LIMITS: "off" });
  origin = await server.url;
  variables.PUBLIC_URL = origin;
});
afterAll(async () => {
  server.child.kill();
  await server.child.exited;
});

const run = (...args: string[]) => runOperatorCommand(args, variables);
const client = () => createClient({ origin, fetch: (request) => fetch(request) });

/** What the command prints with --json. */
async function json(...args: string[]) {
  const { code, output, problems } = await run(...args, "--json");
  expect([code, problems]).toEqual([0, ""]);
  return JSON.parse(output);
}

/** Why the command failed, as one line. */
async function failure(...args: string[]): Promise<string> {
  const { code, output, problems } = await run(...args);
  expect([code, output]).toEqual([1, ""]);
  expect(problems.split("\n")).toHaveLength(1);
  return problems;
}

async function signedIn(email: string): Promise<SignedUp> {
  const { link } = await json("invite", email, "--link");
  const guest = client();
  const token = link.split("/invite/")[1];
  const { status, body } = await guest.post("/api/invitations/accept", { token, password: "secret" });
  expect(status).toBe(201);
  return Object.assign(guest, { id: body.id, email, password: "secret", workspaceId: 0 });
}

test("an operator manages accounts by commands while the server runs, from invitation to deletion", async () => {
  expect((await run("users", "list")).output).toBe("There are no accounts yet");
  const first = client();
  await first.post("/api/register", { email: "ada@example.com", password: "secret" });
  const guest = await signedIn("bea@example.com");
  const envelope = await sendEnvelope(guest, { subject: "Divorce" });
  const [{ storageBytes: texts }] = await json("users", "list");
  await client().post(linkOf(envelope), form({ Contract: largePdfFile(MIB) }));

  const accounts = await json("users", "list");
  expect(accounts).toMatchObject([
    {
      email: "bea@example.com",
      isAdministrator: false,
      envelopes: 1,
      storageBytes: MIB + texts,
      isVerified: true,
    },
    { email: "ada@example.com", isAdministrator: true },
  ]);
  expect(await json("users", "list", "--search", "BEA")).toHaveLength(1);
  expect((await run("users", "list", "--search", "eve")).output).toBe(
    'No account has "eve" in its address or name',
  );
  expect((await run("users", "list")).output).toMatch(/bea@example\.com +active +1 +1\.0 MB/);
  const secondFactors = { totp: false, passkeys: 0, recoveryCodesLeft: 0 };
  expect(await json("users", "show", "bea@example.com")).toEqual({ ...accounts[0], secondFactors });
  expect((await run("users", "show", String(guest.id))).output).toContain("Storage     1.0 MB, no limit");

  const disabled = await run("users", "disable", "Bea@Example.com");
  expect(disabled.output).toBe("bea@example.com is disabled and signed out everywhere");
  expect((await guest.get("/api/user")).status).toBe(401);
  const login = { email: "bea@example.com", password: "secret" };
  expect((await client().post("/api/login", login)).body.code).toBe("account_disabled");
  expect(await failure("users", "reset-password", "bea@example.com")).toBe(
    "This account is disabled. Please enable it first",
  );
  expect((await run("users", "enable", "bea@example.com")).code).toBe(0);
  expect((await client().post("/api/login", login)).status).toBe(200);

  expect(await json("users", "set-quota", "bea@example.com", "5")).toMatchObject({ storageLimit: 5 * MIB });
  expect(await json("users", "set-quota", "bea@example.com", "unlimited")).toMatchObject({
    storageQuota: -1,
  });
  expect(await json("users", "set-quota", "bea@example.com", "default")).toMatchObject({
    storageQuota: null,
  });

  const reset = await json("users", "reset-password", "bea@example.com", "--link");
  expect(reset.link).toStartWith(`${origin}/reset/`);
  const newPassword = { token: reset.link.split("/reset/")[1], newPassword: "another" };
  expect((await client().post("/api/password/reset", newPassword)).status).toBe(204);

  const shared = (await json("workspaces", "list")).find(
    ({ owner }: { owner: string }) => owner === "bea@example.com",
  );
  expect(shared).toMatchObject({ members: 1, envelopes: 1, storageQuota: null });
  expect((await run("workspaces", "list")).output).toMatch(/bea@example\.com +1 +1 +1\.0 MB +-/);
  const quota = ["workspaces", "set-quota", String(shared.id)];
  expect((await run(...quota, "5")).output).toBe(`The quota of ${shared.name} (${shared.id}) is 5 MB`);
  expect(await json(...quota, "unlimited")).toMatchObject({ storageQuota: null });
  expect(await failure(...quota, "much")).toContain("The quota in MB");
  expect(await failure("workspaces", "set-quota", "999", "5")).toBe(
    "There is no workspace 999; `workspaces list` shows all of them",
  );

  expect(await failure("users", "delete", "bea@example.com")).toBe(
    "This would delete bea@example.com with 1 envelope and 1.0 MB of files and texts in 1 workspace. Nothing was changed; add --yes to delete it for good",
  );
  expect((await run("users", "delete", "bea@example.com", "--yes")).output).toBe(
    "Deleted: bea@example.com with 1 envelope and 1.0 MB of files and texts in 1 workspace. The server removes the files",
  );
  expect(await json("users", "list")).toHaveLength(1);

  const entries = await json("audit");
  expect(entries.map(({ action }: { action: string }) => action)).toEqual([
    "account_deleted",
    "workspace_quota_changed",
    "workspace_quota_changed",
    "password_reset_sent",
    "quota_changed",
    "quota_changed",
    "quota_changed",
    "account_enabled",
    "account_disabled",
    "account_created",
    "invitation_sent",
    "account_created",
  ]);
  expect(entries[0]).toMatchObject({ actor: "command", actorId: null, subject: "bea@example.com" });
  expect((await run("audit", "--limit", "1")).output).toMatch(
    /account_deleted +bea@example\.com +workspaces=1 envelopes=1/,
  );
});

test("the only administrator who has lost phone and password gets back in by two commands", async () => {
  const admin = client();
  const login = { email: "ada@example.com", password: "secret" };
  expect((await admin.post("/api/login", login)).status).toBe(200);
  const { secret } = (await admin.post("/api/two-factor/totp")).body;
  const code = () => codeOf(secret, new Date().toISOString());
  expect((await admin.post("/api/two-factor/totp/confirm", { code: code() })).status).toBe(200);
  await addPasskey(admin, origin);

  expect((await admin.post("/api/tokens", { name: "Backup job", scope: "read" })).status).toBe(201);

  const made = await run("users", "sign-in-link", "Ada@example.com");
  expect(made.output).toContain("what remains is API tokens: Backup job; linked services: none:\n");
  expect((await admin.get("/api/user")).status).toBe(401);
  expect(made.output).toMatch(/^This link signs ada@example\.com in once, until /);
  const { link, expiresAt } = await json("users", "sign-in-link", "ada@example.com");
  expect(Date.parse(expiresAt) - Date.now()).toBeWithin(9 * 60_000, 10 * 60_000);
  const opened = (link: string) => client().post("/api/login/link", { token: link.split("/sign-in/")[1] });
  const earlier = /\S+$/.exec(made.output)?.[0] ?? "";
  expect((await opened(earlier)).body.code).toBe("invalid_token");
  expect((await opened(link)).body.code).toBe("second_factor_required");

  const removed = await run("users", "reset-two-factor", "ada@example.com");
  expect(removed.output).toBe(
    "ada@example.com has no authenticator app, recovery codes or passkeys any more, and is told so by mail. All sessions have ended; what remains is API tokens: Backup job; linked services: none",
  );
  expect(await failure("users", "reset-two-factor", "ada@example.com")).toBe(
    "This account has no second factor or passkey",
  );
  const second = await json("users", "sign-in-link", "ada@example.com");
  const back = client();
  const token = second.link.split("/sign-in/")[1];
  expect((await back.post("/api/login/link", { token })).body.email).toBe("ada@example.com");
  expect((await back.get("/api/two-factor")).body).toMatchObject({ totp: false, passkeys: 0 });
  expect((await back.get("/api/administration/accounts")).status).toBe(200);

  const entries = await json("audit", "--limit", "6");
  expect(entries.map(({ action, actor }: Record<string, string>) => `${action} by ${actor}`)).toEqual([
    "sign_in_link_made by command",
    "two_factor_reset by command",
    "sign_in_link_made by command",
    "sign_in_link_made by command",
    "factor_added by ada@example.com",
    "factor_added by ada@example.com",
  ]);
  const db = new Database(join(folder, "doculopes.db"), { readonly: true });
  const mails = db
    .query(
      "select kind, count(*) as count from notifications where recipient = ? group by kind order by kind",
    )
    .all("ada@example.com");
  db.close();
  expect(mails).toContainEqual({ kind: "sign_in_link_made", count: 3 });
  expect(mails).toContainEqual({ kind: "two_factor_reset", count: 1 });
  for (const command of ["sign-in-link", "reset-two-factor"])
    expect(await failure("users", command, "nobody@example.com")).toContain("nobody@example.com");
});

test("stats count the instance without contents of envelopes", async () => {
  const instance = await json("stats");
  expect(instance).toMatchObject({ signUp: "invite", accounts: { total: 1 }, outbox: { sendsMail: false } });
  const { output } = await run("stats");
  expect(output).toMatch(/^Accounts +1, 1 seen in the last 30 days, 0 disabled$/m);
  expect(output).not.toContain("Divorce");
});

test("the only administrator cannot be disabled or deleted by mistake", async () => {
  for (const [name, ...more] of [["disable"], ["demote"], ["delete", "--yes"]] as const)
    expect(await failure("users", name, "ada@example.com", ...more)).toBe(
      "ada@example.com is the only administrator. Promote another account first, or add --force",
    );
  expect((await run("users", "disable", "ada@example.com", "--force")).code).toBe(0);
  expect((await run("users", "enable", "ada@example.com")).code).toBe(0);
});

test("the only owner of a workspace with members is neither disabled nor deleted, and the workspace is named", async () => {
  const owner = await signedIn("olga@example.com");
  const member = await signedIn("milo@example.com");
  const workspaceId = (await owner.get("/api/workspaces")).body[0].id;
  const db = new Database(join(folder, "doculopes.db"));
  db.run("pragma busy_timeout = 5000");
  db.run("insert into workspace_members values (?, ?, 'member', '')", [workspaceId, member.id]);
  db.close();
  for (const [name, ...more] of [["disable"], ["delete", "--yes"]] as const)
    expect(await failure("users", name, "olga@example.com", ...more)).toBe(
      `Nothing was changed: without this account, nobody who can sign in would own My Workspace (${workspaceId}). Ask its owner to make somebody else an owner, or to remove the other members, first`,
    );
  expect((await owner.get("/api/user")).status).toBe(200);
  expect((await run("users", "show", "milo@example.com")).output).toContain("Workspaces  2, owner of 1");
});

test("an account is created by a command, and administers from its promotion to its demotion", async () => {
  const created = await json("users", "create", "Cleo@Example.com", "--language", "de", "--link");
  expect(created).toMatchObject({ email: "cleo@example.com", isAdministrator: false, isVerified: false });
  const token = created.link.split("/reset/")[1];
  const rows = new Database(join(folder, "doculopes.db"), { readonly: true });
  const { expiresAt } = rows
    .query<{ expiresAt: string }, []>("select max(expires_at) as expiresAt from password_resets")
    .get() ?? { expiresAt: "" };
  rows.close();
  expect(Date.parse(expiresAt) - Date.now()).toBeWithin(6.9 * DAY_MS, 7 * DAY_MS);
  const chosen = await client().post("/api/password/reset", { token, newPassword: "secret" });
  expect(chosen.status).toBe(204);
  const cleo = client();
  const { body } = await cleo.post("/api/login", { email: "cleo@example.com", password: "secret" });
  expect(body).toMatchObject({ isVerified: true, languagePreference: "de", isAdministrator: false });
  expect((await cleo.get("/api/workspaces")).body).toMatchObject([{ name: "My Workspace" }]);
  expect(await failure("users", "create", "cleo@example.com")).toBe(
    "An account with this email already exists",
  );

  expect((await run("users", "promote", "cleo@example.com")).output).toBe(
    "cleo@example.com is an administrator",
  );
  expect((await run("users", "promote", "cleo@example.com")).output).toBe(
    "cleo@example.com is an administrator already",
  );
  expect((await run("users", "enable", "cleo@example.com")).output).toBe("cleo@example.com is not disabled");
  expect((await cleo.get("/api/administration")).status).toBe(200);
  expect((await run("users", "demote", "ada@example.com")).code).toBe(0);
  expect(await failure("users", "demote", "cleo@example.com")).toMatch(/only administrator/);
  expect((await run("users", "promote", "ada@example.com")).code).toBe(0);
  expect((await cleo.post("/api/administration/invitations", { email: "guest@example.com" })).status).toBe(
    201,
  );
  expect((await run("users", "demote", "cleo@example.com")).output).toBe(
    "cleo@example.com is no longer an administrator",
  );
  const db = new Database(join(folder, "doculopes.db"), { readonly: true });
  expect(db.query("select email from invitations where email = 'guest@example.com'").all()).toEqual([]);
  db.close();
  expect((await run("users", "demote", "cleo@example.com")).output).toBe(
    "cleo@example.com is no administrator",
  );
  expect((await cleo.get("/api/administration")).status).toBe(403);
  const second = await json("users", "create", "dora@example.com", "--administrator");
  expect(second).toMatchObject({ isAdministrator: true });
  expect(second.link).toBeUndefined();
  const actions = (await json("audit", "--limit", "7")).map(({ action }: { action: string }) => action);
  expect(actions).toEqual([
    "account_created",
    "account_demoted",
    "invitation_sent",
    "account_promoted",
    "account_demoted",
    "account_promoted",
    "account_created",
  ]);
  for (const email of ["cleo@example.com", "dora@example.com"])
    expect((await run("users", "delete", email, "--yes")).code).toBe(0);
});

test("where mail is configured, nobody administers by an address that a stranger may have registered", async () => {
  await signedIn("eve@example.com");
  const set = (proved: 0 | 1) => {
    const db = new Database(join(folder, "doculopes.db"));
    db.run("pragma busy_timeout = 5000");
    db.run("update users set verified_by_owner = ? where email = 'eve@example.com'", [proved]);
    db.close();
  };
  set(0);
  const mailing = { ...variables, SMTP_URL: "smtp://127.0.0.1:1" };
  const promoted = () => runOperatorCommand(["users", "promote", "eve@example.com"], mailing);
  expect(await promoted()).toEqual({
    code: 1,
    output: "",
    problems:
      "Nobody has proved that eve@example.com is theirs, so a stranger may have registered it. Let its owner confirm it in Settings, or sign in with the link of `users sign-in-link`, first",
  });
  set(1);
  expect((await promoted()).output).toBe("eve@example.com is an administrator");
  expect((await run("users", "delete", "eve@example.com", "--yes")).code).toBe(0);
});

test("an account whose rows are still being deleted is shown as such, is not counted, and cannot be changed", async () => {
  const dataDir = join(folder, "deleting");
  const own = { DATA_DIR: dataDir };
  const started = spawnServer(own);
  await createClient({ origin: await started.url, fetch: (request) => fetch(request) }).post(
    "/api/register",
    {
      email: "ada@example.com",
      password: "secret",
    },
  );
  started.child.kill();
  await started.child.exited;
  const db = new Database(join(dataDir, "doculopes.db"));
  db.run("update users set disabled_at = '2026-03-14', deleted_at = '2026-03-14'");
  db.close();
  const run = (...args: string[]) => runOperatorCommand(args, own);
  expect((await run("users", "list")).output).toMatch(/ada@example\.com +deleting /);
  expect((await run("users", "show", "1")).output).toMatch(/^State +deleting$/m);
  expect((await run("stats")).output).toMatch(/^Accounts +0, 0 seen in the last 30 days, 0 disabled$/m);
  for (const command of [["enable"], ["disable", "--force"], ["reset-password"], ["delete", "--yes"]])
    expect(await run("users", ...command, "ada@example.com")).toMatchObject({
      code: 1,
      problems: "ada@example.com is being deleted; the server finishes it",
    });
});

test("ADMIN_EMAILS alone decides if it is set, and the commands say so", async () => {
  const named = { ...variables, ADMIN_EMAILS: "somebody@example.com" };
  for (const args of [
    ["promote", "ada@example.com"],
    ["demote", "ada@example.com", "--force"],
    ["create", "bea@example.com", "--administrator"],
  ]) {
    const { code, problems } = await runOperatorCommand(["users", ...args], named);
    expect([code, problems]).toEqual([
      1,
      "ADMIN_EMAILS is set and alone decides who administers: change it there and restart, or unset it",
    ]);
  }
  const shown = await runOperatorCommand(["users", "show", "ada@example.com", "--json"], named);
  expect(JSON.parse(shown.output).isAdministrator).toBe(false);
});

test("once the only administrator has deleted the account, ADMIN_EMAILS names another", async () => {
  const data = { DATA_DIR: join(folder, "left"), SIGN_UP: "open" };
  const open = async (more: Record<string, string> = {}) => {
    const started = spawnServer({ ...data, ...more });
    const own = createClient({ origin: await started.url, fetch: (request) => fetch(request) });
    const stop = () => {
      started.child.kill();
      return started.child.exited;
    };
    return { own, stop };
  };
  const account = (name: string) => ({ email: `${name}@example.com`, password: "secret" });
  const doctor = async (more: Record<string, string> = {}) =>
    /Administrators: (.*)/.exec(
      (await runOperatorCommand(["doctor"], { ...data, PORT: "1", ...more })).output,
    )?.[1];

  const before = await open();
  expect(await doctor()).toBeUndefined();
  await before.own.post("/api/register", account("ada"));
  expect(await doctor()).toBe("ada@example.com");
  expect((await before.own.delete("/api/user/account")).status).toBe(204);
  await before.own.post("/api/register", account("bea"));
  expect((await before.own.get("/api/user")).body.isAdministrator).toBe(true);
  await before.own.post("/api/logout");
  await before.own.post("/api/register", account("cleo"));
  const { link } = JSON.parse(
    (await runOperatorCommand(["users", "reset-password", "cleo@example.com", "--link", "--json"], data))
      .output,
  );
  await before.own.post("/api/password/reset", { token: link.split("/reset/")[1], newPassword: "secret" });
  await before.own.post("/api/login", account("bea"));
  expect((await before.own.delete("/api/user/account")).status).toBe(204);
  expect(await doctor()).toBe("no account is an administrator");
  await before.stop();

  const named = { ADMIN_EMAILS: "cleo@example.com" };
  expect(await doctor({ ADMIN_EMAILS: "bea@example.com" })).toStartWith("no account with a verified address");
  expect(await doctor(named)).toBe("cleo@example.com");
  const after = await open(named);
  await after.own.post("/api/login", account("cleo"));
  expect((await after.own.get("/api/administration")).status).toBe(200);
  await after.stop();
});

test.each([
  [["users"], /^Usage: users list \| show/],
  [["users", "rename"], /^Usage: users list \| show/],
  [["users", "show"], /^<email or id> is missing\. Usage: users show <email or id> \[--json\]$/],
  [["users", "show", "nobody@example.com"], /^There is no account nobody@example\.com/],
  [["users", "show", "999"], /^There is no account 999/],
  [["users", "show", "nobody"], /^"nobody" is not an email address$/],
  [["users", "list", "more"], /^Unexpected argument "more"/],
  [["outbox", "--limit", "-1"], /^Option '--limit' argument is ambiguous\. Usage/],
  [["users", "list", "--all"], /^Unknown option '--all'/],
  [["users", "set-quota", "ada@example.com", "-5"], /Usage: users set-quota|must be a whole number/],
  [
    ["users", "set-quota", "ada@example.com", "5.5"],
    /^The quota in MB is "5\.5", but must be a whole number/,
  ],
  [["invite", "ada@example.com"], /^An account with this email already exists$/],
  [["invite", "guest"], /^"guest" is not an email address$/],
  [["invite", "guest@example.com", "--language", "xx"], /^--language is "xx", but must be one of en, fr/],
  [["audit", "--limit", "0"], /^--limit is "0", but must be a whole number from 1 to 1000$/],
  [["stats", "now"], /^Unexpected argument "now"/],
  [["doctor", "now"], /^Unexpected argument "now"\. Usage: doctor$/],
  [["verify", "--sample", ""], /^--sample is empty\. Usage: verify/],
  [["backup", ""], /^<new folder> is missing\. Usage: backup/],
] as [string[], RegExp][])("%p is rejected with a message", async (args, sentence) => {
  expect(await failure(...args)).toMatch(sentence);
});

test("failed messages are listed, shown and sent again by commands", async () => {
  const owner = await signedIn("outi@example.com");
  const { id: envelopeId } = await sendEnvelope(owner, { recipientEmail: "rita@example.com" });
  const edit = (statement: string) => {
    const db = new Database(join(folder, "doculopes.db"));
    db.run("pragma busy_timeout = 5000");
    db.run(statement);
    db.close();
  };
  const failed =
    "status = 'failed', claimed_by = null, attempts = 8, failure = 'refused', last_error = '550 no <rita@example.com>'";
  edit(`update notifications set ${failed} where envelope_id = ${envelopeId}`);
  const [message] = await json("outbox");
  expect(message).toMatchObject({ kind: "invitation", envelopeId, attempts: 8, canRetry: true });
  expect((await run("outbox")).output).toContain("550 no <rita@example.com>");
  const shown = await run("outbox", "show", String(message.id));
  expect(shown.output).toMatch(/^Recipient +rita@example\.com$/m);
  expect((await run("outbox", "retry", String(message.id))).output).toBe(
    `The server sends message ${message.id} again`,
  );
  expect((await run("outbox")).output).toBe("No message has failed");
  edit(`update notifications set ${failed} where envelope_id = ${envelopeId}`);
  await run("outbox", "retry", "--all");
  expect(await json("outbox")).toEqual([]);
  const entries = (await json("audit")).length;
  expect((await run("outbox", "retry", "--all")).output).toBe("No failed message can be sent again");
  expect((await json("audit")).length).toBe(entries);
  expect(await failure("outbox", "retry", "999999")).toContain("There is no message 999999");
  expect(await failure("outbox", "retry", "--all", "7")).toContain('Unexpected argument "7"');
  expect((await json("audit"))[0]).toMatchObject({ action: "messages_retried", actor: "command" });
  edit(`insert into destinations (workspace_id, kind, name, delivered_when, folder_rule, include_answers, created_at, updated_at)
    select workspace_id, 'webdav', 'Nextcloud', 'submitted', '{year}', 0, '2026-03-14', '2026-03-14' from envelopes where id = ${envelopeId}`);
  edit(`insert into file_deliveries (destination_id, envelope_id, page, submitted_at, state, state_at, attempts, failure, failure_text, created_at)
    select max(id), ${envelopeId}, 'manifest.csv', '2026-03-14', 'failed', '2026-03-14', 8, 'unreachable', '503 Maintenance', '2026-03-14' from destinations`);
  expect((await run("outbox")).output).toMatch(/^Nextcloud \(webdav\) .* 8 .*503 Maintenance$/m);
  expect(await json("outbox")).toMatchObject([
    { kind: "file", envelopeId, destination: { name: "Nextcloud" } },
  ]);
});

test("a backup that fails is an alert until one succeeds, and the administrators are mailed once", async () => {
  const alerts = async () => (await json("stats")).alerts.map(({ cause }: { cause: string }) => cause);
  const backups = join(folder, "backups");
  await mkdir(join(backups, "taken"), { recursive: true });
  await write(join(backups, "taken", "notes.txt"), "something else");
  for (let night = 0; night < 2; night += 1) await failure("backup", "--incremental", join(backups, "taken"));
  expect(await alerts()).toEqual(["backup_failed"]);
  const alertOf = async (PORT: string) =>
    (await runOperatorCommand(["alert", "server_failed"], { ...variables, PORT })).output;
  expect(await alertOf(new URL(origin).port)).toBe("The server mails the administrators");
  expect(await alertOf("1")).toContain("The administrators were mailed");
  expect(await alerts()).toEqual(["backup_failed", "server_failed"]);
  expect((await run("backup", "--incremental", join(backups, "first"))).code).toBe(0);
  expect(await alerts()).toEqual(["server_failed"]);
  expect(await failure("alert", "nothing")).toContain("Usage: alert backup_failed | ");
});

test("--help prints the usage, without a database", async () => {
  for (const args of ["", "doctor", "backup", "users", "users list", "quarantine release", "stats"])
    expect(
      await runOperatorCommand([...args.split(" "), "--help"].filter(Boolean), {
        DATA_DIR: join(folder, "none"),
      }),
    ).toEqual({ code: 0, output: expect.stringMatching(new RegExp(`^Usage: ${args}`)), problems: "" });
});

test("nobody can be invited while sign-up is off, and the commands need a database", async () => {
  const off = await runOperatorCommand(["invite", "guest@example.com"], { ...variables, SIGN_UP: "off" });
  expect([off.code, off.problems]).toEqual([1, "Nobody can be invited while sign-up is switched off"]);
  const none = await runOperatorCommand(["stats"], { DATA_DIR: join(folder, "none") });
  expect(none.problems).toMatch(/^There is no database at .*; is DATA_DIR the app's folder\?$/);
});

test("long output reaches a slow reader whole, and what cannot be written fails the command", async () => {
  const db = new Database(join(folder, "doculopes.db"));
  db.run("pragma busy_timeout = 5000");
  db.run(
    "with recursive n(i) as (select 1 union all select i + 1 from n where i < 500) insert into users (email, password, created_at) select i || '@example.org', '', '' from n",
  );
  db.close();
  const list = ["users", "list", "--search", "example.org", "--json"];
  const shell = (redirected: string) =>
    runCommandLine(["sh", "-c", `"$@" ${redirected}`, "-", ...FROM_SOURCE, ...list], variables);
  const { output } = await shell("| { sleep 1; cat; }");
  expect(output.length).toBeGreaterThan(100_000);
  expect(JSON.parse(output)).toHaveLength(500);
  expect(await shell(">/dev/full")).toEqual({
    code: 1,
    output: "",
    problems: "The command is done, but its output cannot be written (ENOSPC)",
  });
  expect((await shell("| head -c 10")).problems).toBe("");
});
