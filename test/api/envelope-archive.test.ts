import { expect, test } from "bun:test";
import { csvLine } from "../../worker/contract/csv-line";
import { describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { docxFile, largePdfFile, sha256 } from "../support/files/files";
import { readZip } from "../support/files/zip";

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

describeApi("the archive of an envelope", (api) => {
  const DOCUMENTS = [{ name: "Passport" }, { name: "=SUM(A1)", allowedFileTypes: ["docx"] }];
  async function answered(owner: SignedUp, changes: object = {}) {
    const envelope = await sendEnvelope(owner, { documents: DOCUMENTS, ...changes });
    const sent = { Passport: largePdfFile(600_000, "scan.pdf"), "=SUM(A1)": docxFile('a "b", c.docx') };
    expect((await api.anonymous().post(linkOf(envelope), form(sent))).status).toBe(201);
    return { envelope: (await owner.get(`/api/requests/${envelope.id}`)).body, sent };
  }

  test("contains every file byte for byte under its name by the rule, and a manifest", async () => {
    const alice = await api.signUp();
    const { envelope, sent } = await answered(alice);
    const response = await alice.send("HEAD", `/api/requests/${envelope.id}/files.zip`);
    expect(response.headers.get("content-type")).toBe("application/zip");
    expect(response.headers.get("content-disposition")).toContain('filename="Papers - Rita Recipient.zip"');
    const files = readZip(await alice.bytes(`/api/requests/${envelope.id}/files.zip`));
    expect([...files.keys()]).toEqual([
      ...["manifest.csv", "Passport - Rita Recipient.pdf", "=SUM(A1) - Rita Recipient.docx"],
    ]);
    for (const [index, file] of Object.values(sent).entries())
      expect(Buffer.from(await file.bytes()).equals([...files.values()][index + 1] ?? Buffer.of())).toBe(
        true,
      );
    const [passport, letter] = envelope.submissions;
    expect(text(files.get("manifest.csv"))).toBe(
      "document,file,original name,bytes,sha256,uploaded at\r\n" +
        `Passport,Passport - Rita Recipient.pdf,scan.pdf,${sent.Passport.size},${passport.sha256 ?? ""},${passport.createdAt}\r\n` +
        `'=SUM(A1),'=SUM(A1) - Rita Recipient.docx,"a ""b"", c.docx",${letter.fileSize},${letter.sha256 ?? ""},${letter.createdAt}\r\n`,
    );
    expect([...(files.get("manifest.csv") ?? [])].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf]);
  });

  test("a manifest has the words and the separator of the account's language", async () => {
    const owner = await api.signUp();
    await owner.patch("/api/user/profile", { languagePreference: "de" });
    const { envelope } = await answered(owner);
    const lines = async (path: string) =>
      text(readZip(await owner.bytes(path)).get("manifest.csv")).split("\r\n");
    const [head, passport, letter] = await lines(`/api/requests/${envelope.id}/files.zip`);
    expect(head).toBe("Dokument;Datei;Ursprünglicher Name;Bytes;SHA-256;Hochgeladen am");
    expect(passport).toStartWith("Passport;Passport - Rita Recipient.pdf;scan.pdf;");
    expect(letter).toContain(`;"a ""b"", c.docx";`);
    const [several] = await lines(`/api/requests/files.zip?ids=${envelope.id}`);
    expect(several).toStartWith("Betreff;Empfänger;Dokument;");
    // Elsewhere, a comma ends a cell, whatever the quotes.
    expect(csvLine(["a", "b, =1"], ";")).toBe(`a;"b, '=1"\r\n`);
  });

  test.each([..."=+-@＝＋－＠"])("a manifest's text that begins with %s is marked as text", (sign) => {
    expect(csvLine([`${sign}1+1`])).toBe(`'${sign}1+1\r\n`);
  });

  test.each([
    ["Passport;=1+1", '"Passport;\'=1+1"'],
    ["Passport\t@SUM(A1)", '"Passport\t\'@SUM(A1)"'],
    ["a; -1;+1", "\"a; '-1;'+1\""],
    ['a;"=1+1"', '"a;""\'=1+1"""'],
    ["a\n=1+1", '"a\n\'=1+1"'],
    ["2+2=4; well", '"2+2=4; well"'],
  ])("a formula behind a separator of other spreadsheets is marked as text: %j", (name, listed) => {
    expect(csvLine([name])).toBe(`${listed}\r\n`);
  });

  test("files stored before hashes were recorded are hashed while they are streamed, and the manifest comes last", async () => {
    const alice = await api.signUp();
    const { envelope, sent } = await answered(alice);
    const [passport] = envelope.submissions;
    await api.execute(`update submissions set sha256 = null where id = ${passport.id}`);
    const files = readZip(await alice.bytes(`/api/requests/${envelope.id}/files.zip`));
    expect([...files.keys()].at(-1)).toBe("manifest.csv");
    const listed = text(files.get("manifest.csv"));
    expect(listed).toContain(`,${await sha256(sent.Passport)},${passport.createdAt}`);
    expect(listed).toContain(`,${await sha256(sent["=SUM(A1)"])},`);
  });

  test("uses the workspace's own rule, which can be reset", async () => {
    const alice = await api.signUp();
    const { envelope } = await answered(alice);
    const workspace = `/api/workspaces/${alice.workspaceId}`;
    const names = async () => [
      ...readZip(await alice.bytes(`/api/requests/${envelope.id}/files.zip`)).keys(),
    ];
    const rule = "{date} {subject}/{document} {original} {n}";
    expect((await alice.patch(workspace, { fileNameRule: rule })).body.fileNameRule).toBe(rule);
    expect((await names())[1]).toBe("2026-03-14 Papers_Passport scan 1.pdf");
    expect((await alice.patch(workspace, { retentionDays: 30 })).body.fileNameRule).toBe(rule);
    expect((await alice.patch(workspace, { fileNameRule: " " })).body.fileNameRule).toBeNull();
    expect((await names())[1]).toBe("Passport - Rita Recipient.pdf");
    for (const wrong of ["{name}", "x".repeat(201)]) {
      const { status, body } = await alice.patch(workspace, { fileNameRule: wrong });
      expect([status, body.issues[0].path]).toEqual([400, "fileNameRule"]);
    }
  });

  test("is available only to the owner, and only if there is a file", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const { envelope } = await answered(alice);
    const open = await sendEnvelope(alice);
    expect((await bob.get(`/api/requests/${envelope.id}/files.zip`)).status).toBe(404);
    expect((await alice.get(`/api/requests/${open.id}/files.zip`)).body.code).toBe("no_files");
  });

  test("leaves out replaced files unless they are requested", async () => {
    const alice = await api.signUp();
    const { envelope } = await answered(alice);
    const [{ id }] = envelope.documents;
    const path = `/api/requests/${envelope.id}`;
    await alice.post(`${path}/review`, { return: [{ documentId: id, reason: "Blurry" }] });
    const better = { Passport: largePdfFile(700_000, "better.pdf") };
    expect((await api.anonymous().post(linkOf(envelope), form(better))).status).toBe(201);
    const sizes = async (query: string) =>
      [...readZip(await alice.bytes(`${path}/files.zip${query}`))]
        .filter(([name]) => name.startsWith("Passport"))
        .map(([name, bytes]) => [name, bytes.length]);
    expect(await sizes("")).toEqual([["Passport - Rita Recipient.pdf", 700_000]]);
    expect(await sizes("?superseded=1")).toEqual([
      ["Passport - Rita Recipient 1.pdf", 600_000],
      ["Passport - Rita Recipient 2.pdf", 700_000],
    ]);
  });

  test("a download is recorded in the timeline, once for each document", async () => {
    const alice = await api.signUp();
    const { envelope } = await answered(alice);
    await alice.bytes(`/api/requests/${envelope.id}/files.zip`);
    await api.finishBackgroundWork();
    const { body } = await alice.get(`/api/requests/${envelope.id}/timeline`);
    const downloads = body.filter(({ kind }: { kind: string }) => kind === "downloaded");
    expect(downloads.map(({ detail }: { detail: string }) => detail)).toEqual(["Passport", "=SUM(A1)"]);
  });

  test("of several envelopes has a folder for each with files, and one manifest", async () => {
    const alice = await api.signUp();
    const same = [(await answered(alice)).envelope, (await answered(alice)).envelope];
    const nasty = (await answered(alice, { subject: `../a\\b:${"é".repeat(300)}`, recipientName: "CON" }))
      .envelope;
    const empty = await sendEnvelope(alice);
    const path = `/api/requests/files.zip?ids=${[nasty.id, ...same.map(({ id }) => id), empty.id, nasty.id]}`;
    const head = await alice.send("HEAD", path);
    expect(head.headers.get("content-disposition")).toContain('filename="envelopes 2026-03-14.zip"');
    const files = readZip(await alice.bytes(path));
    const names = [...files.keys()];
    expect(names[0]).toBe("manifest.csv");
    expect(names.slice(3)).toEqual([
      "Papers - Rita Recipient/Passport - Rita Recipient.pdf",
      "Papers - Rita Recipient/=SUM(A1) - Rita Recipient.docx",
      "Papers - Rita Recipient (2)/Passport - Rita Recipient.pdf",
      "Papers - Rita Recipient (2)/=SUM(A1) - Rita Recipient.docx",
    ]);
    for (const name of names.slice(1, 3)) {
      expect(name.split("/")).toHaveLength(2);
      expect(name).not.toMatch(/[\\:]|\.\./);
      expect(Buffer.byteLength(name.split("/")[0] ?? "")).toBeLessThan(200);
    }
    const lines = text(files.get("manifest.csv")).split("\r\n");
    expect(lines[0]).toBe("subject,recipient,document,file,original name,bytes,sha256,uploaded at");
    expect(lines[3]).toStartWith(
      "Papers,Rita Recipient,Passport,Papers - Rita Recipient/Passport - Rita Recipient.pdf,scan.pdf,600000,",
    );
    expect(lines).toHaveLength(8);
    await api.finishBackgroundWork();
    for (const { id } of [nasty, ...same]) {
      const { body } = await alice.get(`/api/requests/${id}/timeline`);
      const downloads = body.filter(({ kind }: { kind: string }) => kind === "downloaded");
      expect(downloads.map(({ detail }: { detail: string }) => detail)).toEqual(["Passport", "=SUM(A1)"]);
    }
  });

  test("of several envelopes is available only to their owner, for at most 100 of them, and needs a file", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const { envelope } = await answered(alice);
    const foreign = (await answered(bob)).envelope;
    const open = await sendEnvelope(alice);
    const get = (ids: string) => alice.get(`/api/requests/files.zip?ids=${ids}`);
    const rejected = await get(`${envelope.id},${foreign.id}`);
    expect([rejected.status, rejected.body.code]).toEqual([404, "envelope_not_found"]);
    expect((await get(`${open.id}`)).body.code).toBe("no_files");
    const many = Array.from({ length: 101 }, (_, index) => index + 1).join(",");
    for (const ids of ["", "x", "0", "-1", "1.5", `${envelope.id},`, many, "9".repeat(2000)])
      expect([ids.slice(0, 20), (await get(ids)).status]).toEqual([ids.slice(0, 20), 400]);
    expect((await alice.get("/api/requests/files.zip")).status).toBe(400);
  });

  test("of several envelopes has at most 20,000 files, and counts as the more archives the more it has", async () => {
    const alice = await api.signUp();
    const envelopes = [(await answered(alice)).envelope, (await answered(alice)).envelope];
    const add = (count: number) =>
      api.execute(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
         insert into submissions (envelope_id, envelope_document_id, created_at, document_name, file_path, file_name, file_size, mime_type)
         select envelope_id, envelope_document_id, created_at, document_name, file_path || ${count} || i, file_name, file_size, mime_type
         from submissions, n where envelope_id in (${envelopes.map(({ id }) => id)}) and document_name = 'Passport' and sha256 is not null`,
      );
    const path = `/api/requests/files.zip?ids=${envelopes.map(({ id }) => id)}`;
    const archive = () =>
      api.fetch(new Request(`${api.origin}${path}`, { headers: { cookie: alice.cookie } }));
    await add(9998);
    // A response that nothing refers to any more is ended by the garbage collector.
    const largest = await archive();
    expect([largest.status, (await archive()).status]).toEqual([200, 429]);
    await largest.body?.cancel();
    await add(1);
    const { status, body } = await alice.get(path);
    expect([status, body.issues]).toEqual([
      400,
      [{ path: "ids", message: "An archive holds at most 20000 files" }],
    ]);
    // One after the other, they can be downloaded.
    const [{ id }] = envelopes;
    expect((await alice.send("HEAD", `/api/requests/${id}/files.zip`)).status).toBe(200);
  });

  test("of a contact has what its list has, for the members of its workspace, and at most 100 envelopes", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const contact = { firstName: "Rita", email: "rita@example.com" };
    const { body: own } = await alice.post("/api/contacts", contact);
    const { envelope } = await answered(alice, {
      subject: "Linked",
      contactId: own.id,
      recipientEmail: "r@example.org",
    });
    await answered(alice, { subject: "By address", recipientEmail: contact.email });
    await answered(alice, { subject: "Of others", recipientEmail: "other@example.org" });
    await answered(bob, { subject: "Of Bob", recipientEmail: contact.email });
    const path = `/api/requests/files.zip?contactId=${own.id}`;
    const folders = [...readZip(await alice.bytes(path)).keys()].map((name) => name.split("/")[0]);
    expect([...new Set(folders)]).toEqual([
      "manifest.csv",
      "By address - Rita Recipient",
      "Linked - Rita Recipient",
    ]);
    for (const unknown of [path, "/api/requests/files.zip?contactId=999999"])
      expect((await bob.get(unknown)).body.code).toBe("no_files");
    for (const wrong of [`${path}&ids=${envelope.id}`, `${path}x`, "/api/requests/files.zip?contactId="]) {
      const { status, body } = await alice.get(wrong);
      expect([wrong, status, body.code]).toEqual([wrong, 400, "validation"]);
    }
    await api.execute(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 99)
       insert into envelopes (user_id, workspace_id, contact_id, title, description, customer_email, submission_token, notification_preference, created_at, updated_at)
       select user_id, workspace_id, contact_id, 'Copy', '', '', 'copy-' || i, 'email', created_at, updated_at from envelopes, n where id = ${envelope.id}`,
    );
    // Those without files do not count.
    expect((await alice.send("HEAD", path)).status).toBe(200);
    await api.execute(
      `insert into submissions (envelope_id, document_name, file_path, file_name, file_size, mime_type, created_at)
       select id, 'Passport', submission_token, 'a.pdf', 1, 'application/pdf', created_at from envelopes where submission_token like 'copy-%'`,
    );
    const { status, body } = await alice.get(path);
    expect([status, body.issues]).toEqual([
      400,
      [
        {
          path: "contactId",
          message: "An archive holds at most 100 envelopes, and more than these of the contact have files",
        },
      ],
    ]);
  });
});
