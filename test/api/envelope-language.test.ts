import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

describeApi("the language of an envelope", (api) => {
  test("is stored, changed, listed and cleared, and must be one of the seven", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { language: "de" });
    expect(envelope.language).toBe("de");
    const path = `/api/requests/${envelope.id}`;
    expect((await owner.get("/api/requests")).body[0].language).toBe("de");
    expect((await owner.put(path, { ...ENVELOPE, language: "ja" })).body.language).toBe("ja");
    expect((await owner.put(path, ENVELOPE)).body.language).toBeNull();
    for (const language of ["it", "DE", 7]) {
      const rejected = await owner.post("/api/requests", { ...ENVELOPE, language });
      expect([rejected.status, rejected.body.issues?.[0].path]).toEqual([400, "language"]);
    }
    const draft = await owner.post("/api/requests", { isDraft: true, language: "zh" });
    expect((await owner.get(`/api/requests/${draft.body.id}`)).body.language).toBe("zh");
  });

  test("is not copied from a contact by the server", async () => {
    const owner = await api.signUp();
    const contact = (await owner.post("/api/contacts", { firstName: "Rita", language: "fr" })).body;
    expect(contact.language).toBe("fr");
    expect((await sendEnvelope(owner, { contactId: contact.id })).language).toBeNull();
    const changed = await owner.patch(`/api/contacts/${contact.id}`, { lastName: "R" });
    expect(changed.body.language).toBe("fr");
    expect((await owner.patch(`/api/contacts/${contact.id}`, { language: null })).body.language).toBeNull();
    expect((await owner.patch(`/api/contacts/${contact.id}`, { language: "xx" })).status).toBe(400);
  });

  test("is that of mails, text messages and dates; without one, they are in the requestor's", async () => {
    const owner = await api.signUp();
    await owner.patch("/api/user/profile", { languagePreference: "fr" });
    const sent = {
      ...{ expirationDate: "2999-03-01", recipientPhone: "+493012345678", notificationPreference: "both" },
    };
    await sendEnvelope(owner, { ...sent, language: "de", recipientEmail: "de@example.com" });
    await sendEnvelope(owner, { ...sent, recipientEmail: "fr@example.com" });
    await api.finishBackgroundWork();
    const mails = await api.mails();
    const german = mails.findLast(({ to }) => to === "de@example.com");
    expect(german?.html).toContain('<html lang="de">');
    expect(german?.text).toContain("1. März 2999");
    expect(mails.findLast(({ to }) => to === "fr@example.com")?.text).toContain("1 mars 2999");
    const preview = await owner.post("/api/requests/preview", { ...ENVELOPE, ...sent, language: "ja" });
    expect(preview.body.email.text).toContain("2999年3月1日");
    expect(preview.body.sms.text).toMatch(/[ぁ-ん]/);
  });

  test("is that of the receipt, while the requestor's notices stay in their own", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { language: "es", recipientEmail: "es@example.com" });
    const link = api.anonymous();
    expect((await link.post(linkOf(envelope), form({ Contract: pdfFile() }))).status).toBe(201);
    await api.finishBackgroundWork();
    const mails = await api.mails();
    expect(mails.findLast(({ to }) => to === "es@example.com")?.html).toContain('<html lang="es">');
    expect(mails.findLast(({ to }) => to === owner.email)?.html).toContain('<html lang="en">');
  });

  test("gives way to the one in which the recipient reads the page, for the receipt alone", async () => {
    const owner = await api.signUp();
    const documents = [{ name: "Contract", required: false }];
    const sent = { documents, language: "es", recipientEmail: "reader@example.com" };
    const envelope = await sendEnvelope(owner, sent);
    const link = api.anonymous();
    const submit = (language: unknown) => link.post(`${linkOf(envelope)}/submit`, { note: "Done", language });
    expect((await submit("xx")).status).toBe(400);
    expect((await submit("ja")).status).toBe(201);
    await api.finishBackgroundWork();
    const mails = await api.mails();
    expect(mails.findLast(({ to }) => to === "reader@example.com")?.html).toContain('<html lang="ja">');
    expect(mails.findLast(({ to }) => to === owner.email)?.html).toContain('<html lang="en">');
    expect((await owner.get(`/api/requests/${envelope.id}`)).body.language).toBe("es");
  });

  test("of messages after a submission is the one in which it was submitted, if none was chosen", async () => {
    const owner = await api.signUp();
    const askAgain = async (fields: Record<string, unknown>) => {
      const envelope = await sendEnvelope(owner, {
        documents: [{ name: "Contract", required: false }],
        recipientEmail: "again@example.com",
        ...fields,
      });
      const submitted = await api
        .anonymous()
        .post(`${linkOf(envelope)}/submit`, { note: "Later", language: "de" });
      expect(submitted.status).toBe(201);
      await api.finishBackgroundWork();
      const path = `/api/requests/${envelope.id}`;
      const [{ id: documentId }] = (await owner.get(path)).body.documents;
      const documents = [{ documentId, reason: "The second page is missing" }];
      expect((await owner.post(`${path}/review`, { return: documents })).status).toBe(200);
      await api.finishBackgroundWork();
      return (await api.mails()).findLast(({ to }) => to === "again@example.com");
    };
    const read = await askAgain({});
    expect(read?.html).toContain('<html lang="de">');
    expect(read?.text).toContain("The second page is missing");
    expect((await askAgain({ language: "fr" }))?.html).toContain('<html lang="fr">');
  });

  test("is read from the link, whose errors follow it with the same codes", async () => {
    const owner = await api.signUp();
    const documents = [{ name: "Contract", required: true }];
    const german = await sendEnvelope(owner, { documents, language: "de" });
    const plain = await sendEnvelope(owner, { documents });
    const link = api.anonymous();
    expect((await link.get(linkOf(german))).body.language).toBe("de");
    expect((await link.get(linkOf(plain))).body.language).toBeNull();
    const missing = async (envelope: { submissionToken: string }) =>
      (await link.post(`${linkOf(envelope)}/submit`, { note: "Later" })).body;
    expect(await missing(german)).toMatchObject({
      code: "missing_documents",
      message: "Bitte laden Sie alle erforderlichen Dokumente hoch: Contract",
    });
    expect((await missing(plain)).message).toContain("Contract");
    const message = (envelope: { submissionToken: string }, body: unknown) =>
      link.post(`${linkOf(envelope)}/messages`, body);
    const { body: invalid } = await message(german, { text: "" });
    expect([invalid.message, invalid.issues]).toEqual([
      "Bitte prüfen Sie die markierten Felder",
      [{ path: "text", message: "Message is required" }],
    ]);
    expect((await message(plain, { text: "" })).body.message).toBe("Message is required");
    const broken = await link.send("POST", `${linkOf(german)}/submit`, "{", {
      "content-type": "application/json",
    });
    expect(broken.body).toMatchObject({
      code: "malformed_json",
      message: "Die Anfrage ist kein gültiges JSON",
    });
    for (const envelope of [german, plain]) await link.post(linkOf(envelope), form({ Contract: pdfFile() }));
    const gone = await link.get(linkOf(german));
    expect([gone.status, gone.body.code, gone.body.files.length]).toEqual([410, "completed", 1]);
    expect(gone.body.message).toContain("bereits abgeschlossen");
    expect((await link.get(linkOf(plain))).body.message).toContain("expired");
    const draft = (await owner.post("/api/requests", { isDraft: true, language: "de" })).body;
    const hidden = await link.get(linkOf(draft));
    expect([hidden.status, hidden.body]).toEqual([404, (await link.get("/api/submissions/none")).body]);
  });

  test("an expired link says so in it", async () => {
    const owner = await api.signUp();
    const today = TEST_START.slice(0, 10);
    const envelope = await sendEnvelope(owner, { language: "pt", expirationDate: today });
    await api.setClock("2026-03-20T00:00:00.000Z");
    const gone = await api.anonymous().get(linkOf(envelope));
    expect([gone.status, gone.body.code]).toEqual([410, "expired"]);
    expect(gone.body.message).not.toContain("This");
    expect(gone.body.message).toMatch(/expirou/);
    await api.setClock(TEST_START);
  });
});
