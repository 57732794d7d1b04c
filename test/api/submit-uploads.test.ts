import { beforeAll, expect, test } from "bun:test";
import { type ApiResponse, createClient, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { createTus, locationOf } from "../support/api/tus";
import { jpegFile, largePdfFile, pdfFile, pngFile, sha256 } from "../support/files/files";

const DOCUMENTS = [
  { name: "Contract", required: true },
  { name: "Photos", allowedFileTypes: ["jpg", "png"], multiple: true },
  { name: "Letter" },
];

describeApi("submitting uploads", (api) => {
  let owner: SignedUp;
  beforeAll(async () => {
    owner = await api.signUp();
  });

  async function open(documents: object[] = DOCUMENTS) {
    const envelope: ApiResponse["body"] = await sendEnvelope(owner, { documents });
    const [contract, photos, letter] = envelope.documents.map(({ id }: { id: number }) => id);
    const read = async () => (await owner.get(`/api/requests/${envelope.id}`)).body;
    return { envelope, contract, photos, letter, read, tus: createTus(api, envelope) };
  }
  const uploadRows = async ({ id }: { id: number }) =>
    (await api.select(`select count(*) as count from uploads where envelope_id = ${id}`))[0]?.count;

  test("submits every file at once, with a note and skipped documents", async () => {
    const { envelope, contract, photos, letter, tus, read } = await open();
    const [pdf, first, second] = [largePdfFile(200_000, "contract.pdf"), jpegFile("1.jpg"), pngFile("2.png")];
    await tus.upload(photos, first);
    await tus.upload(contract, pdf);
    await tus.upload(photos, second);
    expect(await read()).toMatchObject({
      status: "pending",
      submissions: [],
      progress: { uploaded: 2, total: 3 },
    });
    const response = await tus.submit({
      note: "  Page 3 is missing ",
      skipped: [{ documentId: letter, reason: "Never got it" }],
    });
    const hashes = await Promise.all([pdf, first, second].map(sha256));
    expect([response.status, response.body]).toEqual([
      201,
      {
        status: "completed",
        submittedAt: "2026-03-14T09:26:53.000Z",
        submissions: [pdf, first, second].map((file, index) => ({
          documentName: index === 0 ? "Contract" : "Photos",
          fileName: file.name,
          fileSize: file.size,
          sha256: hashes[index],
        })),
      },
    ]);
    const completed = await read();
    expect(completed).toMatchObject({
      status: "completed",
      note: "Page 3 is missing",
      progress: null,
      documents: [
        { id: contract, state: "received", reason: null },
        { id: photos, state: "received", reason: null },
        { id: letter, state: "skipped", reason: "Never got it" },
      ],
    });
    expect(completed.submissions).toHaveLength(3);
    for (const file of completed.submissions)
      expect(await sha256(await owner.bytes(file.url))).toBe(file.sha256);
    expect(await uploadRows(envelope)).toBe(0);
    expect((await tus.submit()).status).toBe(410);
  });

  test("the requestor's mail has the note and the skipped documents", async () => {
    const { contract, letter, tus } = await open();
    await tus.upload(contract, pdfFile("mine.pdf"));
    await tus.submit({
      note: "See <page> \u202e3\u0007",
      skipped: [
        { documentId: letter, reason: "Lost" },
        { documentId: letter, reason: "\u202eBurnt" },
      ],
    });
    await api.finishBackgroundWork();
    const mail = (await api.mails()).findLast(({ to }) => to === owner.email);
    expect(mail?.text).toContain("Note from Rita Recipient");
    for (const part of ["See <page> 3", "mine.pdf", "Letter", "Not available", "Burnt"])
      expect(mail?.text).toContain(part);
    for (const part of ["\u202e", "\u0007", "Lost"]) expect(mail?.text).not.toContain(part);
    expect(mail?.html).toContain("See &lt;page&gt; 3");
  });

  test("an unfinished upload is rejected before anything else", async () => {
    const { contract, photos, tus } = await open();
    await tus.upload(contract, pdfFile());
    const unfinished = locationOf(await tus.create(photos, "a.jpg", 1000));
    for (const body of [{}, { skipped: [{ documentId: 999_999 }] }, "not JSON", { note: 7 }]) {
      const response = await tus.client.send("POST", `${tus.uploads.replace("uploads", "submit")}`, body, {
        "content-type": "application/json",
      });
      expect([response.status, response.body.code]).toEqual([409, "uploads_unfinished"]);
    }
    await tus.remove(unfinished);
    expect((await tus.submit()).status).toBe(201);
  });

  test("missing, unknown, contradictory or too long input is rejected, and nothing is submitted", async () => {
    const { contract, photos, letter, tus, read } = await open();
    await tus.upload(photos, jpegFile());
    const rejections = [
      [{}, 400, "missing_documents"],
      [{ note: "None of it" }, 400, "missing_documents"],
      [{ skipped: [{ documentId: contract }] }, 400, "missing_documents"],
      [{ skipped: [{ documentId: 999_999 }] }, 400, "unknown_document"],
      [{ skipped: [{ documentId: photos }] }, 400, "document_has_file"],
      [{ skipped: [{ documentId: letter, reason: "x".repeat(501) }] }, 400, "validation"],
      [{ note: "x".repeat(2001) }, 400, "validation"],
      [{ skipped: "all" }, 400, "validation"],
    ] as const;
    for (const [body, status, code] of rejections) {
      const response = await tus.submit(body);
      expect([response.status, response.body.code, code]).toEqual([status, code, code]);
    }
    const text = await tus.client.send("POST", `${tus.uploads.replace("uploads", "submit")}`, "{}", {
      "content-type": "text/plain",
    });
    expect([text.status, text.body.code]).toEqual([415, "json_required"]);
    expect(await read()).toMatchObject({ status: "pending", submissions: [], note: null });
    await tus.upload(contract, pdfFile());
    const skipped = [{ documentId: letter, reason: "x".repeat(500) }];
    expect((await tus.submit({ note: "x".repeat(2000), skipped })).status).toBe(201);
  });

  test("a required document that accepts a reason can be skipped with one, which is then mandatory", async () => {
    const documents = [
      { name: "Contract", required: true },
      { name: "Deed", required: true, reasonAllowed: true },
      { name: "Letter", reasonAllowed: true },
    ];
    const { contract, photos: deed, letter, tus, read } = await open(documents);
    await tus.upload(contract, pdfFile());
    for (const reason of [undefined, null, "  "]) {
      const { status, body } = await tus.submit({ skipped: [{ documentId: deed, reason }] });
      expect([status, body.code, body.message]).toEqual([
        400,
        "missing_documents",
        "Please upload all required documents: Deed",
      ]);
    }
    const skipped = [{ documentId: deed, reason: " It burnt " }, { documentId: letter }];
    expect((await tus.submit({ skipped })).status).toBe(201);
    const { review, documents: submitted } = await read();
    expect(submitted).toMatchObject([
      { name: "Contract", state: "received" },
      { name: "Deed", state: "skipped", reason: "It burnt" },
      { name: "Letter", state: "skipped", reason: null },
    ]);
    expect(review).toEqual({ toReview: 2, accepted: 0, returned: 0 });
  });

  test("if nothing is required, a note or a skipped document is enough, but an empty submission is not", async () => {
    const nothing = await open([{ name: "Letter" }]);
    for (const body of [{}, undefined, { note: "  ", skipped: [] }]) {
      const response = await nothing.tus.client.send("POST", `${linkOf(nothing.envelope)}/submit`, body);
      expect([response.status, response.body.code]).toEqual([400, "nothing_to_submit"]);
    }
    const form = await api.anonymous().post(linkOf(nothing.envelope), new FormData());
    expect([form.status, form.body.code]).toEqual([400, "nothing_to_submit"]);
    expect((await nothing.tus.submit({ note: "I have none" })).status).toBe(201);
    expect((await nothing.read()).documents[0]).toMatchObject({ state: "open", reason: null });
    const skips = await open([{ name: "Letter" }]);
    expect((await skips.tus.submit({ skipped: [{ documentId: skips.contract }] })).status).toBe(201);
    expect((await skips.read()).documents[0]).toMatchObject({ state: "skipped", reason: null });
  });

  test("the multipart call submits uploads too, and its file replaces an uploaded one", async () => {
    const { envelope, contract, photos, letter, tus, read } = await open();
    const before = await api.storedFiles();
    await tus.upload(contract, pdfFile("old.pdf", "Old"));
    await tus.upload(photos, jpegFile("staged.jpg"));
    await tus.create(letter, "never-finished.pdf", 1000);
    const sent = pdfFile("new.pdf", "New");
    const response = await api.anonymous().post(linkOf(envelope), form({ Contract: sent }));
    expect([response.status, response.body.submissions]).toMatchObject([
      201,
      [
        { documentName: "Contract", fileName: "new.pdf", sha256: await sha256(sent) },
        { documentName: "Photos", fileName: "staged.jpg" },
      ],
    ]);
    expect((await read()).submissions).toHaveLength(2);
    expect(await uploadRows(envelope)).toBe(0);
    await api.finishBackgroundWork();
    expect(await api.storedFiles()).toHaveLength(before.length + 2);
  });

  test("the multipart call accepts several fields of one name for a document of several files", async () => {
    const { envelope, read } = await open();
    const several = form({ Contract: pdfFile() });
    for (const name of ["1.jpg", "2.jpg"]) several.append("Photos", jpegFile(name));
    const twice = form({ Contract: pdfFile() });
    twice.append("Contract", pdfFile());
    const rejected = await api.anonymous().post(linkOf(envelope), twice);
    expect([rejected.status, rejected.body.code]).toEqual([400, "duplicate_document"]);
    const tooMany = form({ Contract: pdfFile() });
    for (let count = 0; count < 21; count += 1) tooMany.append("Photos", jpegFile(`${count}.jpg`));
    const many = await api.anonymous().post(linkOf(envelope), tooMany);
    expect([many.status, many.body.code]).toEqual([409, "too_many_files"]);
    expect((await api.anonymous().post(linkOf(envelope), several)).status).toBe(201);
    const names = (await read()).submissions.map(({ fileName }: { fileName: string }) => fileName);
    expect(names).toEqual(["contract.pdf", "1.jpg", "2.jpg"]);
  });

  test("two devices see the same files, and a file that one removed the other cannot submit", async () => {
    const { envelope, contract, tus } = await open();
    const other = createTus(api, envelope);
    const location = await tus.upload(contract, pdfFile());
    expect((await other.document(contract)).files).toEqual((await tus.document(contract)).files);
    expect((await tus.remove(location)).status).toBe(204);
    const response = await other.submit();
    expect([response.status, response.body.code]).toEqual([400, "missing_documents"]);
  });

  test("of a concurrent removal and submission one wins, and the rows agree with it", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { contract, tus, read } = await open();
      const location = await tus.upload(contract, pdfFile());
      const [submitted, removed] = await Promise.all([tus.submit(), tus.remove(location)]);
      const { status, submissions } = await read();
      if (submitted.status === 201) expect([status, submissions.length]).toEqual(["completed", 1]);
      else expect([status, submissions.length, removed.status]).toEqual(["pending", 0, 204]);
    }
  });

  test("of fifty concurrent submissions exactly one succeeds", async () => {
    const { contract, tus, read } = await open();
    await tus.upload(contract, pdfFile());
    const responses = await Promise.all(Array.from({ length: 50 }, () => tus.submit()));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(410)]);
    expect((await read()).submissions).toHaveLength(1);
  });

  test("removing a document removes its uploads; other edits do not", async () => {
    const { envelope, contract, photos, tus } = await open();
    await tus.upload(contract, pdfFile());
    await tus.upload(photos, jpegFile());
    const before = await api.storedFiles();
    const documents = [{ name: "Contract", required: true }, { name: "New" }];
    await owner.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, documents });
    expect((await tus.document(contract)).state).toBe("uploaded");
    expect(await uploadRows(envelope)).toBe(1);
    expect(await api.storedFiles()).toHaveLength(before.length - 1);
    expect((await tus.submit()).body.submissions).toHaveLength(1);
  });

  test("a file that an edit no longer accepts is rejected at submission", async () => {
    const { envelope, contract, photos, tus } = await open();
    await tus.upload(contract, pdfFile());
    for (const name of ["1.jpg", "2.jpg"]) await tus.upload(photos, jpegFile(name));
    const edit = (changes: object) =>
      owner.put(`/api/requests/${envelope.id}`, {
        ...ENVELOPE,
        documents: [DOCUMENTS[0], { ...DOCUMENTS[1], ...changes }],
      });
    await edit({ multiple: false });
    expect((await tus.submit()).body.code).toBe("duplicate_document");
    await edit({ allowedFileTypes: ["png"] });
    expect((await tus.submit()).body.code).toBe("file_type_not_allowed");
    await edit({});
    expect((await tus.submit()).status).toBe(201);
  });

  test("uploads that are not submitted are neither shown to the requestor nor exported", async () => {
    const { envelope, contract, tus, read } = await open();
    await tus.upload(contract, pdfFile("secret-name.pdf"));
    const seen = JSON.stringify([await read(), (await owner.get("/api/requests")).body]);
    expect(seen).not.toContain("secret-name");
    expect(new TextDecoder("latin1").decode(await owner.bytes("/api/user/export"))).not.toContain(
      "secret-name",
    );
    const [row] = await api.select(`select file_path from uploads where envelope_id = ${envelope.id}`);
    expect((await owner.get(`/uploads/${row?.file_path}`)).status).toBe(404);
  });

  test("uploads are deleted with their envelope, its expiry and the account", async () => {
    const deleted = await open();
    await deleted.tus.upload(deleted.contract, pdfFile());
    const person = await api.signUp();
    const gone: ApiResponse["body"] = await sendEnvelope(person, { documents: DOCUMENTS });
    await createTus(api, gone).upload(gone.documents[0].id, pdfFile());
    const expiring = await sendEnvelope(owner, { documents: DOCUMENTS, expirationDate: "2026-03-15" });
    await createTus(api, expiring).upload(expiring.documents[0].id, pdfFile());
    const files = await api.storedFiles();

    await owner.delete(`/api/requests/${deleted.envelope.id}`);
    expect(await api.storedFiles()).toHaveLength(files.length - 1);
    await person.delete("/api/user/account");
    expect(await api.storedFiles()).toHaveLength(files.length - 2);
    await api.runJobs("2026-03-16T09:00:00.000Z");
    expect(await uploadRows(expiring)).toBe(0);
    expect(await api.storedFiles()).toHaveLength(files.length - 3);
    expect((await createTus(api, expiring).submit()).body.code).toBe("expired");
    await api.setClock("2026-03-14T09:26:53.000Z");
  });

  test("a client without a browser's headers can submit with an empty body", async () => {
    const { envelope, contract, tus } = await open();
    await tus.upload(contract, pdfFile());
    const response = await createClient(api).send("POST", `${linkOf(envelope)}/submit`);
    expect(response.status).toBe(201);
  });
});
