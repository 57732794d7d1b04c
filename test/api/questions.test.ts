import { describe, expect, test } from "bun:test";
import { LIMITS } from "../../worker/contract/limits";
import { type ApiResponse, describeApi } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { ask, type Document, named, QUESTIONS } from "../support/api/questions";
import { createTus } from "../support/api/tus";
import { pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

describeApi("questions of an envelope", (api) => {
  const states = ({ documents }: ApiResponse["body"]) =>
    documents.map(({ name, state }: Document) => `${name.split(" ")[0]} ${state}`);

  const asked = (changes?: object) => ask(api, changes);

  test("answers are kept on the link, and submitted together", async () => {
    const { owner, read, keep, submit, page } = await asked();
    expect(named(await page(), "Children")).toMatchObject({ kind: "number", answered: false, answer: null });
    expect((await keep({ Children: 2, "Pays for": ["Car", "Rent"], Income: "no" })).status).toBe(204);
    expect((await keep({ Children: " 03 ", IBAN: "de89 3704 0044 0532 0130 00" })).status).toBe(204);
    const kept = await page();
    expect(named(kept, "Children")).toMatchObject({ answered: true, answer: "3" });
    expect(named(kept, "Pays for")).toMatchObject({ answered: true, answer: ["Rent", "Car"] });
    expect(named(kept, "IBAN")).toMatchObject({ answered: true, answer: null });
    expect(named(await read(), "Children")).toMatchObject({
      answered: false,
      answer: null,
      state: "open",
    });
    expect((await submit({ Children: null })).status).toBe(201);
    const submitted = await read();
    expect(states(submitted)).toEqual([
      "Income received",
      "Statement hidden",
      "Children open",
      "IBAN received",
      "Pays received",
    ]);
    expect(named(submitted, "Pays for").answer).toMatchObject({ value: ["Rent", "Car"] });
    expect(named(submitted, "IBAN")).toMatchObject({ answered: true, answer: { value: null } });
    expect(submitted.review.toReview).toBe(3);
    const { body: rows } = await owner.get("/api/requests?view=row");
    expect(rows[0]).toMatchObject({ toReview: 3, received: 3 });
  });

  test("a field that does not belong to a kind is ignored, whatever it is", async () => {
    const owner = await api.signUp();
    const wrong = {
      options: "none",
      decimals: 99,
      format: "phone",
      min: 5,
      renewDays: 999,
      attachments: [0],
    };
    const documents = [
      { name: "Text", kind: "longText", ...wrong, allowedFileTypes: ["?"], multiple: "yes" },
      { name: "File", ...wrong, renewDays: null, attachments: [], confidential: "yes" },
    ];
    const { status, body } = await owner.post("/api/requests", { ...ENVELOPE, documents });
    expect(status).toBe(201);
    const defaults = { options: [], decimals: 2, format: null, min: null, renewDays: null, attachments: [] };
    expect(body.documents).toMatchObject([
      { ...defaults, allowedFileTypes: ["pdf", "doc", "docx"], multiple: false },
      { ...defaults, confidential: false },
    ]);
    const { body: refused } = await owner.post("/api/templates", {
      name: "T",
      fields: [{ name: "N", ...wrong, kind: "number" }],
    });
    expect(refused.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      "fields.0.decimals",
      "fields.0.min",
    ]);
  });

  test("what a condition hides is neither required nor handed in, and what it shows is required", async () => {
    const { envelope, read, submit, keep } = await asked();
    const missing = await submit({ Income: "yes" });
    expect([missing.status, missing.body.code]).toEqual([400, "missing_documents"]);
    expect(missing.body.issues).toEqual([
      { path: `documents.${named(envelope, "Statement").id}`, message: "This is required" },
    ]);
    const nothing = await submit();
    expect(nothing.body.issues).toMatchObject([{ path: `answers.${named(envelope, "Income").id}` }]);
    await createTus(api, envelope).upload(named(envelope, "Statement").id, pdfFile("a.pdf"));
    await keep({ Income: "no" });
    expect((await submit()).status).toBe(201);
    expect(states(await read())[1]).toBe("Statement hidden");
    expect((await read()).submissions).toEqual([]);
  });

  test("answers that do not fit are refused with a sentence for each, and nothing is kept", async () => {
    const { envelope, keep, page, recipient, link } = await asked();
    const refused = await keep({ Children: "3,2", IBAN: "DE00 1234", "Pays for": ["Boat"], Income: "yes" });
    expect([refused.status, refused.body.code]).toEqual([400, "invalid_answer"]);
    expect(refused.body.issues.map(({ path }: { path: string }) => path)).toEqual(
      ["Children", "IBAN", "Pays for"].map((name) => `answers.${named(envelope, name).id}`),
    );
    expect(named(await page(), "Income").answered).toBe(false);
    for (const wrong of ["1e400", "٣", "−5", "-1", "21", "1.5", "", {}, [], true])
      expect([wrong, (await keep({ Children: wrong })).status]).toEqual([wrong, wrong === "" ? 204 : 400]);
    for (const answers of ['{"__proto__":"x"}', '{"999999":"x"}']) {
      const unknown = await recipient.put(`${link}/answers`, { answers: JSON.parse(answers) });
      expect([unknown.status, unknown.body.code]).toEqual([400, "unknown_document"]);
    }
    for (const answers of [{}, [], null, "x"])
      expect((await recipient.put(`${link}/answers`, { answers })).body.code).toBe("validation");
  });

  test("one multipart call hands in files and answers", async () => {
    const { read, link, recipient, keep } = await asked();
    await keep({ Children: 2 });
    const data = new FormData();
    data.append("Income from abroad?", "yes");
    data.append("Statement of foreign income", pdfFile("income.pdf"));
    data.append("Pays for", "School");
    data.append("Pays for", "Rent");
    expect((await recipient.post(link, data)).status).toBe(201);
    const submitted = await read();
    expect(named(submitted, "Pays for").answer.value).toEqual(["Rent", "School"]);
    expect(named(submitted, "Children").answer.value).toBe("2");
    expect(submitted.submissions).toHaveLength(1);
    const { envelope: other, link: elsewhere } = await asked();
    expect(other.documents).toHaveLength(5);
    const file = new FormData();
    file.append("Children", pdfFile("x.pdf"));
    expect((await recipient.post(elsewhere, file)).body.code).toBe("not_an_answer");
    const begun = await createTus(api, other).create(named(other, "Children").id, "x.pdf", 10);
    expect([begun.status, begun.body.code]).toEqual([400, "not_an_answer"]);
  });

  test("files for as many documents as an envelope may have are left out if none is asked for", async () => {
    const [asks] = QUESTIONS;
    const names = Array.from({ length: LIMITS.documentsPerEnvelope - 1 }, (_, index) => `Statement ${index}`);
    const showIf = { name: asks?.name, is: ["yes"] };
    const { link, read } = await asked({ documents: [asks, ...names.map((name) => ({ name, showIf }))] });
    const files = Object.fromEntries(names.map((name) => [name, pdfFile("a.pdf")]));
    const body = form(files);
    body.append(String(asks?.name), "no");
    const sent = await api.anonymous().post(link, body);
    expect(sent.status).toBe(201);
    expect((await read()).submissions).toEqual([]);
  });

  test("an answer is asked for again, and the earlier one stays", async () => {
    const { owner, envelope, recipient, link, read, submit, page, keep } = await asked();
    expect((await submit({ Income: "no", Children: 2, IBAN: "DE89370400440532013000" })).status).toBe(201);
    const review = await owner.post(`/api/requests/${envelope.id}/review`, {
      accept: [named(envelope, "Income").id],
      return: [
        { documentId: named(envelope, "Children").id, reason: "Three, we think" },
        { documentId: named(envelope, "IBAN").id, reason: "Please check" },
      ],
    });
    expect(review.status).toBe(200);
    const again = await page();
    expect(named(again, "Children")).toMatchObject({
      answered: false,
      answer: "2",
      reason: "Three, we think",
    });
    expect(named(again, "IBAN")).toMatchObject({ answered: false, answer: null, answeredBefore: true });
    expect((await keep({ Income: "yes" })).body.code).toBe("document_answered");
    const parts = new FormData();
    parts.append(named(envelope, "Income").name, "yes");
    expect((await recipient.post(link, parts)).body.code).toBe("document_answered");
    expect((await submit({ Children: 3 })).status).toBe(201);
    const twice = await read();
    expect(named(twice, "Children")).toMatchObject({ answer: { value: "3" }, earlier: [{ value: "2" }] });
    expect(states(twice)).toContain("IBAN received");
  });

  test("what was handed in is asked again although the answer to its condition is deleted", async () => {
    const { owner, envelope, idOf, submit, review, page, read } = await asked();
    const tus = createTus(api, envelope);
    const statement = idOf("Statement");
    await tus.upload(statement, pdfFile());
    expect((await submit({ Income: "yes" })).status).toBe(201);
    await owner.delete(`/api/requests/${envelope.id}/answers/${idOf("Income")}`);
    await review({ return: [{ documentId: statement, reason: "Too dark" }] });
    expect(named(await page(), "Statement")).toMatchObject({ state: "returned", showIf: null });
    expect((await submit()).status).toBe(400);
    await tus.upload(statement, pdfFile());
    expect((await submit({}, { note: "Scanned again" })).status).toBe(201);
    const submitted = await read();
    expect(named(submitted, "Statement").state).toBe("received");
    expect(submitted.submissions.map((one: { superseded: boolean }) => one.superseded)).toEqual([
      true,
      false,
    ]);
  });

  test("who gets the envelope after somebody else sees nothing that was handed in before", async () => {
    const passport = { name: "Passport", asksValidUntil: true };
    const { owner, envelope, idOf, link, keep, submit, review, change } = await asked({
      documents: [...QUESTIONS, passport],
    });
    await createTus(api, envelope).upload(idOf("Passport"), pdfFile("first person.pdf"));
    await createTus(api, envelope).upload(idOf("Statement"), pdfFile("income.pdf"));
    await keep({ Passport: "2029-03-01" });
    expect((await submit({ Income: "yes", Children: 2, "Pays for": ["Rent"] })).status).toBe(201);
    const returned = ["Statement", "Children"].map((name) => ({
      documentId: idOf(name),
      reason: "Not yours",
    }));
    expect((await review({ return: returned })).status).toBe(200);
    const other = { recipientName: "Somebody Else", recipientEmail: "somebody.else@example.com" };
    const afterMinutes = (minutes: number) =>
      api.setClock(new Date(Date.parse(envelope.createdAt) + minutes * 60_000).toISOString());
    await afterMinutes(1);
    const { status, body } = await change([...QUESTIONS, passport], other);
    expect(status).toBe(200);
    await api.finishBackgroundWork();
    const toOther = (await api.mails()).filter(({ to }) => to === other.recipientEmail);
    expect(toOther.map(({ text }) => text).join()).not.toContain("Not yours");
    const resend = async () => {
      const { body: sent } = await owner.get(`/api/requests/${envelope.id}/notifications`);
      const first = sent.find(({ kind }: { kind: string }) => kind === "receipt");
      return (await owner.post(`/api/requests/${envelope.id}/notifications/${first.id}/retry`)).status;
    };
    expect(await resend()).toBe(409);
    const page = (await api.anonymous().get(linkOf(body))).body;
    expect(states(page)).toEqual([
      "Income received",
      "Statement returned",
      "Children returned",
      "IBAN open",
      "Pays received",
      "Passport received",
    ]);
    const nothing = { answer: null, answered: false, answeredBefore: false, reason: null, validUntil: null };
    expect(page.documents).toEqual(page.documents.map((one: Document) => ({ ...one, ...nothing })));
    // What it depends on was answered before.
    expect(named(page, "Statement").showIf).toBeNull();

    await afterMinutes(2);
    await createTus(api, body).upload(idOf("Statement"), pdfFile("second person.pdf"));
    const answers = { [idOf("Children")]: "1" };
    expect((await api.anonymous().post(`${linkOf(body)}/submit`, { answers })).status).toBe(201);
    const submitted = await api.anonymous().get(linkOf(body));
    expect(submitted.body.files).toMatchObject([{ fileName: "second person.pdf" }]);
    expect(submitted.text).not.toContain("first person");
    expect(await resend()).toBe(409);
    expect(named((await owner.get(`/api/requests/${envelope.id}`)).body, "Pays for").answer.value).toEqual([
      "Rent",
    ]);
    expect(linkOf(body)).not.toBe(link);
    await review({ return: [{ documentId: idOf("Children"), reason: "Please check" }] });
    const again = (await api.anonymous().get(linkOf(body))).body;
    expect(named(again, "Children")).toMatchObject({
      answer: "1",
      answeredBefore: true,
      reason: "Please check",
    });
    expect(named(again, "Pays for").answer).toBeNull();
    expect(named(again, "Passport").validUntil).toBeNull();
  });

  describe("who gets the envelope after somebody else, by name and address changed one after the other", () => {
    const [name, address] = [{ recipientName: "Bob Other" }, { recipientEmail: "bob@example.com" }];
    const orders = [
      ["name first", [name, { ...name, ...address }]],
      ["address first", [address, { ...address, ...name }]],
    ] as const;
    const documents = [
      { name: "Children", kind: "number" },
      { name: "Pays for", kind: "text" },
      { name: "Scan" },
    ];
    const afterMinutes = (minutes: number) =>
      api.setClock(new Date(Date.parse(TEST_START) + minutes * 60_000).toISOString());
    for (const [order, changes] of orders) {
      test(`sees nothing that was kept or uploaded before, ${order}`, async () => {
        await api.setClock(TEST_START);
        const { owner, envelope, idOf, keep, change, read } = await asked({ documents });
        await keep({ Children: "3", "Pays for": "Rent" });
        await createTus(api, envelope).upload(idOf("Scan"), pdfFile("first person.pdf"));
        for (const [index, more] of changes.entries()) {
          await afterMinutes(index + 1);
          expect((await change(documents, more)).status).toBe(200);
        }
        const page = (await api.anonymous().get(linkOf(await read()))).body;
        const nothing = { answered: false, answer: null, files: [] };
        expect(page.documents).toMatchObject([nothing, nothing, nothing]);
        const { body: events } = await owner.get(`/api/requests/${envelope.id}/timeline`);
        const updates = events.filter(({ kind }: { kind: string }) => kind === "updated");
        expect(updates.map(({ detail }: { detail: unknown }) => detail)).toEqual([null, null]);
      });

      test(`sees nothing that was submitted or returned before, ${order}`, async () => {
        await api.setClock(TEST_START);
        const { idOf, submit, review, change, read } = await asked({ documents });
        await submit({ Children: "3", "Pays for": "Rent" });
        await review({ return: [{ documentId: idOf("Children"), reason: "Not yours" }] });
        for (const [index, more] of changes.entries()) {
          await afterMinutes(index + 1);
          expect((await change(documents, more)).status).toBe(200);
        }
        const page = (await api.anonymous().get(linkOf(await read()))).body;
        const nothing = { answer: null, answeredBefore: false, reason: null };
        expect(page.documents.slice(0, 2)).toMatchObject([nothing, nothing]);
      });
    }

    test("keeps what they have answered since the first of the two changes", async () => {
      await api.setClock(TEST_START);
      const { idOf, keep, change, read } = await asked({ documents });
      await keep({ Children: "3", "Pays for": "Rent" });
      await afterMinutes(1);
      const moved = (await change(documents, address)).body;
      await afterMinutes(2);
      await api.anonymous().put(`${linkOf(moved)}/answers`, { answers: { [idOf("Children")]: "1" } });
      await afterMinutes(3);
      expect((await change(documents, { ...address, ...name })).status).toBe(200);
      const page = (await api.anonymous().get(linkOf(await read()))).body;
      expect(page.documents).toMatchObject([{ answer: "1" }, { answer: null }, {}]);
    });

    test("sees why something was returned to them between the two changes", async () => {
      await api.setClock(TEST_START);
      const { idOf, submit, review, change, read } = await asked({ documents });
      await submit({ Children: "3", "Pays for": "Rent" });
      const returned = (reason: string) => review({ return: [{ documentId: idOf("Children"), reason }] });
      await returned("Not yours");
      await afterMinutes(1);
      const moved = (await change(documents, address)).body;
      await afterMinutes(2);
      const answers = { [idOf("Children")]: "1" };
      expect((await api.anonymous().post(`${linkOf(moved)}/submit`, { answers })).status).toBe(201);
      await returned("So few?");
      await afterMinutes(3);
      expect((await change(documents, { ...address, ...name })).status).toBe(200);
      const page = (await api.anonymous().get(linkOf(await read()))).body;
      expect(page.documents[0]).toMatchObject({ state: "returned", reason: "So few?", answer: "1" });
    });

    test("a recipient keeps what they answered when they are written to by text messages, under a corrected name", async () => {
      await api.setClock(TEST_START);
      const { keep, change, read } = await asked({ documents });
      await keep({ Children: "3" });
      await afterMinutes(1);
      const sms = { notificationPreference: "sms", countryCode: "+49", recipientPhone: "15123456789" };
      expect((await change(documents, { recipientName: "Rita Corrected", ...sms })).status).toBe(200);
      const page = (await api.anonymous().get(linkOf(await read()))).body;
      expect(page.documents[0]).toMatchObject({ answer: "3" });
    });

    test("a recipient keeps what they answered when their name is corrected, then their address and their name back", async () => {
      await api.setClock(TEST_START);
      const { keep, change, read, envelope } = await asked({ documents });
      const { recipientName, recipientEmail } = envelope;
      for (const [index, more] of [
        { recipientName: "Rita" },
        { recipientName },
        { recipientName: "Rita R." },
        { recipientName: "Rita R.", recipientEmail: "rita.r@example.com" },
      ].entries()) {
        await afterMinutes(index * 2 + 1);
        const changed = await change(documents, { recipientEmail, ...more });
        expect(changed.status).toBe(200);
        await afterMinutes(index * 2 + 2);
        if (index === 2) await keep({ Children: "3" });
      }
      const page = (await api.anonymous().get(linkOf(await read()))).body;
      expect(page.documents[0]).toMatchObject({ answer: "3" });
    });
  });

  test("a confidential answer is shown to members who have just confirmed who they are, and recorded", async () => {
    const { owner, envelope, read, submit } = await asked();
    await submit({ Income: "no", IBAN: "DE89370400440532013000" });
    const path = `/api/requests/${envelope.id}/answers/${named(envelope, "IBAN").id}`;
    expect((await owner.post(`${path}/reveal`)).body).toEqual({ value: "DE89370400440532013000" });
    expect((await (await api.signUp()).post(`${path}/reveal`)).status).toBe(404);
    const { body: timeline } = await owner.get(`/api/requests/${envelope.id}/timeline`);
    expect(timeline.find(({ kind }: { kind: string }) => kind === "revealed").detail).toBe("IBAN");
    expect((await owner.delete(path)).status).toBe(204);
    expect(named(await read(), "IBAN")).toMatchObject({ answered: true, answer: null });
    expect((await owner.post(`${path}/reveal`)).status).toBe(404);
  });

  test("a kept confidential answer whose key is lost counts as not given", async () => {
    const { envelope, page, keep, submit } = await asked({
      documents: [{ name: "IBAN", kind: "text", confidential: true, required: true }],
    });
    expect((await keep({ IBAN: "4711" })).status).toBe(204);
    await api.execute(
      `update answers set value = '"v1.00000000.AAAA"' where envelope_id = ${envelope.id} and submitted_at is null`,
    );
    expect(named(await page(), "IBAN")).toMatchObject({ answered: false, questionChanged: true });
    const { status, body } = await submit({});
    expect([status, body.code, body.params]).toEqual([400, "missing_documents", { document: "IBAN" }]);
    expect((await keep({ IBAN: "4711" })).status).toBe(204);
    expect((await submit({})).status).toBe(201);
  });

  test("the answers of many are one spreadsheet", async () => {
    const { owner, envelope, submit } = await asked();
    await submit(
      { Income: "yes", Children: 2, IBAN: "DE89370400440532013000" },
      {
        skipped: [],
      },
    );
    await submit({ Income: "no", Children: 2, IBAN: "DE89370400440532013000" });
    const { status, text } = await owner.get(`/api/requests/answers.csv?ids=${envelope.id}`);
    expect(status).toBe(200);
    expect(text.split("\r\n")).toEqual([
      "Recipient,Email,Subject,Submitted at,Income from abroad?,Children,IBAN,Pays for",
      expect.stringMatching(/^Rita Recipient,rita@example.com,Papers,\S+Z,No,2,Confidential,$/),
      "",
    ]);
    expect((await (await api.signUp()).get(`/api/requests/answers.csv?ids=${envelope.id}`)).status).toBe(404);
    const archive = await owner.get(`/api/requests/${envelope.id}/files.zip`);
    expect(archive.status).toBe(200);
  });

  test("a document with an accepted reason that becomes a question is asked", async () => {
    const documents = [{ name: "Letter" }, { name: "Deed", required: true, reasonAllowed: true }];
    const { envelope, idOf, review, change, submit, read } = await asked({ documents });
    const tus = createTus(api, envelope);
    await tus.upload(idOf("Letter"), pdfFile());
    await submit({}, { skipped: [{ documentId: idOf("Deed"), reason: "Burnt" }] });
    await review({ accept: [idOf("Deed")], return: [{ documentId: idOf("Letter"), reason: "Too dark" }] });
    const changed = await change([{ name: "Letter" }, { name: "Deed", kind: "text", required: true }]);
    expect(states(changed.body)).toEqual(["Letter returned", "Deed open"]);
    await tus.upload(idOf("Letter"), pdfFile());
    expect((await submit()).body.code).toBe("missing_documents");
    expect((await submit({ Deed: "Volume 3" })).status).toBe(201);
    expect(states(await read())).toEqual(["Letter received", "Deed received"]);
  });

  test("relations between questions are checked when the envelope is sent", async () => {
    const owner = await api.signUp();
    const documents = [
      { name: "A", kind: "choice", options: ["x", "X"] },
      { name: "B", kind: "number", min: "2", max: "1.99" },
      { name: "C", showIf: { name: "D", is: ["yes"] } },
      { name: "D", kind: "yesNo" },
    ];
    const draft = await owner.post("/api/requests", { isDraft: true, documents });
    expect(draft.status).toBe(201);
    const sent = await owner.put(`/api/requests/${draft.body.id}`, {
      recipientName: "R",
      recipientEmail: "r@example.com",
      subject: "S",
      documents,
    });
    expect(sent.body.issues).toEqual([
      { path: "documents.0.options", message: "Enter at least two options that differ" },
      { path: "documents.1.min", message: "The minimum cannot be above the maximum" },
      { path: "documents.2.showIf", message: "The condition must name an earlier question with choices" },
    ]);
  });

  test("a question that was answered keeps its name, kind and options", async () => {
    const { owner, envelope, submit, keep, page, change: changeAll } = await asked();
    const change = (changes: object) =>
      changeAll(QUESTIONS.map((entry) => (entry.name === "Pays for" ? { ...entry, ...changes } : entry)));
    await keep({ "Pays for": ["Rent"] });
    expect((await change({ options: ["Rent", "Boat"] })).status).toBe(200);
    expect(named(await page(), "Pays for").answered).toBe(true);
    expect((await change({ options: ["Boat", "Plane"] })).status).toBe(200);
    expect(named(await page(), "Pays for").answered).toBe(false);
    await submit({ Income: "no", "Pays for": ["Boat"] });
    await owner.post(`/api/requests/${envelope.id}/review`, {
      return: [{ documentId: named(envelope, "Pays for").id, reason: "?" }],
    });
    expect((await change({ options: ["Boat", "Plane", "Car"] })).body.code).toBe("document_has_submission");
    expect((await change({ options: ["Boat", "Plane"], description: "Help" })).status).toBe(200);
  });
});
