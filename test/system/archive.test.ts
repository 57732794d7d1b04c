import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { $, file, write } from "bun";
import type { SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { jobRuns } from "../../db/schema";
import { LAST_MIGRATION } from "../../db/version";
import { fingerprintLists, readManifest, writeManifest } from "../../worker/cli/archive/archive-folder";
import { exportArchive } from "../../worker/cli/archive/export-archive";
import { importArchive } from "../../worker/cli/archive/import-archive";
import { verifyArchive } from "../../worker/cli/archive/verify-archive";
import { verifyFiles } from "../../worker/cli/verify";
import { causes } from "../../worker/errors";
import { VERSION } from "../../worker/lib/version";
import type { FileStore } from "../../worker/ports/file-store";
import { createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { addWebhook } from "../support/api/webhooks";
import { forgeRows, replaceRows } from "../support/files/archives";
import { pdfFile, sha256 } from "../support/files/files";
import { MISCOUNTED } from "../support/files/miscounted";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { makeFolder } from "../support/temporary-folder";

let runtime: Awaited<ReturnType<typeof startBunRuntime>>;
let folder: string;

beforeEach(async () => {
  runtime = await startBunRuntime();
  folder = makeFolder();
});
afterEach(async () => {
  await runtime.stop();
});

/** An account with `count` submitted envelopes. */
async function submitted(count: number) {
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "ada@example.com", password: "long enough" });
  const envelopes = [];
  for (let index = 0; index < count; index += 1) {
    const envelope = await sendEnvelope(owner);
    await createClient(runtime).post(linkOf(envelope), form({ Contract: pdfFile() }));
    envelopes.push(envelope);
  }
  return { owner, envelopes };
}

/** The store, with a hook before its `turn`-th read. */
function whileReading(turn: number, happens: () => Promise<unknown>): FileStore {
  let turns = 0;
  return {
    ...runtime.deps.files,
    async read(key) {
      turns += 1;
      if (turns === turn) await happens();
      return runtime.deps.files.read(key);
    },
  };
}

test("an envelope that is deleted during the export is left out with its files", async () => {
  const { owner, envelopes } = await submitted(3);
  const files = whileReading(2, async () => {
    for (const { id } of envelopes.slice(0, 2)) await owner.delete(`/api/requests/${id}`);
    await runtime.finishBackgroundWork();
  });
  let looks = 0;
  const rows = async () => {
    looks += 1;
    return runtime.deps.db;
  };
  const manifest = await exportArchive({ files, rows }, join(folder, "archive"));
  expect(looks).toBe(2);
  expect(manifest).toMatchObject({ files: 1, rows: { envelopes: 1, submissions: 1 } });
  expect(await readdir(join(folder, "archive/files"))).toEqual(await runtime.storedFiles());
  expect(await verifyArchive(join(folder, "archive"))).toEqual(manifest);
});

test("a bulk send that was not finished is not continued by the instance that imports it", async () => {
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "ada@example.com", password: "long enough" });
  const recipients = ["rita", "rolf"].map((name) => ({
    recipientName: name,
    recipientEmail: `${name}@example.com`,
  }));
  const envelope = { subject: "Papers", documents: [{ name: "Contract" }] };
  const { body } = await owner.post("/api/requests/bulk", { envelope, recipients });
  await runtime.finishBackgroundWork();
  await runtime.execute("delete from envelopes where recipient_name = 'rolf'");
  await runtime.execute(
    `update bulk_recipients set state = 'waiting', recipient = '${JSON.stringify({ ...recipients[1], contact: null })}' where position = 1`,
  );
  await runtime.execute(`update bulk_sends set finished_at = null, envelope = '${JSON.stringify(envelope)}'`);
  await exportArchive(
    { files: runtime.deps.files, rows: async () => runtime.deps.db },
    join(folder, "archive"),
  );
  const other = await startBunRuntime();
  await importArchive(other.deps, join(folder, "archive"), { replace: false });
  await other.runJobs();
  await other.finishBackgroundWork();
  const client = createClient(other);
  await client.post("/api/login", { email: "ada@example.com", password: "long enough" });
  expect((await client.get(`/api/requests/bulk/${body.id}`)).body).toMatchObject({
    ...{ total: 2, created: 1, finished: true },
    failed: [{ index: 1, code: "bulk_send_moved", recipientName: "rolf" }],
  });
  expect((await client.get("/api/requests")).body).toHaveLength(1);
  await other.stop();
});

test("a scheduled envelope is a draft in the instance that imports it, and series are paused, which says so until that is read", async () => {
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "ada@example.com", password: "long enough" });
  const { id } = await sendEnvelope(owner, { sendOn: "2026-04-01" });
  const { documents, subject } = ENVELOPE;
  const series = {
    ...{ name: "Monthly", every: 1, unit: "month", startOn: "2026-03-31" },
    ...{ envelope: { documents, subject }, recipients: [ENVELOPE, { ...ENVELOPE, recipientName: "Ben" }] },
  };
  const active = (await owner.post("/api/series", series)).body;
  const paused = (await owner.post("/api/series", { ...series, endOn: "2026-12-31" })).body;
  await owner.patch(`/api/series/${paused.id}`, { paused: true });
  await exportArchive(
    { files: runtime.deps.files, rows: async () => runtime.deps.db },
    join(folder, "archive"),
  );
  const other = await startBunRuntime();
  await importArchive(other.deps, join(folder, "archive"), { replace: false });
  const client = createClient(other);
  await client.post("/api/login", { email: "ada@example.com", password: "long enough" });
  expect((await client.get(`/api/requests/${id}`)).body).toMatchObject({
    ...{ status: "draft", isDraft: true, sendOn: "2026-04-01", sendAt: null },
  });
  const { body: timeline } = await client.get(`/api/requests/${id}/timeline`);
  expect(timeline.at(-1)).toMatchObject({ kind: "not_sent", detail: "moved" });
  const reasonOf = async ({ id }: { id: number }) => (await client.get(`/api/series/${id}`)).body.pauseReason;
  expect([await reasonOf(active), await reasonOf(paused)]).toEqual(["moved", "person"]);
  await other.setClock("2026-04-01T09:00:00.000Z");
  await other.runJobs();
  expect(await other.select("select id from notifications where kind = 'invitation'")).toEqual([]);
  // Whoever goes on sends what is next, and nothing that was planned before.
  for (const { id } of [active, paused]) {
    const { body } = await client.patch(`/api/series/${id}`, { paused: false });
    expect(body).toMatchObject({ paused: false, nextOn: "2026-04-30", recipientCount: 2, occurrences: [] });
  }
  await other.setClock("2026-04-30T09:00:00.000Z");
  await other.runJobs();
  await other.finishBackgroundWork();
  expect((await client.get(`/api/requests?seriesId=${paused.id}`)).body).toHaveLength(2);
  const stopped = async () => {
    const [workspace] = (await client.get("/api/workspaces")).body;
    return [workspace.schedulesStopped, workspace.id];
  };
  const [isStopped, workspaceId] = await stopped();
  expect(isStopped).toBe(true);
  expect((await client.delete(`/api/workspaces/${workspaceId}/stopped-schedules`)).status).toBe(204);
  expect((await stopped())[0]).toBe(false);
  await other.stop();
});

test("what is planned goes on where the backup's own instance is restored, and nobody is asked twice", async () => {
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "ada@example.com", password: "long enough" });
  const { documents, subject } = ENVELOPE;
  const { body } = await owner.post("/api/series", {
    ...{ name: "Monthly", every: 1, unit: "month", startOn: "2026-03-31" },
    ...{ envelope: { documents, subject }, recipients: [ENVELOPE] },
  });
  await sendEnvelope(owner, { sendOn: "2026-05-01" });
  const run = async (at: typeof runtime, time: string) => {
    await at.setClock(time);
    await at.runJobs();
    await at.finishBackgroundWork();
  };
  await run(runtime, "2026-03-31T09:00:00.000Z");
  const { deps } = runtime;
  const { instances } = await exportArchive(
    { files: deps.files, rows: async () => deps.db },
    join(folder, "archive"),
  );
  const other = await startBunRuntime();
  const [instance = ""] = instances;
  await importArchive(other.deps, join(folder, "archive"), { replace: false, instance });
  const client = createClient(other);
  await client.post("/api/login", { email: "ada@example.com", password: "long enough" });
  const sent = async () => [
    (await client.get(`/api/requests?seriesId=${body.id}`)).body.length,
    (await client.get("/api/requests?tab=waiting")).body.length,
  ];
  await run(other, "2026-03-31T10:00:00.000Z");
  expect(await sent()).toEqual([1, 1]);
  await run(other, "2026-04-30T09:00:00.000Z");
  expect(await sent()).toEqual([2, 2]);
  await run(other, "2026-05-01T09:00:00.000Z");
  expect(await sent()).toEqual([2, 3]);
  await other.stop();
});

test("documents are asked for again by the instance that imports them only once somebody goes on", async () => {
  await runtime.setClock("2027-01-25T12:00:00.000Z");
  const account = { email: "ada@example.com", password: "long enough" };
  const owner = createClient(runtime);
  await owner.post("/api/register", account);
  const sent = await sendEnvelope(owner, {
    documents: [{ name: "Passport", asksValidUntil: true, renewDays: 30 }],
  });
  const [{ id }] = sent.documents;
  await createClient(runtime).post(linkOf(sent), form({ Passport: pdfFile() }));
  await owner.patch(`/api/requests/${sent.id}/documents/${id}`, { validUntil: "2027-03-01" });
  await exportArchive(
    { files: runtime.deps.files, rows: async () => runtime.deps.db },
    join(folder, "archive"),
  );
  const other = await startBunRuntime();
  await importArchive(other.deps, join(folder, "archive"), { replace: false });
  const run = async (time: string) => {
    await other.setClock(time);
    await other.runJobs();
    await other.finishBackgroundWork();
  };
  await run("2027-01-30T09:00:00.000Z");
  const client = createClient(other);
  await client.post("/api/login", account);
  const [paused] = (await client.get("/api/documents/expiring?paused=1")).body;
  expect(paused).toMatchObject({ validUntil: "2027-03-01", renewalPaused: true, renewal: null });
  expect((await client.post("/api/documents/expiring/resume", {})).status).toBe(204);
  await run("2027-01-30T10:00:00.000Z");
  expect((await client.get("/api/documents/expiring?paused=1")).body).toEqual([]);
  const [asked] = (await client.get("/api/documents/expiring")).body;
  expect(asked).toMatchObject({ state: "asked", renewalPaused: false });
  expect((await client.get("/api/requests")).body).toHaveLength(2);
  await other.stop();
});

test("a form to fill in and what has it are in an archive, and a missing one is named", async () => {
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "ada@example.com", password: "long enough" });
  const { body } = await owner.post("/api/attachments", form({ file: pdfFile("form.pdf") }));
  const sent = await sendEnvelope(owner, { documents: [{ name: "Contract", attachments: [body.id] }] });
  await exportArchive(
    { files: runtime.deps.files, rows: async () => runtime.deps.db },
    join(folder, "archive"),
  );
  const other = await startBunRuntime();
  await importArchive(other.deps, join(folder, "archive"), { replace: false });
  const path = `${linkOf(sent)}/attachments/${body.id}`;
  expect(await createClient(other).bytes(path)).toEqual(await pdfFile().bytes());
  expect(await other.select("select attachment_id from attachment_uses")).toEqual([
    { attachment_id: body.id },
  ]);
  const [key = ""] = await other.storedFiles();
  await other.deps.files.remove([key]);
  const { problems } = await verifyFiles(other.deps);
  expect(problems).toMatchObject([{ key, owner: "form of workspace 1", problem: "missing" }]);
  await other.stop();
});

test("a missing, a damaged and an unreadable file are named, and all others are exported and imported", async () => {
  await submitted(4);
  const { deps } = runtime;
  const [missing = "", damaged = "", unreadable = "", whole = ""] = await runtime.storedFiles();
  await deps.files.remove([missing]);
  await overwrite(damaged, await flipped(damaged));
  const files: FileStore = {
    ...deps.files,
    read: async (key) => (key === unreadable ? brokenStream() : deps.files.read(key)),
  };
  const archive = join(folder, "archive");

  const manifest = await exportArchive({ files, rows: async () => deps.db }, archive);

  const byKey = ({ problems }: typeof manifest) =>
    Object.fromEntries(problems.map(({ key, problem, owner }) => [key, [problem, owner.split(" ")[0]]]));
  const problems = {
    [missing]: ["missing", "envelope"],
    [damaged]: ["damaged", "envelope"],
    [unreadable]: ["unreadable", "envelope"],
  };
  expect(byKey(manifest)).toEqual(problems);
  expect((await readdir(join(archive, "files"))).sort()).toEqual([damaged, whole].sort());
  const target = await startBunRuntime();
  expect(byKey(await importArchive(target.deps, archive, { replace: false }))).toEqual(problems);
  expect((await target.storedFiles()).sort()).toEqual([damaged, whole].sort());
  await target.stop();
});

test("a store that fails altogether fails the export", async () => {
  await submitted(12);
  const files: FileStore = { ...runtime.deps.files, read: async () => brokenStream() };
  const rows = async () => runtime.deps.db;
  await expect(exportArchive({ files, rows }, join(folder, "archive"))).rejects.toThrow(
    "The file store fails",
  );
  expect(await readdir(folder)).toEqual([]);
});

const brokenStream = () =>
  new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error("EIO: input/output error, read")),
  });

/** The bytes of a stored file with one bit changed. */
async function flipped(key: string): Promise<Uint8Array> {
  const bytes = await new Response(await runtime.deps.files.read(key)).bytes();
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  return bytes;
}

async function overwrite(key: string, bytes: Uint8Array): Promise<void> {
  const writer = await runtime.deps.files.create(key);
  await writer.write(bytes);
  await writer.commit();
}

test("a failed import removes its rows and files, and leaves existing files", async () => {
  await submitted(3);
  const archive = join(folder, "archive");
  const { files } = runtime.deps;
  await exportArchive({ files, rows: async () => runtime.deps.db }, archive);
  const [same = "", other = "", gone = ""] = await runtime.storedFiles();
  const target = await startBunRuntime();
  const put = async (key: string, bytes: Uint8Array) => {
    const writer = await target.deps.files.create(key);
    await writer.write(bytes);
    await writer.commit();
  };
  const bytesOf = async (store: FileStore, key: string) =>
    sha256(await new Response(await store.read(key)).bytes());
  await put(same, await new Response(await files.read(same)).bytes());
  await put(other, new Uint8Array(10));
  await forgeRows(archive, "submissions", /"envelopeId":\d+/, '"envelopeId":4711');

  const failure = await importArchive(target.deps, archive, { replace: false }).catch(causes);
  expect(failure).toContain("FOREIGN KEY constraint failed");
  expect((await target.storedFiles()).sort()).toEqual([same, other].sort());
  expect(await target.storedFiles()).not.toContain(gone);
  for (const key of [same, other])
    expect(await bytesOf(target.deps.files, key)).toBe(await bytesOf(files, key));
  await target.stop();
});

test("an import that fills the disk leaves none of its files there, and says if rows remain", async () => {
  await submitted(3);
  const archive = join(folder, "archive");
  await exportArchive({ files: runtime.deps.files, rows: async () => runtime.deps.db }, archive);
  await forgeRows(archive, "submissions", /"envelopeId":\d+/, '"envelopeId":4711');
  const target = await startBunRuntime();
  const db = new Proxy(target.deps.db, {
    get(full, name) {
      if (name === "delete") throw new Error("database or disk is full");
      return Reflect.get(full, name);
    },
  });
  const failure = await importArchive({ db, files: target.deps.files }, archive, { replace: false }).catch(
    causes,
  );
  expect(failure).toContain("A part of the archive remains");
  expect(await target.storedFiles()).toEqual([]);
  await target.stop();
});

/**
 * An archive of one submitted envelope, changed by `change`. @returns why the import fails, after checking that nothing
 * was imported
 */
async function importChanged(change: (archive: string) => Promise<unknown>): Promise<string> {
  await submitted(1);
  const archive = join(folder, "archive");
  const { files } = runtime.deps;
  await exportArchive({ files, rows: async () => runtime.deps.db }, archive);
  await change(archive);
  const target = await startBunRuntime();
  const reason = await importArchive(target.deps, archive, { replace: true }).then(
    () => "",
    (error: unknown) => String(error),
  );
  expect(await target.select("select count(*) as count from users")).toEqual([{ count: reason ? 0 : 1 }]);
  expect(await target.select(MISCOUNTED)).toEqual([]);
  await target.stop();
  return reason;
}

const CHANGED = /The archive is damaged: .* has changed since it was written/;

test.each<[what: string, table: string, pattern: RegExp, by: string]>([
  ["an e-mail address", "users", /ada@/, "eve@"],
  ["the name of a file", "submissions", /"filePath":"./, '"filePath":"~'],
  ["a number", "envelopes", /"userId":1/, '"userId":2'],
])("rows in which %s was changed are rejected", async (_, table, pattern, by) => {
  expect(await importChanged((archive) => replaceRows(archive, table, pattern, by))).toMatch(CHANGED);
});

test("an archive with a changed list of files is rejected", async () => {
  const reason = await importChanged((archive) => write(join(archive, "files.ndjson"), ""));
  expect(reason).toMatch(CHANGED);
});

test("a row with a file that is not in the list is rejected, even if every hash matches", async () => {
  const reason = await importChanged((archive) =>
    forgeRows(archive, "submissions", /"filePath":"[^"]+"/, '"filePath":"another.pdf"'),
  );
  expect(reason).toMatch(/submissions\.ndjson names the file another\.pdf, which is not in its list/);
});

test("a row whose id is beyond exact numbers is rejected, even if every hash matches", async () => {
  const reason = await importChanged((archive) =>
    forgeRows(archive, "users", /"id":1,/, '"id":9007199254740993,'),
  );
  expect(reason).toMatch(/The archive is damaged: .*users\.ndjson has the number 9007199254740992 as id/);
});

test("last ids that leave no further id are rejected, even if the hash matches", async () => {
  const reason = await importChanged(async (archive) => {
    const manifest = await readManifest(archive);
    await writeManifest(archive, { ...manifest, lastIds: { ...manifest.lastIds, users: 2 ** 63 } });
  });
  expect(reason).toMatch(/The archive is damaged: archive\.json has the number 9223372036854776000 as users/);
});

test("an archive has the secret keys as they are after its rows, which a rotation may have sealed again", async () => {
  const keys = ["the-former-key-of-thirty-two-letters"];
  const rows = async () => {
    keys.unshift("the-latest-key-of-thirty-two-letters");
    return runtime.deps.db;
  };
  const archive = join(folder, "archive");
  await exportArchive({ files: runtime.deps.files, rows, secretKeys: async () => [...keys] }, archive);
  expect(await file(join(archive, "secret.key")).text()).toBe(`${keys.join("\n")}\n`);
  await verifyArchive(archive);
});

test("an import whose last response was lost has succeeded", async () => {
  await submitted(1);
  const archive = join(folder, "archive");
  const manifest = await exportArchive(
    { files: runtime.deps.files, rows: async () => runtime.deps.db },
    archive,
  );
  const target = await startBunRuntime();
  const db = new Proxy(target.deps.db, {
    get(full, name) {
      if (name !== "delete") return Reflect.get(full, name);
      const loseResponse = async (where: SQL) => {
        await full.delete(jobRuns).where(where);
        throw new Error("Server returned HTTP status 502");
      };
      return (table: SQLiteTable) =>
        table === jobRuns
          ? { where: (own: SQL) => ({ returning: () => loseResponse(own) }) }
          : full.delete(table);
    },
  });
  expect(await importArchive({ db, files: target.deps.files }, archive, { replace: false })).toEqual(
    manifest,
  );
  await target.stop();
});

test("an archive whose secret keys no server could use is rejected, even if their hash matches", async () => {
  const reason = await importChanged(async (archive) => {
    const path = join(archive, "secret.key");
    const keys = "short\n";
    await write(path, keys);
    const secretKeys = { size: keys.length, sha256: await sha256(new Blob([keys])) };
    await writeManifest(archive, { ...(await readManifest(archive)), secretKeys });
  });
  expect(reason).toMatch(/The archive is damaged: .*secret\.key has no usable keys/);
});

test("a changed manifest and one without its hash are rejected", async () => {
  const changed = (archive: string) => join(archive, "archive.json");
  const sentence = /archive\.json does not match archive\.json\.sha256/;
  const edited = await importChanged(async (archive) =>
    write(changed(archive), (await file(changed(archive)).text()).replace('"users": 1', '"users": 0')),
  );
  expect(edited).toMatch(sentence);
});

test.each([
  ["incomplete", (text: string) => text.slice(0, -20)],
  ["of the first version and incomplete", () => '{ "format": 1, "rows"'],
  ["of the first version and without anything else", () => '{ "format": 1, "x": 1 }'],
  ["empty", () => ""],
  ["that of nothing", () => "null"],
  ["without rows", (text: string) => text.replace('"rows"', '"row"')],
])("a manifest that is %s is rejected with a sentence, also if its hash is right", async (_, change) => {
  const reason = await importChanged(async (archive) => {
    const text = change(await file(join(archive, "archive.json")).text());
    await write(join(archive, "archive.json"), text);
    const hash = await sha256(new TextEncoder().encode(text));
    await write(join(archive, "archive.json.sha256"), `${hash}  archive.json\n`);
  });
  expect(reason).toMatch(
    /The archive is damaged: archive\.json is incomplete or was changed|The archive was written by version 0\.1 /,
  );
});

test.each(["archive.json", "archive.json.sha256", "files.ndjson", "rows/users.ndjson", "files"])(
  "a pipe in place of %s does not hold up an import",
  async (name) => {
    const reason = await importChanged(async (archive) => {
      const [key = ""] = await readdir(join(archive, "files"));
      const path = join(archive, name === "files" ? `files/${key}` : name);
      await rm(path);
      await $`mkfifo ${path}`;
    });
    expect(reason).toMatch(/The archive is damaged: .* is not a regular file/);
  },
);

test("the manifest has version and schema, and sha256sum can verify it", async () => {
  await submitted(1);
  const archive = join(folder, "archive");
  const manifest = await exportArchive(
    { files: runtime.deps.files, rows: async () => runtime.deps.db },
    archive,
  );
  expect(manifest).toMatchObject({ format: 2, version: VERSION, migration: LAST_MIGRATION });
  const check = Bun.spawnSync(["sha256sum", "--check", "archive.json.sha256"], { cwd: archive });
  expect(check.exitCode).toBe(0);
});

test("an archive of an earlier migration is imported; missing columns take their defaults, or are counted", async () => {
  const reason = await importChanged(async (archive) => {
    const manifest = await readManifest(archive);
    await replaceRows(archive, "envelopeDocuments", /,"multiple":\w+/g, "");
    await replaceRows(archive, "envelopes", /,"fileBytes":\w+/g, "");
    await writeManifest(archive, {
      ...manifest,
      migration: "0000_start",
      lists: await fingerprintLists(archive, Object.keys(manifest.rows)),
    });
  });
  expect(reason).toBe("");
});

test("destinations are paused by whoever imports them, and go on where their own backup is restored", async () => {
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "dest@example.com", password: "long enough" });
  const [workspace] = (await owner.get("/api/workspaces")).body;
  await runtime.execute(
    `insert into destinations (workspace_id, kind, name, settings, delivered_when, folder_rule, include_answers, created_at, updated_at)
     values (${workspace.id}, 'webdav', 'NAS', '{}', 'submitted', '', 0, '', '')`,
  );
  const { deps } = runtime;
  const { instances } = await exportArchive(
    { files: deps.files, rows: async () => deps.db },
    join(folder, "archive"),
  );
  const states = async (instance?: string) => {
    const other = await startBunRuntime();
    await importArchive(other.deps, join(folder, "archive"), {
      replace: false,
      ...(instance && { instance }),
    });
    const rows = await other.select("select state from destinations");
    await other.stop();
    return rows;
  };
  expect(await states()).toEqual([{ state: "paused" }]);
  expect(await states("another")).toEqual([{ state: "paused" }]);
  expect(await states(instances[0])).toEqual([{ state: "active" }]);
});

test("what waits for webhooks goes on where its own backup is restored, and whoever imports it can send it again", async () => {
  const account = { email: "ada@example.com", password: "long enough" };
  const owner = createClient(runtime);
  await owner.post("/api/register", account);
  const { id } = await addWebhook(owner);
  const sent = await sendEnvelope(owner);
  await owner.delete(`/api/requests/${sent.id}`);
  await runtime.execute("update webhook_deliveries set status = 'pending', next_attempt_at = created_at");
  const { body: token } = await owner.post("/api/tokens", { name: "a program", scope: "write" });
  const callOf = ({ origin, fetch }: Pick<typeof runtime, "origin" | "fetch">) =>
    createClient({ origin, fetch }).send("POST", "/api/requests", ENVELOPE, {
      authorization: `Bearer ${token.token}`,
      "Idempotency-Key": "order-1",
    });
  const { body: ordered } = await callOf(runtime);
  const { deps } = runtime;
  const { instances } = await exportArchive(
    { files: deps.files, rows: async () => deps.db },
    join(folder, "archive"),
  );
  const [waiting] = await runtime.select(
    "select message_id, data from webhook_deliveries join webhook_snapshots using (envelope_id)",
  );
  const statesOf = async (instance?: string) => {
    const other = await startBunRuntime();
    await importArchive(other.deps, join(folder, "archive"), {
      replace: false,
      ...(instance && { instance }),
    });
    expect((await callOf(other)).body.id).toBe(ordered.id);
    const client = createClient(other);
    await client.post("/api/login", account);
    const path = `/api/webhooks/${id}/deliveries`;
    const states = (await client.get(path)).body.map(({ status }: { status: string }) => status);
    const [row] = await other.select(
      "select message_id, data from webhook_deliveries join webhook_snapshots using (envelope_id)",
    );
    expect(row).toEqual(waiting);
    await other.stop();
    return states;
  };
  expect(await statesOf()).toEqual(["failed"]);
  expect(await statesOf("another")).toEqual(["failed"]);
  expect(await statesOf(instances[0])).toEqual(["pending"]);
});

test("an envelope that is deleted right after an import elsewhere has no earlier events sent again", async () => {
  const account = { email: "ada@example.com", password: "long enough" };
  const owner = createClient(runtime);
  await owner.post("/api/register", account);
  await addWebhook(owner, ["request.sent", "request.deleted"]);
  const sent = await sendEnvelope(owner);
  await runtime.execute("update webhook_deliveries set status = 'delivered', next_attempt_at = null");
  const { deps } = runtime;
  await exportArchive({ files: deps.files, rows: async () => deps.db }, join(folder, "archive"));
  const other = await startBunRuntime();
  await importArchive(other.deps, join(folder, "archive"), { replace: false });
  const client = createClient(other);
  await client.post("/api/login", account);
  await client.delete(`/api/requests/${sent.id}`);
  const waiting = await other.select("select event from webhook_deliveries where status = 'pending'");
  expect(waiting).toEqual([{ event: "request.deleted" }]);
  await other.stop();
});
