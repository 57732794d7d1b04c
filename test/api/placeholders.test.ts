import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { ENVELOPE, linkOf, sendEnvelope } from "../support/api/envelopes";

const TEXTS = {
  subject: "Tax return {lastYear}",
  message: "Dear {firstName}, please send it by {dueDate}. {{name}",
  documents: [{ name: "Income", description: "Of {company}, until {month} {year}" }],
};

describeApi("placeholders", (api) => {
  test("are filled when the envelope is sent, in the language and time zone of the requestor", async () => {
    await api.setClock("2026-12-31T23:30:00.000Z");
    const owner = await api.signUp();
    await owner.patch("/api/user/profile", { timeZone: "Europe/Berlin", languagePreference: "de" });
    const contact = await owner.post("/api/contacts", { firstName: "Rita", company: "Acme {year}" });
    const sent = await sendEnvelope(owner, {
      ...TEXTS,
      contactId: contact.body.id,
      dueDate: "2027-01-31",
    });
    expect(sent).toMatchObject({
      subject: "Tax return 2026",
      message: "Dear Rita, please send it by 31. Januar 2027. {name}",
      documents: [{ description: "Of Acme {year}, until Januar 2027" }],
    });
    const link = await api.anonymous().get(linkOf(sent));
    expect(link.body).toMatchObject({ subject: "Tax return 2026", description: sent.message });
    await api.finishBackgroundWork();
    expect((await api.mails()).at(-1)).toMatchObject({ subject: "Tax return 2026" });
  });

  test("what was filled is not filled again when it is sent back, and what is new is", async () => {
    await api.setClock("2027-02-01T12:00:00.000Z");
    const owner = await api.signUp();
    const sent = await sendEnvelope(owner, { recipientName: "{year} {month}", message: "{name} {{year}" });
    expect(sent.message).toBe("{year} {month} {year}");
    const path = `/api/requests/${sent.id}`;
    const changed = await owner.put(path, { ...sent, updatedAt: null, subject: "For {lastYear}" });
    expect(changed.body).toMatchObject({ subject: "For 2026", message: "{year} {month} {year}" });
  });

  test("a new document is filled, though another one kept the same text, and a renamed one keeps its own", async () => {
    await api.setClock("2027-02-01T12:00:00.000Z");
    const owner = await api.signUp();
    const literal = { name: "Income", description: "{{year}" };
    const sent = await sendEnvelope(owner, { documents: [literal] });
    const put = (names: string[]) =>
      owner.put(`/api/requests/${sent.id}`, {
        ...sent,
        updatedAt: null,
        documents: names.map((name) => ({ name, description: "{year}" })),
      });
    const described = ({ body }: Awaited<ReturnType<typeof put>>) =>
      body.documents.map(({ description }: { description: string }) => description);
    expect(described(await put(["Expenses", "Income"]))).toEqual(["2027", "{year}"]);
    expect(described(await put(["Expenses", "Earnings"]))).toEqual(["2027", "{year}"]);
  });

  test("drafts keep them, and a preview shows them filled", async () => {
    const owner = await api.signUp();
    const draft = await owner.post("/api/requests", { ...ENVELOPE, ...TEXTS, isDraft: true });
    expect(draft.body).toMatchObject(TEXTS);
    const preview = await owner.post("/api/requests/preview", { ...ENVELOPE, ...TEXTS });
    expect(preview.body.email.text).toContain("Dear Rita, please send it by {dueDate}. {name}");
    await owner.patch("/api/user/profile", { languagePreference: "fr" });
    const path = `/api/requests/${draft.body.id}`;
    const sent = await owner.put(path, {
      ...draft.body,
      isDraft: false,
      documents: [{ name: "Income" }],
      dueDate: "2999-01-01",
    });
    expect(sent.body.message).toBe("Dear Rita, please send it by 1 janvier 2999. {name}");
  });

  test("without a value, nothing is sent and each field is named; unknown ones stay", async () => {
    const owner = await api.signUp();
    const { status, body } = await owner.post("/api/requests", { ...ENVELOPE, ...TEXTS });
    expect(status).toBe(400);
    expect(body).toEqual({
      code: "missing_placeholder",
      message: "There is no value for {dueDate}, {company}",
      params: { names: "{dueDate}, {company}" },
      issues: [
        { path: "message", message: "There is no value for {dueDate}" },
        { path: "documents.0.description", message: "There is no value for {company}" },
      ],
    });
    expect((await owner.get("/api/requests")).body).toEqual([]);
    expect(await sendEnvelope(owner, { subject: "{Name} {nobody}" })).toMatchObject({
      subject: "{Name} {nobody}",
    });
  });

  test("a contact of another workspace gives no value", async () => {
    const owner = await api.signUp();
    const stranger = await api.signUp();
    const contact = await stranger.post("/api/contacts", { firstName: "Rita", company: "Secret" });
    const call = { ...ENVELOPE, message: "{company}", contactId: contact.body.id };
    expect((await owner.post("/api/requests", call)).body.code).toBe("contact_not_found");
    const preview = await owner.post("/api/requests/preview", call);
    expect(preview.body.email.text).toContain("{company}");
  });

  test("a text that is too long afterwards is rejected", async () => {
    const owner = await api.signUp();
    const call = { ...ENVELOPE, recipientName: "n".repeat(200), subject: "{name}{name}{name}" };
    const { status, body } = await owner.post("/api/requests", call);
    expect(status).toBe(400);
    expect(body.issues).toEqual([
      { path: "subject", message: "This is too long once its placeholders are replaced" },
    ]);
  });
});
