import { expect, test } from "bun:test";
import { DAY_MS } from "../../worker/lib/durations";
import { type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { createTus } from "../support/api/tus";
import { pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

type Document = { id: number; name: string; state: string; reason: string | null };

const DOCUMENTS = [
  { name: "Passport", required: true },
  { name: "Contract", required: true },
  { name: "Letter" },
];
const later = (days: number) => new Date(Date.parse(TEST_START) + days * DAY_MS).toISOString();

describeApi("the review of an envelope", (api) => {
  /** An envelope whose two required documents were submitted. */
  async function submittedEnvelope(owner: SignedUp, changes: object = {}) {
    const envelope = await sendEnvelope(owner, { documents: DOCUMENTS, ...changes });
    const files = { Passport: pdfFile("passport.pdf"), Contract: pdfFile("contract.pdf") };
    expect((await api.anonymous().post(linkOf(envelope), form(files))).status).toBe(201);
    await api.finishBackgroundWork();
    return read(owner, envelope.id);
  }
  const read = async (owner: SignedUp, id: number) => (await owner.get(`/api/requests/${id}`)).body;
  const idOf = (envelope: ApiResponse["body"], name: string): number =>
    envelope.documents.find((one: Document) => one.name === name).id;
  const states = ({ documents }: ApiResponse["body"]) =>
    Object.fromEntries(documents.map(({ name, state }: Document) => [name, state]));
  /** What the timeline says of the review. */
  const decisions = async (owner: SignedUp, { id }: { id: number }) => {
    const { body } = await owner.get(`/api/requests/${id}/timeline`);
    const events: { kind: string; detail: string }[] = body;
    return events
      .filter(({ kind }) => ["accepted", "returned", "undone"].includes(kind))
      .map(({ kind, detail }) => [kind, detail]);
  };
  const review = (owner: SignedUp, { id }: { id: number }, body: object) =>
    owner.post(`/api/requests/${id}/review`, body);

  test("a document is received until it is accepted, and received again after an undo", async () => {
    const alice = await api.signUp();
    const envelope = await submittedEnvelope(alice);
    expect(states(envelope)).toEqual({ Passport: "received", Contract: "received", Letter: "open" });
    const accepted = await review(alice, envelope, { accept: [idOf(envelope, "Passport")] });
    expect([accepted.status, accepted.body.status]).toEqual([200, "completed"]);
    expect(accepted.body.review).toEqual({ toReview: 1, accepted: 1, returned: 0 });
    expect(states(accepted.body)).toEqual({ Passport: "accepted", Contract: "received", Letter: "open" });
    const undone = await review(alice, envelope, { undo: [idOf(envelope, "Passport")] });
    expect(states(undone.body).Passport).toBe("received");
    expect((await review(alice, envelope, { undo: [idOf(envelope, "Passport")] })).body.code).toBe(
      "nothing_to_undo",
    );
  });

  test("what is accepted already is not recorded as accepted again", async () => {
    const alice = await api.signUp();
    const envelope = await submittedEnvelope(alice);
    const accept = { accept: [idOf(envelope, "Passport")] };
    await review(alice, envelope, accept);
    expect(states((await review(alice, envelope, accept)).body).Passport).toBe("accepted");
    expect(await decisions(alice, envelope)).toEqual([["accepted", "Passport"]]);
  });

  test("an envelope that is returned again and again takes three times the most files of a submission, sixty times the most answers, and no more", async () => {
    const alice = await api.signUp();
    const question = { name: "Story", kind: "longText", required: false };
    const envelope = await submittedEnvelope(alice, { documents: [...DOCUMENTS, question] });
    const [passport, story] = [idOf(envelope, "Passport"), idOf(envelope, "Story")];
    await review(alice, envelope, { return: [{ documentId: passport, reason: "Blurred" }] });
    const count = (rows: number) =>
      `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select i from n)`;
    await api.execute(
      `insert into submissions (envelope_id, envelope_document_id, superseded, created_at, document_name, file_path, file_name, file_size, mime_type) select ${envelope.id}, ${passport}, 1, '${TEST_START}', 'Passport', 'old' || i, 'f.pdf', 1, 'application/pdf' from ${count(6000 - 2)}`,
    );
    const submit = () => api.anonymous().post(linkOf(envelope), form({ Passport: pdfFile() }));
    expect((await submit()).body.code).toBe("storage_full");
    await api.execute("delete from submissions where file_path = 'old1'");
    await api.execute(
      `insert into answers (envelope_id, envelope_document_id, sealed, superseded, created_at, submitted_at, value) select ${envelope.id}, ${story}, 0, 1, '${TEST_START}', '${TEST_START}', '"' || hex(zeroblob(900000)) || '"' from ${count(6)}`,
    );
    expect((await submit()).body.code).toBe("storage_full");
    await api.execute("update answers set value = null");
    await api.execute(
      `insert into answers (envelope_id, envelope_document_id, sealed, superseded, created_at, submitted_at, value) select ${envelope.id}, ${story}, 0, 1, '${TEST_START}', '${TEST_START}', '"x"' from ${count(6000 - 6)}`,
    );
    const answered = form({ Passport: pdfFile() });
    answered.append("Story", "x");
    expect((await api.anonymous().post(linkOf(envelope), answered)).body.code).toBe("storage_full");
    expect((await submit()).status).toBe(201);
  });

  test("a kept answer counts once towards the most that an envelope takes", async () => {
    const alice = await api.signUp();
    const question = { name: "Story", kind: "longText", required: false };
    const envelope = await submittedEnvelope(alice, { documents: [...DOCUMENTS, question] });
    const [passport, story] = [idOf(envelope, "Passport"), idOf(envelope, "Story")];
    await review(alice, envelope, { return: [{ documentId: passport, reason: "Blurred" }] });
    // All but 15,000 bytes.
    await api.execute(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 10) insert into answers (envelope_id, envelope_document_id, sealed, superseded, created_at, submitted_at, value) select ${envelope.id}, ${story}, 0, 1, '${TEST_START}', '${TEST_START}', '"' || hex(zeroblob(${Math.floor((10 * 1024 * 1024 - 15_000) / 20)})) || '"' from n`,
    );
    const link = linkOf(envelope);
    const answers = { [story]: "x".repeat(9000) };
    expect((await api.anonymous().put(`${link}/answers`, { answers })).status).toBe(204);
    expect((await api.anonymous().post(link, form({ Passport: pdfFile() }))).status).toBe(201);
  });

  test("an envelope is changed ten thousand times, and no more; it is still submitted and deleted", async () => {
    const alice = await api.signUp();
    const envelope = await submittedEnvelope(alice);
    const passport = idOf(envelope, "Passport");
    await review(alice, envelope, { return: [{ documentId: passport, reason: "Blurred" }] });
    await api.execute(
      `insert into envelope_events (envelope_id, kind, actor, at) select ${envelope.id}, 'updated', 'requestor', '${TEST_START}' from (with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000) select i from n)`,
    );
    const url = `/api/requests/${envelope.id}`;
    expect(await alice.post(`${url}/review`, { undo: [passport] })).toMatchObject({
      ...{ status: 507, body: { code: "storage_full" } },
    });
    expect((await alice.get(url)).body.status).toBe("pending");
    expect((await api.anonymous().post(linkOf(envelope), form({ Passport: pdfFile() }))).status).toBe(201);
    expect((await alice.delete(url)).status).toBe(204);
    expect(await api.select(`select * from envelope_events where envelope_id = ${envelope.id}`)).toEqual([]);
  });

  test("returning documents reopens the link and sends the recipient one mail with every reason", async () => {
    const alice = await api.signUp();
    const envelope = await submittedEnvelope(alice, { reminderFrequency: "daily" });
    const before = (await api.mails()).length;
    const { body } = await review(alice, envelope, {
      accept: [idOf(envelope, "Passport")],
      return: [
        { documentId: idOf(envelope, "Contract"), reason: " Page 2 is blurry " },
        { documentId: idOf(envelope, "Letter"), reason: "We need it after all" },
      ],
    });
    await api.finishBackgroundWork();
    expect([body.status, body.completedAt]).toEqual(["pending", envelope.completedAt]);
    expect(states(body)).toEqual({ Passport: "accepted", Contract: "returned", Letter: "returned" });
    expect(body.documents[1].reason).toBe("Page 2 is blurry");
    const mails = (await api.mails()).slice(before);
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ["rita@example.com", "Please send 2 documents again: Papers"],
    ]);
    expect(mails[0]?.text).toContain("Page 2 is blurry");
    expect(mails[0]?.text).toContain("We need it after all");
    expect(mails[0]?.text).not.toContain("Passport");
    expect(mails[0]?.text).toContain(`/submit/${envelope.submissionToken}`);
    expect((await api.anonymous().get(linkOf(envelope))).status).toBe(200);
    expect(await decisions(alice, envelope)).toEqual([
      ["accepted", "Passport"],
      ["returned", "Contract: Page 2 is blurry"],
      ["returned", "Letter: We need it after all"],
    ]);
    await api.runJobs(later(1));
    const reminder = (await api.mails()).findLast(({ subject }) => subject.startsWith("Reminder"));
    expect(reminder?.text).toContain("Contract");
    expect(reminder?.text).not.toContain("Passport");
    await api.setClock(TEST_START);
  });

  test("messages count the returned documents alone; an SMS has the link and no reasons", async () => {
    const alice = await api.signUp();
    const phone = { recipientPhone: "+15551234567", notificationPreference: "both" };
    const envelope = await submittedEnvelope(alice, phone);
    const before = (await api.texts()).length;
    const entry = (name: string) => ({ documentId: idOf(envelope, name), reason: "Blurry" });
    await review(alice, envelope, { return: [entry("Passport"), entry("Contract")] });
    await api.finishBackgroundWork();
    const texts = (await api.texts()).slice(before).map(({ text }) => text);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain("asks you to send 2 documents again");
    expect(texts[0]).toContain(`/submit/${envelope.submissionToken}`);
    expect(texts[0]).not.toContain("Blurry");
    const mail = (await api.mails()).findLast(({ to }) => to === "rita@example.com");
    expect(mail?.subject).toBe("Please send 2 documents again: Papers");
    expect(mail?.text).not.toContain("Letter");
  });

  test("undoing the last return completes the envelope again", async () => {
    const alice = await api.signUp();
    const envelope = await submittedEnvelope(alice);
    const [passport, contract] = [idOf(envelope, "Passport"), idOf(envelope, "Contract")];
    const entry = (documentId: number) => ({ documentId, reason: "Blurry" });
    await review(alice, envelope, { return: [entry(passport), entry(contract)] });
    const one = await review(alice, envelope, { undo: [passport] });
    expect([one.body.status, states(one.body).Passport]).toEqual(["pending", "received"]);
    expect(one.body.documents.map(({ reason }: Document) => reason)).toEqual([null, "Blurry", null]);
    const all = await review(alice, envelope, { undo: [contract] });
    expect([all.body.status, all.body.completedAt]).toEqual(["completed", envelope.completedAt]);
    expect((await api.anonymous().get(linkOf(envelope))).status).toBe(410);
    await review(alice, envelope, { accept: [passport] });
    await review(alice, envelope, { undo: [passport] });
    expect(await decisions(alice, envelope)).toEqual([
      ["returned", "Passport: Blurry"],
      ["returned", "Contract: Blurry"],
      ["undone", "Passport"],
      ["undone", "Contract"],
      ["accepted", "Passport"],
      ["undone", "Passport"],
    ]);
  });

  test("undoing a return discards uploads that the recipient has begun for it", async () => {
    const alice = await api.signUp();
    const envelope = await submittedEnvelope(alice);
    const [passport, contract] = [idOf(envelope, "Passport"), idOf(envelope, "Contract")];
    const both = [passport, contract].map((documentId) => ({ documentId, reason: "Blurry" }));
    await review(alice, envelope, { return: both });
    const tus = createTus(api, envelope);
    const first = await tus.upload(passport, pdfFile("passport-2.pdf"));
    const second = await tus.upload(contract, pdfFile("contract-2.pdf"));
    const stored = await api.storedFiles();
    await review(alice, envelope, { undo: [passport] });
    await api.finishBackgroundWork();
    expect((await tus.head(first)).status).toBe(404);
    expect((await tus.head(second)).status).toBe(200);
    expect(await api.storedFiles()).toHaveLength(stored.length - 1);
    expect((await tus.document(passport)).files).toEqual([]);
    const last = await review(alice, envelope, { undo: [contract] });
    await api.finishBackgroundWork();
    expect(last.body.status).toBe("completed");
    expect(await api.storedFiles()).toHaveLength(stored.length - 2);
    await review(alice, envelope, { return: both });
    expect((await tus.document(contract)).files).toEqual([]);
    await tus.upload(passport, pdfFile("passport-3.pdf"));
    await tus.upload(contract, pdfFile("contract-3.pdf"));
    expect((await tus.submit()).status).toBe(201);
  });

  test("a returned document that the recipient skips shows their reason", async () => {
    const alice = await api.signUp();
    const envelope = await submittedEnvelope(alice);
    const letter = idOf(envelope, "Letter");
    await review(alice, envelope, { return: [{ documentId: letter, reason: "Needed after all" }] });
    const skipped = [{ documentId: letter, reason: "There is none" }];
    expect((await createTus(api, envelope).submit({ skipped })).status).toBe(201);
    const again = await read(alice, envelope.id);
    expect(again.documents.map(({ state, reason }: Document) => [state, reason])).toEqual([
      ["received", null],
      ["received", null],
      ["skipped", "There is none"],
    ]);
  });

  test("the messages of a second submission have its note alone, and say if it has no files", async () => {
    const alice = await api.signUp();
    const envelope = await sendEnvelope(alice, { documents: [{ name: "Letter" }] });
    const letter = idOf(envelope, "Letter");
    const tus = createTus(api, envelope);
    await tus.upload(letter, pdfFile("letter.pdf"));
    await tus.submit({ note: "Here it is" });
    await api.finishBackgroundWork();
    const first = (await api.mails()).findLast(({ to }) => to === alice.email)?.text;
    expect(first).toContain("uploaded the files below");
    expect(first).toContain("Here it is");
    await review(alice, envelope, { return: [{ documentId: letter, reason: "Blurry" }] });
    await api.finishBackgroundWork();
    const before = (await api.mails()).length;
    await api.setClock(later(1));
    await tus.submit({ skipped: [{ documentId: letter, reason: "There is none" }] });
    await api.finishBackgroundWork();
    const mails = (await api.mails()).slice(before);
    const textTo = (address: string) => mails.find(({ to }) => to === address)?.text;
    expect(textTo(alice.email)).toContain("uploaded no files");
    expect(textTo(alice.email)).toContain("There is none");
    expect(textTo("rita@example.com")).toContain("your answer, without files");
    for (const { text, html } of mails) expect(text + html).not.toMatch(/\bFiles\b/);
    for (const { text } of mails) expect(text).not.toMatch(/Here it is|files below|letter\.pdf/);
    const { body: timeline } = await alice.get(`/api/requests/${envelope.id}/timeline`);
    const notes = timeline.filter(({ kind }: { kind: string }) => kind === "submitted");
    expect(notes.map(({ detail }: { detail: string }) => detail)).toEqual(["Here it is", null]);
    await api.setClock(TEST_START);
  });

  test("mails about a submission that are late name its own files, whatever was submitted since", async () => {
    const alice = await api.signUp();
    const envelope = await sendEnvelope(alice, { documents: [{ name: "Letter" }, { name: "Passport" }] });
    const letter = idOf(envelope, "Letter");
    await api.finishBackgroundWork();
    const tus = createTus(api, envelope);
    await api.setMail("down");
    await tus.upload(letter, pdfFile("first.pdf"));
    await tus.upload(idOf(envelope, "Passport"), pdfFile("other.pdf"));
    await tus.submit();
    await api.finishBackgroundWork();
    await review(alice, envelope, { return: [{ documentId: letter, reason: "Blurry" }] });
    await api.setClock(later(2));
    await tus.upload(letter, pdfFile("second.pdf"));
    await tus.submit();
    await api.finishBackgroundWork();
    const before = (await api.mails()).length;
    await api.setMail("works");
    await api.runJobs(later(60), later(61));
    const mails = (await api.mails()).slice(before);
    for (const address of ["rita@example.com", alice.email]) {
      const files = mails
        .filter(({ to }) => to === address)
        .map(({ text }) => [...new Set(text.match(/\w+\.pdf/g))].sort())
        .filter((names) => names.length > 0);
      expect(files.map(String).sort()).toEqual(["first.pdf,other.pdf", "second.pdf"]);
    }
    await api.setClock(TEST_START);
  });

  test("skipping a returned document replaces its earlier file", async () => {
    const alice = await api.signUp();
    const documents = [{ name: "Passport" }, { name: "Letter" }];
    const envelope = await sendEnvelope(alice, { documents });
    await api.anonymous().post(linkOf(envelope), form({ Passport: pdfFile(), Letter: pdfFile() }));
    const letter = idOf(envelope, "Letter");
    await review(alice, envelope, { return: [{ documentId: letter, reason: "Not this one" }] });
    expect((await createTus(api, envelope).submit({ skipped: [{ documentId: letter }] })).status).toBe(201);
    const { submissions } = await read(alice, envelope.id);
    expect(
      submissions.map(({ documentName, superseded }: ApiResponse["body"]) => [documentName, superseded]),
    ).toEqual([
      ["Passport", false],
      ["Letter", true],
    ]);
  });

  test("a second submission replaces the returned documents; the others stay and accept no files", async () => {
    const alice = await api.signUp();
    const envelope = await submittedEnvelope(alice);
    const [passport, contract, letter] = ["Passport", "Contract", "Letter"].map((name) =>
      idOf(envelope, name),
    );
    const link = linkOf(envelope);
    const recipient = api.anonymous();
    await review(alice, envelope, {
      accept: [passport],
      return: [
        { documentId: contract, reason: "Blurry" },
        { documentId: letter, reason: "Needed after all" },
      ],
    });
    const seen = (await recipient.get(link)).body;
    expect(states(seen)).toEqual({ Passport: "accepted", Contract: "returned", Letter: "returned" });
    expect(seen.documents.map(({ reason }: Document) => reason)).toEqual([
      ...[null, "Blurry", "Needed after all"],
    ]);
    const locked = await recipient.post(link, form({ Passport: pdfFile(), Contract: pdfFile() }));
    expect([locked.status, locked.body.code]).toEqual([409, "document_has_file"]);
    const missing = await recipient.post(link, form({ Letter: pdfFile() }));
    expect([missing.status, missing.body.code]).toEqual([400, "missing_documents"]);

    await api.finishBackgroundWork();
    const before = (await api.mails()).length;
    await api.setClock(later(1));
    expect((await recipient.post(link, form({ Contract: pdfFile("better.pdf") }))).status).toBe(201);
    await api.finishBackgroundWork();
    const again = await read(alice, envelope.id);
    expect([again.status, again.completedAt]).toEqual(["completed", later(1)]);
    expect(states(again)).toEqual({ Passport: "accepted", Contract: "received", Letter: "open" });
    expect(again.documents.map(({ reason }: Document) => reason)).toEqual([
      ...[null, "Blurry", "Needed after all"],
    ]);
    expect(
      again.submissions.map((file: { fileName: string; superseded: boolean }) => [
        file.fileName,
        file.superseded,
      ]),
    ).toEqual([
      ["passport.pdf", false],
      ["contract.pdf", true],
      ["better.pdf", false],
    ]);
    const mails = (await api.mails()).slice(before);
    expect(mails.map(({ to }) => to).sort()).toEqual([alice.email, "rita@example.com"].sort());
    const notice = mails.find(({ to }) => to === alice.email);
    expect(notice?.subject).toMatch(/ has answered again: Papers$/);
    for (const { text } of mails) {
      expect(text).toContain("better.pdf");
      expect(text).not.toContain("passport.pdf");
    }
    await api.setClock(TEST_START);
  });

  test("a returned optional document that is left out keeps its earlier file", async () => {
    const alice = await api.signUp();
    const documents = [{ name: "Contract", required: true }, { name: "Letter" }];
    const envelope = await sendEnvelope(alice, { documents });
    const recipient = api.anonymous();
    const files = { Contract: pdfFile("contract.pdf"), Letter: pdfFile("letter.pdf") };
    await recipient.post(linkOf(envelope), form(files));
    const entry = (name: string) => ({ documentId: idOf(envelope, name), reason: "Blurry" });
    await review(alice, envelope, { return: [entry("Contract"), entry("Letter")] });
    await recipient.post(linkOf(envelope), form({ Contract: pdfFile("better.pdf") }));
    const again = await read(alice, envelope.id);
    expect(states(again)).toEqual({ Contract: "received", Letter: "received" });
    expect(again.documents[1].reason).toBe("Blurry");
  });

  test("a reason instead of a required file is accepted, or the document is asked for again", async () => {
    const alice = await api.signUp();
    const documents = ["Contract", "Deed", "Passport"].map((name) => ({
      name,
      required: true,
      reasonAllowed: name !== "Passport",
    }));
    const envelope = await sendEnvelope(alice, { documents });
    const contract = idOf(envelope, "Contract");
    const deed = idOf(envelope, "Deed");
    const passport = idOf(envelope, "Passport");
    const tus = createTus(api, envelope);
    const toReview = async () => {
      const { headers } = await alice.get("/api/requests?counts=1");
      return headers.get("envelope-counts") ?? "";
    };
    await tus.upload(passport, pdfFile());
    const reason = "It burnt";
    await tus.submit({ skipped: [contract, deed].map((documentId) => ({ documentId, reason })) });
    const first = await review(alice, envelope, { accept: [deed, passport] });
    expect([states(first.body), first.body.review]).toEqual([
      { Contract: "skipped", Deed: "accepted", Passport: "accepted" },
      { toReview: 1, accepted: 2, returned: 0 },
    ]);
    expect(first.body.documents[1].reason).toBe(reason);
    expect(await toReview()).toContain("toReview=1");
    await review(alice, envelope, { return: [{ documentId: contract, reason: "Ask your bank" }] });
    const seen = (await api.anonymous().get(linkOf(envelope))).body;
    expect(seen.documents[0]).toMatchObject({ state: "returned", reason: "Ask your bank" });
    const without = await tus.submit({ note: "No" });
    expect([without.status, without.body.code]).toEqual([400, "missing_documents"]);
    const locked = await tus.submit({ skipped: [{ documentId: deed, reason }] });
    expect([locked.status, locked.body.code]).toEqual([400, "document_has_file"]);
    await tus.submit({ skipped: [{ documentId: contract, reason: "It has none either" }] });
    const last = await read(alice, envelope.id);
    expect(last.documents[0]).toMatchObject({ state: "skipped", reason: "It has none either" });
    expect((await review(alice, envelope, { accept: [contract] })).body.review.toReview).toBe(0);
    expect(await toReview()).toContain("toReview=0");
  });

  test("a reason that waits for review stays while another document is asked for again", async () => {
    const alice = await api.signUp();
    const documents = [
      { name: "Contract", required: true },
      { name: "Deed", required: true, reasonAllowed: true },
    ];
    const envelope = await sendEnvelope(alice, { documents });
    const contract = idOf(envelope, "Contract");
    const deed = idOf(envelope, "Deed");
    const tus = createTus(api, envelope);
    await tus.upload(contract, pdfFile());
    await tus.submit({ skipped: [{ documentId: deed, reason: "It burnt" }] });
    await review(alice, envelope, { return: [{ documentId: contract, reason: "Blurry" }] });
    expect((await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }))).status).toBe(201);
    expect((await read(alice, envelope.id)).documents[1]).toMatchObject({
      state: "skipped",
      reason: "It burnt",
    });
  });

  test("of undoing a return and a concurrent submission, one wins and nothing is lost", async () => {
    const alice = await api.signUp();
    for (let round = 0; round < 5; round += 1) {
      const envelope = await submittedEnvelope(alice);
      const contract = idOf(envelope, "Contract");
      await review(alice, envelope, { return: [{ documentId: contract, reason: "Blurry" }] });
      const [undone, sent] = await Promise.all([
        review(alice, envelope, { undo: [contract] }),
        api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile("better.pdf") })),
      ]);
      const after = await read(alice, envelope.id);
      const current = after.submissions.filter(({ superseded }: { superseded: boolean }) => !superseded);
      expect(after.status).toBe("completed");
      expect([undone.status === 200, sent.status === 201].filter(Boolean)).toHaveLength(1);
      expect(current.map(({ fileName }: { fileName: string }) => fileName).sort()).toEqual([
        sent.status === 201 ? "better.pdf" : "contract.pdf",
        "passport.pdf",
      ]);
    }
  });

  test("a document with a submitted file cannot be removed or renamed, but others can be added", async () => {
    const alice = await api.signUp();
    const envelope = await submittedEnvelope(alice);
    await review(alice, envelope, {
      return: [{ documentId: idOf(envelope, "Contract"), reason: "Blurry" }],
    });
    const put = (documents: object[]) =>
      alice.put(`/api/requests/${envelope.id}`, {
        recipientName: "Rita Recipient",
        recipientEmail: "rita@example.com",
        subject: "Papers",
        documents,
      });
    for (const documents of [[{ name: "Contract" }], [{ name: "passport" }, { name: "Contract" }]]) {
      const { status, body } = await put(documents);
      expect([status, body.code]).toEqual([409, "document_has_submission"]);
    }
    const { status, body } = await put([{ name: "Passport" }, { name: "Contract" }, { name: "Selfie" }]);
    expect([status, states(body)]).toEqual([
      200,
      { Passport: "received", Contract: "returned", Selfie: "open" },
    ]);
  });

  test("while one document is awaited again, the others can be accepted or returned, and that be undone", async () => {
    const alice = await api.signUp();
    const envelope = await submittedEnvelope(alice, { expirationDate: "2026-03-20" });
    const [passport, contract] = [idOf(envelope, "Passport"), idOf(envelope, "Contract")];
    await review(alice, envelope, { return: [{ documentId: contract, reason: "Blurry" }] });
    await api.finishBackgroundWork();
    const before = (await api.mails()).length;
    const accepted = await review(alice, envelope, { accept: [passport] });
    expect([accepted.status, accepted.body.status]).toEqual([200, "pending"]);
    expect(states(accepted.body)).toEqual({ Passport: "accepted", Contract: "returned", Letter: "open" });
    const undone = await review(alice, envelope, { undo: [passport] });
    expect([undone.body.status, states(undone.body).Passport]).toEqual(["pending", "received"]);
    const again = (documentId: number) => ({ return: [{ documentId, reason: "Too dark" }] });
    for (const body of [{ accept: [contract] }, again(contract)])
      expect((await review(alice, envelope, body)).body.code).toBe("document_not_received");
    await api.setClock(later(10));
    const late = await review(alice, envelope, { accept: [passport] });
    expect([late.status, late.body.status, states(late.body).Passport]).toEqual([200, "expired", "accepted"]);
    await api.finishBackgroundWork();
    expect((await api.mails()).length).toBe(before);
    await api.setClock(TEST_START);
    const both = await review(alice, envelope, again(passport));
    expect([both.status, both.body.status]).toEqual([200, "pending"]);
    expect(states(both.body)).toEqual({ Passport: "returned", Contract: "returned", Letter: "open" });
    await api.finishBackgroundWork();
    const mails = (await api.mails()).slice(before);
    expect(mails.map(({ subject }) => subject)).toEqual(["Please send 2 documents again: Papers"]);
    expect(mails[0]?.text).toContain("Too dark");
    expect((await review(alice, envelope, { undo: [contract] })).body.status).toBe("pending");
    expect((await review(alice, envelope, { undo: [passport] })).body.status).toBe("completed");
  });

  test("late mails about a hand-in of a note alone name no files of another one", async () => {
    const alice = await api.signUp();
    const envelope = await sendEnvelope(alice, { documents: [{ name: "Letter" }] });
    const tus = createTus(api, envelope);
    const [{ id: letter }] = envelope.documents;
    const atMinute = (minute: number) => new Date(Date.parse(TEST_START) + minute * 60_000).toISOString();
    for (const [minute, fileName] of [[1, "first.pdf"], [2], [3, "third.pdf"]] as const) {
      await api.setClock(atMinute(minute));
      if (minute > 1) await review(alice, envelope, { return: [{ documentId: letter, reason: "Signed?" }] });
      if (fileName) await tus.upload(letter, pdfFile(fileName));
      expect((await tus.submit({ note: "As I said" })).status).toBe(201);
      await api.finishBackgroundWork();
    }
    const before = (await api.mails()).length;
    await api.execute(
      `update notifications set status = 'queued', attempts = 0, next_attempt_at = created_at where envelope_id = ${envelope.id} and created_at = '${atMinute(2)}' and kind in ('submission', 'receipt')`,
    );
    await api.runJobs(atMinute(4));
    await api.finishBackgroundWork();
    await api.setClock(TEST_START);
    const late = (await api.mails()).slice(before);
    expect(late.map(({ to }) => to).sort()).toEqual([alice.email, envelope.customerEmail].sort());
    for (const { text } of late) expect(text).not.toMatch(/first|third/);
  });

  test("a reason that is accepted meanwhile takes back what was uploaded for its document", async () => {
    const alice = await api.signUp();
    const documents = [
      { name: "Passport", required: true },
      { name: "Tax card", required: true, reasonAllowed: true },
    ];
    const envelope = await sendEnvelope(alice, { documents });
    const { upload, submit } = createTus(api, envelope);
    const [passport, card] = [idOf(envelope, "Passport"), idOf(envelope, "Tax card")];
    await upload(passport, pdfFile());
    await submit({ skipped: [{ documentId: card, reason: "I have none" }] });
    await review(alice, envelope, { return: [{ documentId: passport, reason: "Blurry" }] });
    await upload(passport, pdfFile());
    await upload(card, pdfFile("card.pdf"));
    expect((await review(alice, envelope, { accept: [card] })).status).toBe(200);
    expect((await submit({})).status).toBe(201);
    const { submissions } = (await alice.get(`/api/requests/${envelope.id}`)).body;
    expect(submissions.map(({ documentName }: { documentName: string }) => documentName)).not.toContain(
      "Tax card",
    );
  });

  test("an acceptance does not reject what the recipient submits meanwhile", async () => {
    const alice = await api.signUp();
    for (let round = 0; round < 5; round += 1) {
      const envelope = await submittedEnvelope(alice);
      const [passport, contract] = [idOf(envelope, "Passport"), idOf(envelope, "Contract")];
      await review(alice, envelope, { return: [{ documentId: contract, reason: "Blurry" }] });
      const [, sent] = await Promise.all([
        review(alice, envelope, { accept: [passport] }),
        api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile("better.pdf") })),
      ]);
      expect(sent.status).toBe(201);
      expect(states(await read(alice, envelope.id)).Contract).toBe("received");
    }
  });

  test("only submitted documents can be reviewed", async () => {
    const alice = await api.signUp();
    const open = await sendEnvelope(alice, { documents: DOCUMENTS });
    const id = idOf(open, "Passport");
    for (const body of [{ accept: [id] }, { return: [{ documentId: id, reason: "Blurry" }] }])
      expect((await review(alice, open, body)).body.code).toBe("not_completed");
    const envelope = await submittedEnvelope(alice);
    expect((await review(alice, envelope, { accept: [idOf(envelope, "Letter")] })).body.code).toBe(
      "document_not_received",
    );
    expect((await review(alice, envelope, { accept: [id] })).body.code).toBe("unknown_document");
    const bob = await api.signUp();
    expect((await review(bob, envelope, { accept: [idOf(envelope, "Passport")] })).status).toBe(404);
  });

  test("returning a document of an expired link needs a new date", async () => {
    const alice = await api.signUp();
    const envelope = await submittedEnvelope(alice, { expirationDate: "2026-03-20" });
    await api.setClock(later(10));
    const entry = { return: [{ documentId: idOf(envelope, "Passport"), reason: "Blurry" }] };
    const rejected = await review(alice, envelope, entry);
    expect([rejected.status, rejected.body.code]).toEqual([400, "expired_needs_date"]);
    const past = await review(alice, envelope, { ...entry, expirationDate: "2026-03-21" });
    expect([past.status, past.body.issues[0].path]).toEqual([400, "expirationDate"]);
    const { body } = await review(alice, envelope, { ...entry, expirationDate: "2026-04-01" });
    expect([body.status, body.expirationDate]).toEqual(["pending", "2026-04-01"]);
    await api.setClock(TEST_START);
  });

  test("of two concurrent returns, one is sent to the recipient and the other rejected", async () => {
    const alice = await api.signUp();
    const envelope = await submittedEnvelope(alice);
    const before = (await api.mails()).length;
    const entry = { return: [{ documentId: idOf(envelope, "Passport"), reason: "Blurry" }] };
    const responses = await Promise.all([review(alice, envelope, entry), review(alice, envelope, entry)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    await api.finishBackgroundWork();
    expect((await api.mails()).length).toBe(before + 1);
  });

  test.each([
    [{}, ""],
    [{ accept: [] }, ""],
    [{ accept: [1, 1] }, "accept.1"],
    [{ accept: [1], undo: [1] }, "undo.0"],
    [{ return: [{ documentId: 1 }] }, "return.0.reason"],
    [{ return: [{ documentId: 1, reason: " " }] }, "return.0.reason"],
    [{ return: [{ documentId: 1, reason: "x".repeat(501) }] }, "return.0.reason"],
    [{ return: [{ documentId: 1, reason: "x" }], accept: [1] }, "return.0.documentId"],
    [{ accept: ["one"] }, "accept.0"],
    [{ accept: [1], expirationDate: "soon" }, "expirationDate"],
  ])("%j is rejected at %j", async (body, path) => {
    const alice = await api.signUp();
    const envelope = await sendEnvelope(alice);
    const response = await review(alice, envelope, body);
    expect([response.status, response.body.code, response.body.issues[0].path]).toEqual([
      400,
      "validation",
      path,
    ]);
  });
});

describeApi(
  "the limit of messages to a recipient",
  { rateLimits: "on", variables: { UNVERIFIED_ENVELOPES: "3" } },
  (api) => {
    test("applies to documents that are returned repeatedly", async () => {
      const alice = await api.signUp({ proved: false });
      const envelope = await sendEnvelope(alice);
      await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
      const path = `/api/requests/${envelope.id}/review`;
      const documentId = envelope.documents[0].id;
      const codes: (string | undefined)[] = [];
      for (let round = 0; round < 25; round += 1) {
        const { body } = await alice.post(path, { return: [{ documentId, reason: "Blurry" }] });
        codes.push(body.code);
        await alice.post(path, { undo: [documentId] });
      }
      expect(codes.filter((code) => code === undefined).length).toBeLessThanOrEqual(20);
      // The account's address is not proved, so what it sends again counts as an envelope.
      expect(codes.indexOf("verify_email")).toBe(2);
    });
  },
);
