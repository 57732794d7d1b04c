import { afterAll, expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { ENVELOPE, linkOf } from "../support/api/envelopes";
import { ask, type Document, IBAN, named, QUESTIONS } from "../support/api/questions";
import { joinAs } from "../support/api/team";
import { createTus } from "../support/api/tus";
import { pdfFile } from "../support/files/files";
import { readZip } from "../support/files/zip";
import { TEST_START } from "../support/runtime/runtime";

const ALL = { Income: "no", Children: 2, IBAN, "Pays for": ["Car", "Rent"] };
const outcome = ({ status, body }: { status: number; body: { code?: string } | null }) => [
  status,
  body?.code,
];

describeApi("answers", (api) => {
  afterAll(() => api.setClock(TEST_START));
  const asked = (changes?: object, owner?: Parameters<typeof ask>[2]) => ask(api, changes, owner);
  const statesOf = ({ documents }: { documents: Document[] }) =>
    Object.fromEntries(documents.map(({ name, state }) => [name.split(" ")[0], state]));

  test("a returned question opens what was hidden, which is asked in the same hand-in", async () => {
    const { submit, review, read, page, idOf } = await asked();
    await submit(ALL);
    await review({ return: [{ documentId: idOf("Income"), reason: "Really?" }] });
    expect(named(await page(), "Statement").state).toBe("open");
    expect((await submit({ Income: "yes" })).body.issues).toMatchObject([
      { path: `documents.${idOf("Statement")}` },
    ]);
    await submit({ Income: "no" });
    expect(statesOf(await read())).toMatchObject({ Income: "received", Statement: "hidden" });
  });

  test("the notice of answers that were asked for again says so, instead of that there are no files", async () => {
    const { owner, submit, review, idOf } = await asked();
    await submit({ Income: "no" });
    await review({ return: [{ documentId: idOf("Income"), reason: "Really?" }] });
    await api.finishBackgroundWork();
    const before = (await api.mails()).length;
    await api.setClock(new Date(Date.parse(TEST_START) + 60_000).toISOString());
    expect((await submit({ Income: "no" })).status).toBe(201);
    await api.finishBackgroundWork();
    await api.setClock(TEST_START);
    const notices = (await api.mails()).slice(before).filter(({ to }) => to === owner.email);
    expect(notices.map(({ subject }) => subject)).toEqual([expect.stringContaining(" has answered again: ")]);
  });

  test("what was handed in stays when a later answer hides it, and hides what depends on it", async () => {
    const documents = [
      QUESTIONS[0],
      {
        name: "Which",
        kind: "choice",
        options: ["A", "B"],
        showIf: { name: "Income from abroad?", is: ["yes"] },
      },
      { name: "Proof", showIf: { name: "Which", is: ["A"] } },
      { name: "Sum", kind: "number", showIf: { name: "Which", is: ["A"] } },
    ] as object[];
    const { envelope, submit, review, read, idOf, keep } = await asked({ documents });
    await createTus(api, envelope).upload(idOf("Proof"), pdfFile("a.pdf"));
    expect((await submit({ Income: "yes", Which: "A", Sum: 5 })).status).toBe(201);
    const returned = ["Income", "Sum"].map((name) => ({ documentId: idOf(name), reason: "?" }));
    await review({ return: returned });
    // It is open, and hidden by the answer that comes with it.
    await keep({ Sum: 7 });
    expect((await submit({ Income: "no" })).status).toBe(201);
    const now = await read();
    expect(statesOf(now)).toEqual({
      Income: "received",
      Which: "received",
      Proof: "received",
      Sum: "received",
    });
    expect(named(now, "Sum").answer.value).toBe("5");
    expect(now.submissions).toHaveLength(1);
  });

  test("an optional question that is asked again and left out keeps its answer, and what depends on it is asked", async () => {
    const [income, statement] = QUESTIONS;
    const letter = { name: "Letter" };
    const { owner, envelope, submit, review, read, idOf } = await asked({
      documents: [{ ...income, required: false }, { ...statement, required: true }, letter],
    });
    const tus = createTus(api, envelope);
    await tus.upload(idOf("Statement"), pdfFile());
    await tus.upload(idOf("Letter"), pdfFile());
    expect((await submit({ Income: "yes" })).status).toBe(201);
    await review({
      return: ["Income", "Statement", "Letter"].map((name) => ({ documentId: idOf(name), reason: "?" })),
    });
    expect((await read()).progress).toEqual({ uploaded: 0, total: 3 });
    expect((await owner.get("/api/requests")).body[0].progress).toEqual({ uploaded: 0, total: 3 });
    await tus.upload(idOf("Letter"), pdfFile());
    expect((await submit()).body.issues).toMatchObject([{ path: `documents.${idOf("Statement")}` }]);
    expect((await submit({ Income: null })).status).toBe(201);
    expect(statesOf(await read())).toMatchObject({ Income: "received", Statement: "received" });
    await review({
      return: ["Income", "Statement"].map((name) => ({ documentId: idOf(name), reason: "?" })),
    });
    const skipped = { skipped: [{ documentId: idOf("Income"), reason: "Not sure" }] };
    expect((await submit({}, skipped)).status).toBe(201);
    expect(statesOf(await read())).toMatchObject({ Income: "skipped", Statement: "received" });
  });

  test("a hidden or unanswered question is neither accepted nor returned", async () => {
    const { submit, review, idOf, read } = await asked();
    await submit({ Income: "no" });
    for (const name of ["Statement", "Children"]) {
      expect(outcome(await review({ accept: [idOf(name)] }))).toEqual([409, "document_not_received"]);
      const returned = [{ documentId: idOf(name), reason: "?" }];
      expect(outcome(await review({ return: returned }))).toEqual([409, "document_not_received"]);
    }
    expect((await read()).review).toEqual({ toReview: 1, accepted: 0, returned: 0 });
  });

  test("the list says what is answered, and only the single read has answers", async () => {
    const { owner, envelope, submit, keep, read } = await asked();
    const listed = async () => (await owner.get("/api/requests")).body[0];
    await keep({ Children: 3, Income: "no" });
    expect((await read()).progress).toEqual((await listed()).progress);
    expect((await read()).progress).toEqual({ uploaded: 2, total: 4 });
    expect(named(await listed(), "Children")).toMatchObject({ answered: false });
    await submit(ALL);
    expect(named(await listed(), "Children")).toMatchObject({ answered: true });
    for (const name of ["Children", "IBAN"]) {
      expect(named(await listed(), name)).not.toHaveProperty("answer");
      expect(named(await listed(), name)).not.toHaveProperty("earlier");
    }
    expect(named(await read(), "Children")).toMatchObject({ earlier: [], answer: { createdAt: TEST_START } });
    const { body: rows } = await owner.get(`/api/requests?view=row&ids=${envelope.id}`);
    expect(rows).toMatchObject([{ questions: 4, documents: 4 }]);
  });

  test("a deleted answer is gone with its earlier values, and stays answered", async () => {
    const { owner, envelope, submit, review, read, idOf, keep } = await asked();
    const path = `/api/requests/${envelope.id}/answers/${idOf("Children")}`;
    await keep({ Children: 5 });
    expect(outcome(await owner.delete(path))).toEqual([404, "not_found"]);
    await submit(ALL);
    await review({ return: [{ documentId: idOf("Children"), reason: "?" }] });
    await submit({ Children: 3 });
    const { token } = (await owner.post("/api/tokens", { name: "Script", scope: "write" })).body;
    const script = { authorization: `Bearer ${token}` };
    const viewer = await joinAs(api, owner, "viewer");
    expect(outcome(await viewer.delete(path))).toEqual([403, "role_required"]);
    expect((await api.anonymous().send("DELETE", path, undefined, script)).status).toBe(204);
    expect(named(await read(), "Children")).toMatchObject({ answered: true, answer: null, earlier: [] });
    const values = await api.select(`select value from answers where envelope_id = ${envelope.id}`);
    expect(values.map(({ value }) => value)).not.toContain('"2"');
    expect(values.filter(({ value }) => value === null)).toHaveLength(2);
    const { body: timeline } = await owner.get(`/api/requests/${envelope.id}/timeline`);
    expect(timeline).toContainEqual(expect.objectContaining({ kind: "answer_deleted", detail: "Children" }));
    const { text } = await owner.get(`/api/requests/answers.csv?ids=${envelope.id}`);
    expect(text.split("\r\n")[1]).toEndWith(`,No,,Confidential,"Rent;Car"`);
  });

  test("only a recent session reveals, what is not confidential as well, and nothing that is only kept", async () => {
    const { owner, envelope, submit, idOf, keep } = await asked();
    const reveal = (name: string) => `/api/requests/${envelope.id}/answers/${idOf(name)}/reveal`;
    await keep({ IBAN });
    expect(outcome(await owner.post(reveal("IBAN")))).toEqual([404, "not_found"]);
    await submit(ALL);
    const shown = await owner.post(reveal("Pays for"));
    expect([shown.body, shown.headers.get("cache-control")]).toEqual([
      { value: ["Rent", "Car"] },
      "no-store",
    ]);
    const { token } = (await owner.post("/api/tokens", { name: "Script", scope: "write" })).body;
    const script = { authorization: `Bearer ${token}` };
    const byScript = await api.anonymous().send("POST", reveal("IBAN"), undefined, script);
    expect(outcome(byScript)).toEqual([403, "token_not_allowed"]);
    const viewer = await joinAs(api, owner, "viewer");
    expect(outcome(await viewer.post(reveal("IBAN")))).toEqual([403, "role_required"]);
    await api.setClock(new Date(Date.parse(TEST_START) + 3_600_000).toISOString());
    expect(outcome(await owner.post(reveal("IBAN")))).toEqual([403, "reauthentication_required"]);
    await api.setClock(TEST_START);
  });

  test("messages name no answer, how many there are, and nothing that may never be asked", async () => {
    const documents = [...QUESTIONS, { name: "Remarks", kind: "longText" }];
    const { owner, envelope, keep, submit, review, idOf } = await asked({
      documents,
      subject: "Of many answers",
    });
    const reminder = async () =>
      (await owner.get(`/api/requests/${envelope.id}/reminder`)).body.email?.text ?? "";
    expect(await reminder()).toContain("- Children");
    await keep({ Income: "yes" });
    expect(await reminder()).not.toContain("Statement");
    await createTus(api, envelope).upload(idOf("Statement"), pdfFile());
    await submit({ ...ALL, Income: "yes", Remarks: "an axolotl" });
    await api.finishBackgroundWork();
    const mails = (await api.mails()).filter(({ subject }) => subject.includes("Of many answers"));
    const texts = mails.map(({ text }) => text);
    expect(texts.filter((text) => /^Answers: 5$/m.test(text))).toHaveLength(2);
    expect(texts.filter((text) => /axolotl|School|Rent/.test(text))).toEqual([]);
    await review({
      return: ["Income", "Statement"].map((name) => ({ documentId: idOf(name), reason: "?" })),
    });
    expect(await reminder()).toContain("- Statement of foreign income");
  });

  test("of a contact's thousands of envelopes, those that were answered last are looked at", async () => {
    const owner = await api.signUp();
    const { body: contact } = await owner.post("/api/contacts", {
      email: "rita@example.com",
      firstName: "R",
    });
    const documents = [{ name: "Newer", kind: "text" }];
    const all = { documents: [{ name: "Old", kind: "text" }, ...documents], contactId: contact.id };
    const old = await ask(api, all, owner);
    expect((await old.submit({ Old: "o", Newer: "n" })).status).toBe(201);
    const later = "2030-01-01T00:00:00.000Z";
    const offers = async () =>
      (await (await ask(api, { ...all, prefill: true }, owner)).page()).documents.map(
        ({ offered }: Document) => offered?.value,
      );
    expect(await offers()).toEqual(["o", "n"]);
    const draft = { ...ENVELOPE, documents, contactId: contact.id, isDraft: true };
    for (let count = 0; count < 50; count += 1) await owner.post("/api/requests", draft);
    expect(await offers()).toEqual(["o", "n"]);
    await api.execute(
      `insert into answers (envelope_id, envelope_document_id, value, sealed, created_at, submitted_at)
        select envelope_id, id, '"later"', 0, '${later}', '${later}' from envelope_documents
        where name = 'Newer' and envelope_id > ${old.envelope.id} and envelope_id in
          (select envelope_id from envelope_documents group by 1 having count(*) = 1)`,
    );
    expect(await offers()).toEqual([undefined, "later"]);
  });

  test("a contact is offered what they answered last, never a confidential answer or one that no longer fits", async () => {
    const owner = await api.signUp();
    const { body: contact } = await owner.post("/api/contacts", {
      firstName: "Rita",
      email: "rita@example.com",
    });
    const first = await asked({ contactId: contact.id }, owner);
    await first.submit(ALL);
    await first.review({ return: [{ documentId: first.idOf("Children"), reason: "?" }] });
    await first.submit({ Children: 3 });
    const documents = [
      ...QUESTIONS.slice(0, 2),
      { ...QUESTIONS[2], name: "CHILDREN" },
      QUESTIONS[3],
      { ...QUESTIONS[4], options: ["Boat", "Plane"] },
    ];
    const offers = async (changes: object, sender = owner) =>
      Object.fromEntries(
        (await (await asked({ documents, ...changes }, sender)).page()).documents.map(
          ({ name, offered }: Document) => [name, offered?.value],
        ),
      );
    const prefilled = { contactId: contact.id, prefill: true };
    expect(await offers(prefilled)).toEqual({
      "Income from abroad?": "no",
      "Statement of foreign income": undefined,
      CHILDREN: "3",
      IBAN: undefined,
      "Pays for": undefined,
    });
    expect(Object.values(await offers({ contactId: contact.id })).filter(Boolean)).toEqual([]);
    const refused = await owner.post("/api/requests", {
      ...{ recipientName: "R", recipientEmail: "r@example.com", subject: "S", documents },
      prefill: true,
    });
    expect([refused.status, refused.body.issues[0].path]).toEqual([400, "prefill"]);
    // It counts only when it is confirmed.
    const again = await asked({ documents, ...prefilled }, owner);
    expect(again.envelope.prefill).toBe(true);
    expect((await again.submit()).body.issues).toMatchObject([{ path: `answers.${again.idOf("Income")}` }]);
    await owner.delete(`/api/requests/${first.envelope.id}/answers/${first.idOf("Children")}`);
    expect((await offers(prefilled)).CHILDREN).toBeUndefined();
  });

  test("an answer that is asked for again is not offered as still correct until it is given again", async () => {
    const owner = await api.signUp();
    const { body: contact } = await owner.post("/api/contacts", {
      firstName: "Rita",
      email: "rita@example.com",
    });
    const documents = [
      { name: "Employer", kind: "text" },
      { name: "Landlord", kind: "text" },
    ];
    const earlier = await asked({ documents, contactId: contact.id }, owner);
    await earlier.submit({ Employer: "ACME", Landlord: "Bob" });
    const later = await asked({ documents, contactId: contact.id }, owner);
    await api.setClock(new Date(Date.parse(TEST_START) + 60_000).toISOString());
    await later.submit({ Employer: "AMCE", Landlord: "Alice" });
    const next = await asked({ documents, contactId: contact.id, prefill: true }, owner);
    const offers = async () =>
      (await next.page()).documents.map(({ offered }: Document) => offered?.value ?? null);
    expect(await offers()).toEqual(["AMCE", "Alice"]);
    await later.review({ return: [{ documentId: later.idOf("Employer"), reason: "Who?" }] });
    expect(await offers()).toEqual(["ACME", "Alice"]);
    await earlier.review({ return: [{ documentId: earlier.idOf("Employer"), reason: "Who?" }] });
    expect(await offers()).toEqual([null, "Alice"]);
    await later.submit({ Employer: "AMCE" });
    expect(await offers()).toEqual(["AMCE", "Alice"]);
    await api.setClock(TEST_START);
  });

  test("what somebody else has answered whom an earlier envelope was for is not offered", async () => {
    const owner = await api.signUp();
    const rita = { recipientName: "Rita", recipientEmail: "rita@example.com" };
    const bob = { recipientName: "Bob", recipientEmail: "bob@example.com" };
    const { body: contact } = await owner.post("/api/contacts", {
      firstName: "Rita",
      email: rita.recipientEmail,
    });
    const documents = [
      { name: "Account", kind: "text" },
      { name: "Letter", kind: "text" },
    ];
    const earlier = await asked({ documents, ...bob, contactId: contact.id }, owner);
    await earlier.submit({ Account: "of Bob", Letter: "x" });
    await earlier.review({ return: [{ documentId: earlier.idOf("Letter"), reason: "?" }] });
    expect((await earlier.change(documents, { ...rita, contactId: contact.id })).status).toBe(200);
    const later = await asked({ documents, ...rita, contactId: contact.id, prefill: true }, owner);
    expect(named(await later.page(), "Account").offered).toBeNull();
  });

  test("of what one recipient keeps, another one sees and submits nothing, also by a contact whose address was typed over", async () => {
    const owner = await api.signUp();
    const documents = [{ name: "Account", kind: "text" }, { name: "Passport" }];
    const ann = { recipientName: "Ann", recipientEmail: "ann@example.com" };
    const bob = { recipientName: "Bob", recipientEmail: "bob@example.com" };
    const { envelope, keep, change, idOf } = await asked({ documents, ...ann }, owner);
    expect((await keep({ Account: "of Ann" })).status).toBe(204);
    const location = await createTus(api, envelope).upload(idOf("Passport"), pdfFile("ann.pdf"));
    const readAs = async (changes: object) => {
      const { body } = await change(documents, changes);
      const page = (await api.anonymous().get(linkOf(body))).body;
      return [named(page, "Account").answer, named(page, "Passport").files.length, linkOf(body)];
    };
    for (const stays of [
      { ...bob, recipientEmail: ann.recipientEmail },
      ann,
      { ...ann, recipientEmail: "ann@example.org" },
    ])
      expect(await readAs(stays)).toEqual(["of Ann", 1, expect.any(String)]);
    const [answer, files, link] = await readAs({ ...bob, recipientEmail: "ann@example.org" });
    expect([answer, files]).toEqual([null, 0]);
    expect((await api.anonymous().post(link, {})).body.code).toBe("multipart_required");
    expect((await api.anonymous().post(`${link}/submit`, {})).body.code).toBe("nothing_to_submit");
    const key = location.split("/").at(-1);
    expect(await api.select(`select id from uploads where id = '${key}'`)).toEqual([]);

    const { body: contact } = await owner.post("/api/contacts", {
      firstName: "Ann",
      email: "ann@example.com",
    });
    const linked = { contactId: contact.id, documents };
    await (await asked({ ...linked, ...ann }, owner)).submit({ Account: "of Ann" });
    const offered = async (recipient: object) =>
      named(await (await asked({ ...linked, ...recipient, prefill: true }, owner)).page(), "Account").offered
        ?.value;
    expect(await offered(ann)).toBe("of Ann");
    expect(await offered(bob)).toBeUndefined();
    const phone = { countryCode: "+1", recipientPhone: "4155550123", notificationPreference: "both" };
    expect(await offered({ ...ann, ...phone })).toBeUndefined();
    await (await asked({ ...linked, ...bob }, owner)).submit({ Account: "of Bob" });
    expect(await offered(bob)).toBe("of Bob");
  });

  test("a contact that becomes somebody else, with another name and address, is not offered the earlier one's answers", async () => {
    const owner = await api.signUp();
    const ann = { firstName: "Ann", lastName: "Lee", email: "ann@example.com", phone: "+14155550123" };
    const { body: contact } = await owner.post("/api/contacts", ann);
    const documents = [{ name: "Account", kind: "text" }];
    const offered = async (by: typeof ann, more: object = {}) => {
      const person = { ...ann, ...by };
      expect((await owner.patch(`/api/contacts/${contact.id}`, by)).status).toBe(200);
      const recipient = {
        ...{ recipientName: `${person.firstName} ${person.lastName}`, recipientEmail: person.email },
        ...{ contactId: contact.id, prefill: true, documents, ...more },
      };
      return named(await (await asked(recipient, owner)).page(), "Account").offered?.value;
    };
    const sent = await asked(
      { recipientName: "Ann Lee", recipientEmail: ann.email, contactId: contact.id, documents },
      owner,
    );
    await sent.submit({ Account: "of Ann" });
    expect(await offered({ ...ann, email: "ann@example.org" })).toBe("of Ann");
    expect(await offered({ ...ann, lastName: "Smith" })).toBe("of Ann");
    const bob = { ...ann, firstName: "Bob", lastName: "Other", email: "bob@example.com" };
    expect(await offered(bob)).toBeUndefined();
  });

  test("two devices that answer at once see no error, and a submit has the last of both", async () => {
    const { keep, submit, page, read } = await asked();
    const values = Array.from({ length: 8 }, (_, index) => ({ Children: index, IBAN, "Pays for": ["Car"] }));
    const kept = await Promise.all(values.map((answers) => keep(answers)));
    expect(kept.map(({ status }) => status)).toEqual(values.map(() => 204));
    expect(named(await page(), "Children").answer).toMatch(/^[0-7]$/);
    const [sent, ...others] = await Promise.all([
      submit({ Income: "no" }),
      keep({ Children: 8 }),
      keep({ Children: 9 }),
    ]);
    expect(sent.status).toBe(201);
    for (const other of others) expect([204, 410]).toContain(other.status);
    expect(named(await read(), "Children").answer.value).toMatch(/^\d$/);
    expect(named(await read(), "IBAN").answered).toBe(true);
  });

  test("a question that has changed says so, and drops what no longer fits", async () => {
    const secret = { name: "Account", kind: "text", confidential: true };
    const { keep, page, change } = await asked({ documents: [...QUESTIONS, secret] });
    await keep({ Children: 9, IBAN, "Pays for": ["Car"], Account: "mine" });
    const changed = [...QUESTIONS, { ...secret, format: "iban" }].map((entry) =>
      entry.name === "Children"
        ? { ...entry, max: "5" }
        : entry.name === "IBAN"
          ? { ...entry, confidential: false }
          : entry,
    );
    expect((await change(changed)).status).toBe(200);
    const now = await page();
    expect(named(now, "Children")).toMatchObject({ answered: false, answer: null, questionChanged: true });
    expect(named(now, "IBAN")).toMatchObject({ answered: false, answer: null });
    expect(named(now, "Account")).toMatchObject({ answered: false, questionChanged: true });
    expect(named(now, "Pays for")).toMatchObject({ answered: true, questionChanged: false });
    await keep({ Children: 4 });
    expect(named(await page(), "Children")).toMatchObject({ answered: true, questionChanged: false });
  });

  test("a skip is refused beside a kept answer, ignored where it is hidden, and closes what depends on it", async () => {
    const documents = QUESTIONS.map((entry) => ({ ...entry, reasonAllowed: true }));
    const { keep, submit, idOf, read } = await asked({ documents });
    await keep({ Income: "yes" });
    const skip = (...names: string[]) => ({
      skipped: names.map((name) => ({ documentId: idOf(name), reason: "I do not know" })),
    });
    expect(outcome(await submit({}, skip("Income")))).toEqual([400, "document_has_file"]);
    expect((await submit({ Income: null }, skip("Income", "Statement"))).status).toBe(201);
    expect(statesOf(await read())).toMatchObject({ Income: "skipped", Statement: "hidden" });
  });

  test.each([
    ["zero-width spaces", "\u200b\u2060 \ufeff\u200d"],
    ["soft hyphens", "\u00ad"],
    ["Hangul fillers", "\u3164\u115f\uffa0"],
    ["blank Braille patterns and control characters", "\u2800\u0085\u0001"],
    ["variation selectors and tags", "\ufe0f\u{e0020}"],
  ])("%s alone are no answer, no reason and no note", async (_, invisible) => {
    const documents = [
      { name: "Tax number", kind: "text", required: true, reasonAllowed: true },
      { name: "Remarks", kind: "longText" },
    ];
    const { keep, submit, idOf, page, review } = await asked({ documents });
    const skipped = [{ documentId: idOf("Tax"), reason: invisible }];
    expect(outcome(await submit({ Tax: invisible }))).toEqual([400, "missing_documents"]);
    expect(outcome(await submit({}, { skipped }))).toEqual([400, "missing_documents"]);
    await keep({ Tax: `${invisible}1${invisible}`, Remarks: invisible });
    expect(named(await page(), "Remarks")).toMatchObject({ answered: false, answer: null });
    expect((await submit({}, { note: invisible })).status).toBe(201);
    const returned = { return: [{ documentId: idOf("Tax"), reason: invisible }] };
    expect(outcome(await review(returned))).toEqual([400, "validation"]);
  });

  test("nothing but hidden answers is nothing, and an upload under way below them is deleted", async () => {
    const documents = [
      { name: "More?", kind: "yesNo" },
      { name: "Papers", showIf: { name: "More?", is: ["yes"] } },
      { name: "Sum", kind: "number", showIf: { name: "More?", is: ["yes"] } },
    ];
    const { envelope, submit, idOf } = await asked({ documents });
    expect(outcome(await submit({ Sum: 5 }))).toEqual([400, "nothing_to_submit"]);
    const file = pdfFile();
    expect((await createTus(api, envelope).create(idOf("Papers"), "a.pdf", file.size)).status).toBe(201);
    expect((await submit({ "More?": "no", Sum: 5 })).status).toBe(201);
    expect(await api.select(`select id from uploads where envelope_id = ${envelope.id}`)).toEqual([]);
    const kept = await api.select(`select value from answers where envelope_id = ${envelope.id}`);
    expect(kept).toEqual([{ value: '"no"' }]);
  });

  test("in the multipart call a hidden part is dropped, and each mistake has its code", async () => {
    const multipart = async (...parts: [name: string, value: string | File][]) => {
      const { link, recipient, read } = await asked();
      const data = new FormData();
      for (const [name, value] of parts) data.append(name, value);
      const sent = await recipient.post(link, data);
      return { sent, read };
    };
    const income = ["Income from abroad?", "no"] as const;
    const { sent, read } = await multipart([...income], ["Statement of foreign income", pdfFile()]);
    expect(sent.status).toBe(201);
    expect((await read()).submissions).toEqual([]);
    const code = async (...parts: [string, string | File][]) => (await multipart(...parts)).sent.body.code;
    expect(await code(["Statement of foreign income", "text"])).toBe("not_a_file");
    expect(await code([...income], [...income])).toBe("duplicate_document");
    expect(await code(["Children", "3,2"], [...income])).toBe("invalid_answer");
    expect(await code(["IBAN", "x".repeat(40_001)], [...income])).toBe("invalid_answer");
    expect(await code(["Pays for", "Car".padEnd(1001)], [...income])).toBe("invalid_answer");
    const options = Array.from({ length: 52 }, () => ["Pays for", "Car"] as [string, string]);
    expect(await code(...options, [...income])).toBe("duplicate_document");
    expect(await code(["Pays for", "Car"], ["Pays for", "Car"], [...income])).toBe("invalid_answer");
  });

  test("a body of more than a megabyte is refused before it is read", async () => {
    const { recipient, link, idOf } = await asked();
    const answers = { [idOf("Children")]: "x".repeat(1_100_000) };
    expect(outcome(await recipient.put(`${link}/answers`, { answers }))).toEqual([413, "body_too_large"]);
  });

  test("hostile names and texts are kept as text or refused with a sentence", async () => {
    const owner = await api.signUp();
    const documents = [
      { name: "__proto__", kind: "text" },
      { name: "constructor", kind: "choice", options: ["__proto__", "toString"] },
      { name: "Remarks", kind: "longText", showIf: { name: "CONSTRUCTOR", is: ["__proto__"] } },
      { name: "=1+1", kind: "number" },
    ];
    const { envelope, submit, read, keep } = await asked({ documents }, owner);
    const marks = "a\u0301\u0327".repeat(3333);
    for (const wrong of [{ Remarks: `${marks}xx\u0301` }, { constructor: "valueOf" }, { "=1+1": "1e400" }])
      expect(outcome(await keep(wrong))).toEqual([400, "invalid_answer"]);
    const given = { constructor: "__proto__", Remarks: marks, "=1+1": "-5" };
    expect((await submit({ ...given, ["__proto__"]: "=HYPERLINK(1)" })).status).toBe(201);
    const now = await read();
    expect(now.documents.map(({ answer }: Document) => answer?.value)).toEqual([
      "=HYPERLINK(1)",
      "__proto__",
      marks,
      "-5",
    ]);
    const { text } = await owner.get(`/api/requests/answers.csv?ids=${envelope.id}`);
    expect(text).toContain("'=1+1");
    expect(text).toContain("'=HYPERLINK(1)");
    expect(text).toEndWith(`${marks},-5\r\n`);
  });

  test("the spreadsheet has one column for a name, the newest first, and refuses what is not the caller's", async () => {
    const owner = await api.signUp();
    const one = await asked(
      {
        documents: [
          { name: "Sum", kind: "number" },
          { name: "Word", kind: "text" },
        ],
      },
      owner,
    );
    await one.submit({ Sum: -5, Word: "-x" });
    const two = await asked(
      {
        documents: [
          { name: "Late", kind: "yesNo" },
          { name: "SUM", kind: "number" },
        ],
      },
      owner,
    );
    await two.submit({ Late: "yes" });
    await asked({}, owner);
    const viewer = await joinAs(api, owner, "viewer");
    const { token } = (await owner.post("/api/tokens", { name: "Script", scope: "read" })).body;
    await owner.patch("/api/user/profile", { languagePreference: "de" });
    const path = `/api/requests/answers.csv?workspaceId=${owner.workspaceId}`;
    const { text, headers } = await api.anonymous().get(path, { authorization: `Bearer ${token}` });
    expect(headers.get("content-type")).toStartWith("text/csv");
    expect((await owner.bytes(path)).slice(0, 3)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf]));
    const [head = "", ...rows] = text.split("\r\n");
    expect(head).toEndWith("Late,SUM,Word");
    expect(rows).toEqual([expect.stringMatching(/,Ja,,$/), expect.stringMatching(/,,-5,'-x$/), ""]);
    expect((await viewer.get(path)).status).toBe(200);
    const stranger = await api.signUp();
    expect(outcome(await stranger.get(path))).toEqual([404, "workspace_not_found"]);
    const ids = `ids=${one.envelope.id}`;
    expect(outcome(await stranger.get(`/api/requests/answers.csv?${ids}`))).toEqual([
      404,
      "envelope_not_found",
    ]);
    const many = Array.from({ length: 1001 }, (_, index) => index + 1).join();
    expect((await owner.get(`/api/requests/answers.csv?ids=${many}`)).status).toBe(400);
    expect((await stranger.get("/api/requests/answers.csv")).text.split("\r\n")).toHaveLength(2);
  });

  test("the list of answers has as many questions as a spreadsheet has columns", async () => {
    const { envelope, submit, owner } = await asked();
    await submit(ALL);
    const path = `/api/requests/answers.csv?ids=${envelope.id}`;
    const has = (await owner.get(path)).text.split("\r\n")[0]?.split(",").length ?? 0;
    const add = (count: number) =>
      api.execute(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
         insert into envelope_documents (envelope_id, position, name, allowed_file_types, kind)
         select ${envelope.id}, 100, 'Question ${count} ' || i, '[]', 'text' from n`,
      );
    await add(16_384 - has);
    expect((await owner.get(path)).text.split("\r\n")[0]?.split(",")).toHaveLength(16_384);
    await add(1);
    const { status, body } = await owner.get(path);
    expect([status, body.issues]).toMatchObject([
      400,
      [{ path: "ids", message: "A list holds at most 16380 questions: choose fewer requests" }],
    ]);
  });

  test("the answers to a call for several recipients are one spreadsheet", async () => {
    const owner = await api.signUp();
    const { body } = await owner.post("/api/requests/bulk", {
      envelope: { subject: "Tax", documents: QUESTIONS },
      recipients: ["Ann", "Ben"].map((name) => ({
        recipientName: name,
        recipientEmail: `${name}@example.com`,
      })),
    });
    await api.finishBackgroundWork();
    await api.runJobs();
    const group = (await owner.get(`/api/requests/bulk/${body.id}`)).body;
    expect(group).toMatchObject({ created: 2, questions: 4 });
    const envelopes = (await owner.get(`/api/requests?bulkId=${body.id}`)).body;
    for (const envelope of envelopes)
      await api.anonymous().post(`${linkOf(envelope)}/submit`, {
        answers: { [named(envelope, "Income").id]: "no", [named(envelope, "Children").id]: 1 },
      });
    await asked({}, owner);
    const { text } = await owner.get(`/api/requests/answers.csv?bulkId=${body.id}`);
    expect(text.split("\r\n").slice(1)).toEqual([
      expect.stringMatching(/^Ben,.*,No,1,,$/),
      expect.stringMatching(/^Ann,.*,No,1,,$/),
      "",
    ]);
  });

  test("the archive has the answers without confidential ones, in each folder, and one spreadsheet", async () => {
    const owner = await api.signUp();
    const documents = [...QUESTIONS, { name: "answers", allowedFileTypes: ["pdf"] }];
    const { envelope, submit, idOf } = await asked({ documents }, owner);
    await createTus(api, envelope).upload(idOf("answers"), pdfFile("answers.pdf"));
    await submit(ALL);
    const other = await asked({}, owner);
    await other.submit(ALL);
    const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
    const one = readZip(await owner.bytes(`/api/requests/${other.envelope.id}/files.zip`));
    expect([...one.keys()].sort()).toEqual(["answers.csv", "answers.html"]);
    for (const bytes of one.values()) expect(text(bytes)).not.toContain(IBAN);
    expect(text(one.get("answers.html"))).toContain("Rent");
    const both = readZip(
      await owner.bytes(`/api/requests/files.zip?ids=${envelope.id},${other.envelope.id}`),
    );
    const names = [...both.keys()];
    expect(names.filter((name) => name === "answers.csv")).toHaveLength(1);
    expect(names.filter((name) => /^[^/]+\/answers\.html$/.test(name))).toHaveLength(2);
    expect(text(both.get("manifest.csv"))).not.toContain("answers.html");
  });

  test("a template is checked like a sent envelope, a bulk call names the path, and today is compared", async () => {
    const owner = await api.signUp();
    const documents = [
      { name: "A", kind: "choice", options: ["x", " X "] },
      { name: "B", kind: "date", min: "today", max: "2020-01-01" },
      { name: "C", showIf: { name: "A", is: [] } },
      { name: "D", showIf: { name: "A", is: ["z"] } },
    ];
    const paths = ({ body }: { body: { issues: { path: string }[] } }) => body.issues.map(({ path }) => path);
    const template = await owner.post("/api/templates", { name: "T", fields: documents });
    expect([template.status, paths(template)]).toEqual([
      400,
      ["fields.0.options", "fields.2.showIf", "fields.3.showIf"],
    ]);
    const bulk = await owner.post("/api/requests/bulk", {
      envelope: { subject: "S", documents },
      recipients: [{ recipientName: "R", recipientEmail: "r@example.com" }],
    });
    expect(paths(bulk)).toContain("envelope.documents.0.options");
    const fitting = [
      { name: "A", kind: "choice", options: ["x", "y"] },
      { name: "B", kind: "date", min: "today", max: "2020-01-01" },
    ];
    const sent = { recipientName: "R", recipientEmail: "r@example.com", subject: "S", documents: fitting };
    expect(paths(await owner.post("/api/requests", sent))).toEqual(["documents.1.min"]);
    const wrong = { isDraft: true, documents: [{ name: "A", kind: "choice", options: ["a\nb"] }] };
    expect(paths(await owner.post("/api/requests", wrong))).toEqual(["documents.0.options.0"]);
    const plain = {
      isDraft: true,
      documents: [{ name: "A", kind: "file", options: ["x"], min: "5", decimals: 4 }],
    };
    const { body } = await owner.post("/api/requests", plain);
    expect(body.documents[0]).toMatchObject({ options: [], min: null, decimals: 2, kind: "file" });
  });

  test("answers go with the files after the chosen days, earlier ones too, and stay answered", async () => {
    const owner = await api.signUp();
    await owner.patch(`/api/workspaces/${owner.workspaceId}`, { retentionDays: 30 });
    const { envelope, submit, review, idOf, read } = await asked({}, owner);
    await submit(ALL);
    await review({ return: [{ documentId: idOf("Children"), reason: "?" }] });
    await submit({ Children: 3 });
    const values = () =>
      api.select(`select value from answers where envelope_id = ${envelope.id} and value is not null`);
    expect(await values()).toHaveLength(5);
    for (const day of [23, 23.1, 30.2])
      await api.runJobs(new Date(Date.parse(TEST_START) + day * 86_400_000).toISOString());
    expect(await values()).toEqual([]);
    await owner.post("/api/login", { email: owner.email, password: owner.password });
    expect(named(await read(), "Children")).toMatchObject({ answered: true, answer: null, earlier: [] });
    await api.setClock(TEST_START);
  });

  test("the copy of an account has open answers, and no sealed one", async () => {
    const { owner, submit } = await asked();
    await submit(ALL);
    const files = readZip(await owner.bytes("/api/user/export"));
    const text = [...files.values()].map((bytes) => new TextDecoder().decode(bytes)).join("");
    expect(text).toContain("Rent");
    for (const sealed of [IBAN, "v1."]) expect(text).not.toContain(sealed);
  });

  test("envelopes without questions show none, and keep the archive as it was", async () => {
    const owner = await api.signUp();
    const { envelope } = await asked({ documents: [{ name: "Contract" }] }, owner);
    const data = new FormData();
    data.append("Contract", pdfFile());
    expect((await api.anonymous().post(linkOf(envelope), data)).status).toBe(201);
    expect([...readZip(await owner.bytes(`/api/requests/${envelope.id}/files.zip`)).keys()]).toEqual(
      expect.not.arrayContaining(["answers.html", "answers.csv"]),
    );
    const { body: rows } = await owner.get("/api/requests?view=board");
    expect(rows).toMatchObject([{ questions: 0 }]);
  });
});
