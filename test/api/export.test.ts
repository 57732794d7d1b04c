import { expect, test } from "bun:test";
import { addPasskey, signInByPasskey } from "../support/api/authenticator";
import { createClient, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { setUpTotp } from "../support/api/two-factor";
import { docxFile, largePdfFile, pdfFile, pngFile } from "../support/files/files";
import { readZip } from "../support/files/zip";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { TEST_START } from "../support/runtime/runtime";

const later = (minutes: number) => new Date(Date.parse(TEST_START) + minutes * 60_000).toISOString();

async function exportOf(person: SignedUp) {
  const files = readZip(await person.bytes("/api/user/export"));
  const text = new TextDecoder().decode(files.get("data.json"));
  return { files, text, data: JSON.parse(text) };
}

describeApi("the export of an account", (api) => {
  test("each envelope's files are in a folder with its id and subject, valid on every system", async () => {
    const alice = await api.signUp();
    const subjects = [
      'Tax: "2025" / A\\B?..',
      "../../etc",
      "Steuer 書類\n",
      "x".repeat(300),
      "Papers",
      "Papers",
    ];
    const sent: [number, string][] = [];
    for (const subject of subjects) {
      const envelope = await sendEnvelope(alice, { subject });
      await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
      sent.push([envelope.id, envelope.subject]);
    }
    const { files, data } = await exportOf(alice);
    const folders = [...files.keys()].flatMap((path) => /^files\/([^/]+)\/[^/]+$/.exec(path)?.[1] ?? []);
    const names = ["Tax_ _2025_ _ A_B_", ".._.._etc", "Steuer 書類", "x".repeat(80), "Papers", "Papers"];
    expect(folders.sort()).toEqual(names.map((name, index) => `${sent[index]?.[0]} ${name}`).sort());
    for (const { submissions } of data.envelopes) expect(files.has(submissions[0].file)).toBe(true);
  });

  test("each file's name obeys the rules of every archive", async () => {
    const alice = await api.signUp();
    const names = [
      `${"é".repeat(251)}.pdf`,
      "Re\u0301sume\u0301.pdf",
      "tab\u00ad\u200d: a?.pdf",
      "dots . . .pdf",
      "con.pdf",
    ];
    const documents = names.map((_, index) => ({ name: `Paper ${index}` }));
    const sent = names.map((name, index) => [`Paper ${index}`, pdfFile(name)]);
    const body = form(Object.fromEntries(sent));
    const { status } = await api.anonymous().post(linkOf(await sendEnvelope(alice, { documents })), body);
    expect(status).toBe(201);
    const { files, data } = await exportOf(alice);
    const paths: string[] = data.envelopes[0].submissions.map(({ file }: { file: string }) => file);
    expect(paths.every((path) => files.has(path))).toBe(true);
    const stored = paths.map((path) => path.split("/").at(-1) ?? "");
    expect(stored.map((name) => name.replace(/^\d+ /, ""))).toEqual([
      expect.stringMatching(/^é+\.pdf$/),
      "Résumé.pdf",
      "tab_ a_.pdf",
      "dots.pdf",
      "con.pdf",
    ]);
    for (const name of stored) expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(255);
  });

  test("contains the workspaces that the account owns, not those of which it is a member or viewer", async () => {
    const alice = await api.signUp();
    const { workspaceId } = alice;
    await alice.post("/api/contacts", { workspaceId, firstName: "Rita" });
    await alice.post("/api/templates", { workspaceId, name: "Taxes", fields: [{ name: "Payslip" }] });
    const envelope = await sendEnvelope(alice, { workspaceId });
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));

    const partOf = async (person: SignedUp) => {
      const { files, data } = await exportOf(person);
      const { workspaces, contacts, templates, envelopes } = data;
      const isOwners = workspaces.some(({ id }: { id: number }) => id === workspaceId);
      return [isOwners, ...[contacts, templates, envelopes].map(({ length }) => length), files.size];
    };
    expect(await partOf(await joinAs(api, alice, "viewer"))).toEqual([false, 0, 0, 0, 1]);
    expect(await partOf(await joinAs(api, alice, "member"))).toEqual([false, 0, 0, 0, 1]);
    expect(await partOf(await joinAs(api, alice, "owner"))).toEqual([true, 1, 1, 1, 2]);
  });

  test("contains every file byte for byte, and every row of the account and of no other", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    await sendEnvelope(bob, { subject: "Secret of another" });
    await alice.post("/api/workspaces", { name: "Second" });
    const contact = await alice.post("/api/contacts", { firstName: "Rita", notes: "“quoted”\nlines" });
    const template = await alice.post("/api/templates", { name: "Taxes", fields: [{ name: "Payslip" }] });
    await alice.post("/api/user/avatar", form({ avatar: pngFile() }));
    const documents = [{ name: "Contract" }, { name: "Letter", allowedFileTypes: ["docx"] }];
    const answered = await sendEnvelope(alice, { documents, contactId: contact.body.id });
    const sent = {
      Contract: largePdfFile(1_300_000, 'a "strange" <name>: 1/2.pdf'),
      Letter: docxFile("résumé 日本.docx"),
    };
    await api.anonymous().post(`${linkOf(answered)}/opened`);
    expect((await api.anonymous().post(linkOf(answered), form(sent))).status).toBe(201);
    const open = await sendEnvelope(alice);
    await api.finishBackgroundWork();

    const { files, data, text } = await exportOf(alice);
    expect(data).toMatchObject({
      account: { id: alice.id, email: alice.email, avatarUrl: "picture.png" },
      sessions: [{ current: true, address: "203.0.113.7" }],
      messages: [{ kind: "verification", recipient: alice.email }],
      contacts: [{ id: contact.body.id, firstName: "Rita", notes: "“quoted”\nlines" }],
      templates: [{ id: template.body.id, name: "Taxes" }],
    });
    expect(data.workspaces).toHaveLength(2);
    const byId = new Map(data.envelopes.map((one: { id: number }) => [one.id, one]));
    expect([...byId.keys()]).toEqual([open.id, answered.id]);
    expect(byId.get(open.id)).toMatchObject({ status: "pending", submissions: [], events: { length: 2 } });
    const exported = byId.get(answered.id) as typeof answered;
    expect(exported.events.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...["created", "sent", "opened", "submitted"],
    ]);
    expect(exported.messages.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...["invitation", "submission", "receipt"],
    ]);

    const paths = exported.submissions.map(({ file }: { file: string }) => file);
    expect([...files.keys()].sort()).toEqual(["data.json", "picture.png", ...paths].sort());
    for (const [index, file] of Object.values(sent).entries())
      expect(Buffer.from(await file.bytes()).equals(files.get(paths[index]) ?? Buffer.of())).toBe(true);
    expect(Buffer.from(await pngFile().bytes()).equals(files.get("picture.png") ?? Buffer.of())).toBe(true);
    for (const path of paths) expect(path).toMatch(/^files\/\d+ Papers\/\d+ [^<>:"/\\|?*]+\.(pdf|docx)$/);
    expect(text).not.toContain("Secret of another");
  });

  test("lists what is set up as a second factor", async () => {
    const alice = await api.signUp();
    const none = { authenticatorApp: false, recoveryCodesLeft: 0, rememberedDevices: 0, passkeys: [] };
    expect((await exportOf(alice)).data.secondFactors).toEqual(none);
    await setUpTotp(alice);
    const passkey = await addPasskey(alice, api.origin, "Phone");
    await signInByPasskey(alice, passkey);
    expect((await exportOf(alice)).data.secondFactors).toEqual({
      ...none,
      authenticatorApp: true,
      recoveryCodesLeft: 10,
      passkeys: [{ name: "Phone", createdAt: TEST_START, lastUsedAt: TEST_START }],
    });
  });

  test("contains no credentials", async () => {
    const alice = await api.signUp();
    const app = await setUpTotp(alice);
    const passkey = await addPasskey(alice, api.origin);
    const [stored] = await api.select(`select * from passkeys where user_id = ${alice.id}`);
    const [sealed] = await api.select(`select * from totp where user_id = ${alice.id}`);
    const [code] = await api.select(`select * from recovery_codes where user_id = ${alice.id}`);
    const { submissionToken } = await sendEnvelope(alice);
    await api.anonymous().post("/api/password/forgot", { email: alice.email });
    const { text } = await exportOf(alice);
    const [user] = await api.select(`select * from users where id = ${alice.id}`);
    const [session] = await api.select(`select * from sessions where user_id = ${alice.id}`);
    const [reset] = await api.select(`select * from password_resets where user_id = ${alice.id}`);
    const mails = (await api.mails()).filter(({ to }) => to === alice.email);
    const tokens = mails.flatMap((mail) => mail.text.match(/(?<=\/(?:verify|reset)\/)[\w-]+/g) ?? []);
    expect(tokens.length).toBeGreaterThan(0);
    const secrets = [submissionToken, user?.password, user?.verificationToken ?? user?.verification_token];
    secrets.push(session?.sid, reset?.token_hash, alice.cookie.split("=")[1], ...tokens);
    secrets.push(app.secret, sealed?.sealed_secret, code?.code_hash, app.recoveryCodes[0]);
    secrets.push(passkey.credentialId, stored?.public_key);
    for (const secret of secrets) {
      expect(String(secret).length).toBeGreaterThan(18);
      expect(text).not.toContain(String(secret));
    }
  });

  test("contains several pages of envelopes, as valid JSON", async () => {
    const alice = await api.signUp();
    const ids: number[] = [];
    for (let count = 0; count < 101; count += 1)
      ids.push((await alice.post("/api/requests", { isDraft: true })).body.id);
    const { data } = await exportOf(alice);
    expect(data.envelopes.map(({ id }: { id: number }) => id)).toEqual(ids.toReversed());
  }, 240_000);

  test("contains the whole history of an envelope, however long", async () => {
    const alice = await api.signUp();
    const [short, long] = [await sendEnvelope(alice), await sendEnvelope(alice)];
    const numbers = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2100)";
    await api.execute(`${numbers} insert into envelope_events (envelope_id, kind, actor, detail, at)
      select ${long.id}, 'downloaded', 'requestor', i, '${TEST_START}' from n`);
    await api.execute(`${numbers} insert into notifications
      (user_id, envelope_id, kind, channel, recipient, payload, dedupe_key, status, next_attempt_at, created_at)
      select ${alice.id}, iif(i % 2, ${long.id}, null), 'reminder', 'email', i, '{}', 'many:${long.id}:' || i, 'sent',
        '${TEST_START}', '${TEST_START}' from n`);
    const { data } = await exportOf(alice);
    const added = (rows: { kind: string; detail?: string }[], kind: string) =>
      rows.filter((row) => row.kind === kind);
    const details = added(data.envelopes[0].events, "downloaded").map(({ detail }) => Number(detail));
    expect(details).toEqual(Array.from({ length: 2100 }, (_, index) => index + 1));
    expect(added(data.envelopes[0].messages, "reminder")).toHaveLength(1050);
    expect(added(data.messages, "reminder")).toHaveLength(1050);
    expect(data.envelopes[1]).toMatchObject({ id: short.id, events: { length: 2 } });
  });

  test("is an attachment that is never cached", async () => {
    const { status, headers } = await (await api.signUp()).send("HEAD", "/api/user/export");
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      ...[200, "application/zip", "no-store"],
    ]);
    expect(headers.get("content-disposition")).toStartWith('attachment; filename="doculopes-2026-03-14.zip"');
  });
});

describeApi("the limit of exports", { rateLimits: "on" }, (api) => {
  test("is limited to five an hour", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    for (let count = 0; count < 5; count += 1) expect((await alice.get("/api/user/export")).status).toBe(200);
    const rejected = await alice.get("/api/user/export");
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, "3600"]);
    expect((await bob.get("/api/user/export")).status).toBe(200);
    await api.setClock(later(60));
    expect((await alice.get("/api/user/export")).status).toBe(200);
    await api.setClock(TEST_START);
  });
});

test("an aborted export closes the file it was reading", async () => {
  const runtime = await startBunRuntime();
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "ada@example.com", password: "correct horse" });
  const sent = await sendEnvelope(owner);
  await createClient(runtime).post(linkOf(sent), form({ Contract: largePdfFile(1_300_000) }));
  const { files } = runtime.deps;
  const reads = { opened: 0, closed: 0 };
  runtime.deps.files = {
    ...files,
    async read() {
      reads.opened += 1;
      return new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
        cancel: () => {
          reads.closed += 1;
        },
      });
    },
  };
  const headers = { cookie: owner.cookie };
  const { body } = await runtime.fetch(new Request(`${runtime.origin}/api/user/export`, { headers }));
  const reader = body?.getReader();
  for (let bytes = 0; bytes < 200_000; ) bytes += (await reader?.read())?.value?.length ?? 0;
  await reader?.cancel();
  expect(reads).toEqual({ opened: 1, closed: 1 });
  await runtime.stop();
});
