import { expect, test } from "bun:test";
import { DOCUMENT_DEFAULTS } from "../../worker/contract/documents";
import { createClient, describeApi } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope, withoutDelivery } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { TEST_START } from "../support/runtime/runtime";

describeApi("envelopes", (api) => {
  test("a sent envelope is returned in full, listed, and can be read by id", async () => {
    const alice = await api.signUp();
    const { body: contact } = await alice.post("/api/contacts", { firstName: "Rita", lastName: "Recipient" });
    const envelope = await sendEnvelope(alice, {
      recipientName: " Rita Recipient ",
      recipientEmail: "Rita@Example.com",
      recipientPhone: "+15551234567",
      reminderFrequency: "weekly",
      expirationDate: "2026-04-01",
      message: " Please\nhurry ",
      notificationPreference: "both",
      contactId: contact.id,
      documents: [
        { name: " Contract ", description: "Signed", required: true, allowedFileTypes: ["PDF"] },
        { name: "Photo", multiple: true },
      ],
    });
    const person = { userId: alice.id, firstName: null, lastName: null, email: alice.email };
    expect(envelope).toMatchObject({
      userId: alice.id,
      assignee: person,
      createdBy: person,
      workspaceId: alice.workspaceId,
      title: "Document Request for Rita Recipient",
      description: "Please\nhurry",
      customerEmail: "rita@example.com",
      recipientEmail: "rita@example.com",
      recipientName: "Rita Recipient",
      countryCode: "+1",
      expiresAt: "2026-04-01T23:59:59.999Z",
      message: "Please\nhurry",
      status: "pending",
      documents: [
        {
          ...DOCUMENT_DEFAULTS,
          name: "Contract",
          description: "Signed",
          required: true,
          allowedFileTypes: ["PDF"],
        },
        { ...DOCUMENT_DEFAULTS, name: "Photo", multiple: true },
      ].map((document) => ({ ...document, state: "open", skipped: false })),
      progress: { uploaded: 0, total: 2 },
      contact: { firstName: "Rita", lastName: "Recipient" },
      submissions: [],
      createdAt: TEST_START,
      sentAt: TEST_START,
    });
    expect(envelope.submissionToken).toMatch(/^[\w-]{22,}$/);
    expect(envelope.delivery).toMatch(/^(?:pending|ok)$/);
    expect(withoutDelivery((await alice.get(`/api/requests/${envelope.id}`)).body)).toEqual(
      withoutDelivery(envelope),
    );
    expect((await alice.get("/api/requests")).body.map(withoutDelivery)).toEqual([withoutDelivery(envelope)]);
  });

  test("a minimal envelope takes the defaults", async () => {
    const alice = await api.signUp();
    expect(await sendEnvelope(alice)).toMatchObject({
      description: "Please upload the requested documents.",
      message: null,
      recipientPhone: null,
      countryCode: "+1",
      reminderFrequency: "none",
      notificationPreference: "email",
      expirationDate: null,
      contactId: null,
      contact: null,
    });
  });

  test("a draft may omit any field, has no sending date and notifies nobody", async () => {
    const alice = await api.signUp();
    await api.finishBackgroundWork();
    const sent = (await api.mails()).length;
    const empty = await alice.post("/api/requests", { isDraft: true });
    expect([empty.status, empty.body]).toEqual([
      201,
      expect.objectContaining({
        status: "draft",
        isDraft: true,
        sentAt: null,
        customerEmail: "",
        recipientEmail: null,
        title: "Document Request for ",
        documents: [],
      }),
    ]);
    const blank = {
      isDraft: true,
      recipientName: "",
      recipientEmail: "",
      recipientPhone: "",
      subject: "",
      message: "",
      expirationDate: "",
      countryCode: "",
      documents: [{ name: "" }, {}],
    };
    const { status, body } = await alice.post("/api/requests", blank);
    expect([status, body.documents.map(({ name }: { name: string }) => name)]).toEqual([201, ["", ""]]);
    expect(body).toMatchObject({
      recipientName: null,
      recipientPhone: null,
      subject: null,
      countryCode: "+1",
    });
    await api.finishBackgroundWork();
    expect((await api.mails()).length).toBe(sent);
  });

  test.each([
    ["+15551234567", undefined, "+15551234567"],
    ["+15551234567", "+44", "+15551234567"],
    ["5551234567", undefined, "+15551234567"],
    ["5551234567", "+44", "+445551234567"],
    ["5551234567", null, "+15551234567"],
    [" 55512 ", "+4912", "+491255512"],
    ["01512 3456789", "+49", "+4915123456789"],
    ["+49 (0) 1512 3456789", "+1", "+4915123456789"],
    ["0049 1512 3456789", "+1", "+4915123456789"],
    ["020 7946 0000", "+44", "+442079460000"],
    ["06 12 34 56 78", "+33", "+33612345678"],
    ["090-1234-5678", "+81", "+819012345678"],
    ["138 0013 8000", "+86", "+8613800138000"],
    ["098765 43210", "+91", "+919876543210"],
    ["0412 345 678", "+61", "+61412345678"],
    ["0011 49 1512 3456789", "+61", "+4915123456789"],
    ["1 (555) 123-4567", "+1", "+15551234567"],
    ["912 345 678", "+351", "+351912345678"],
  ])("the number %p with the code %p is stored as %s", async (recipientPhone, countryCode, stored) => {
    const alice = await api.signUp();
    const { body } = await alice.post("/api/requests", { isDraft: true, recipientPhone, countryCode });
    expect(body.recipientPhone).toBe(stored);
    const sent = {
      ...ENVELOPE,
      recipientEmail: null,
      notificationPreference: "sms",
      recipientPhone,
      countryCode,
    };
    expect(await alice.post("/api/requests", sent)).toMatchObject({
      status: 201,
      body: { recipientPhone: stored, customerEmail: "" },
    });
  });

  test("fields that the caller may not set have no effect", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const chosen = {
      id: 1,
      userId: bob.id,
      status: "completed",
      submissionToken: "chosen",
      title: "Chosen",
      description: "Chosen",
      customerEmail: "chosen@example.com",
      createdAt: "2000-01-01",
      sentAt: "2000-01-01",
      completedAt: "2000-01-01",
      nextReminderAt: "2000-01-01",
      submissions: [{ filePath: "x" }],
      contact: { firstName: "Chosen" },
    };
    const plain = await sendEnvelope(alice);
    const made = await sendEnvelope(alice, chosen);
    const documents = [{ ...plain.documents[0], id: expect.any(Number) }];
    const unlike = { id: expect.any(Number), submissionToken: expect.any(String), documents };
    expect(made).toEqual({ ...plain, ...unlike });
    expect(made.submissionToken).not.toBe("chosen");
    const put = await alice.put(`/api/requests/${plain.id}`, { ...ENVELOPE, ...chosen });
    expect(put.body).toEqual({ ...plain, updatedAt: expect.any(String) });
    expect((await bob.get("/api/requests")).body).toEqual([]);
  });

  test("another account's envelope, contact or workspace is not found", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const envelope = await sendEnvelope(alice);
    const { body: contact } = await alice.post("/api/contacts", { firstName: "Ada" });
    const { body: own } = await bob.post("/api/requests", { isDraft: true });
    const responses = [
      [await bob.get(`/api/requests/${envelope.id}`), "envelope_not_found"],
      [await bob.put(`/api/requests/${envelope.id}`, ENVELOPE), "envelope_not_found"],
      [await bob.delete(`/api/requests/${envelope.id}`), "envelope_not_found"],
      [await bob.post("/api/requests", { ...ENVELOPE, contactId: contact.id }), "contact_not_found"],
      [await bob.put(`/api/requests/${own.id}`, { ...ENVELOPE, contactId: contact.id }), "contact_not_found"],
    ] as const;
    for (const [{ status, body }, code] of responses) expect([status, body.code]).toEqual([404, code]);
    expect((await bob.get("/api/requests")).body).toEqual([own]);
    expect((await alice.get("/api/requests")).body.map(withoutDelivery)).toEqual([withoutDelivery(envelope)]);
  });

  test.each([
    "0",
    "-1",
    "1.5",
    "x",
    "1e3",
    "%00",
    "1%00",
    "9".repeat(15),
    "9".repeat(40),
    "0x1",
    "%F0%9F%92%A9",
    "%",
  ])("the id %s is not found", async (id) => {
    const alice = await api.signUp();
    for (const path of ["requests", "contacts", "templates"])
      expect((await alice.get(`/api/${path}/${id}`)).status).toBe(404);
    expect((await alice.put(`/api/requests/${id}`, ENVELOPE)).status).toBe(404);
    expect((await alice.delete(`/api/requests/${id}`)).status).toBe(404);
  });
});

describeApi("what an envelope may have", (api) => {
  test("a subject of 300 emoji, and a number of the specified pattern, however unlikely", async () => {
    const owner = await api.signUp();
    const subject = "😀".repeat(300);
    for (const recipientPhone of ["+1234567890", "+12", "+123456789012345"]) {
      const { status, body } = await owner.post("/api/requests", { ...ENVELOPE, subject, recipientPhone });
      expect([status, body.subject, body.recipientPhone]).toEqual([201, subject, recipientPhone]);
    }
  });

  test("a draft keeps an expiration date that is over, and cannot be sent with it", async () => {
    const owner = await api.signUp();
    const created = await owner.post("/api/requests", { ...ENVELOPE, isDraft: true });
    const path = `/api/requests/${created.body.id}`;
    await api.execute(`update envelopes set expiration_date = '2020-01-01' where id = ${created.body.id}`);
    const { body: draft } = await owner.get(path);
    const saved = await owner.put(path, draft);
    expect([saved.status, saved.body.expirationDate]).toEqual([200, "2020-01-01"]);
    const sent = await owner.put(path, { ...draft, updatedAt: null, isDraft: false });
    expect([sent.status, sent.body.issues?.[0]?.path]).toEqual([400, "expirationDate"]);
  });

  test("a document's name in a multipart body may be composed or not", async () => {
    const owner = await api.signUp();
    const name = "Identité".normalize("NFC");
    const envelope = await sendEnvelope(owner, { documents: [{ name }] });
    const body = form({ [name.normalize("NFD")]: pdfFile() });
    expect((await api.anonymous().post(linkOf(envelope), body)).status).toBe(201);
  });
});

test("a phone number stored before validation can be sent back unchanged, but not a similar one", async () => {
  const runtime = await startBunRuntime();
  const owner = createClient({ fetch: runtime.fetch, origin: runtime.origin });
  await owner.post("/api/register", { email: "ada@example.com", password: "a long password" });
  const { body } = await owner.post("/api/requests", { ...ENVELOPE, recipientPhone: "+15551234567" });
  await runtime.deps.db.run("update envelopes set recipient_phone = '1555123'");
  const path = `/api/requests/${body.id}`;
  const stored = (await owner.get(path)).body;
  expect(stored.recipientPhone).toBe("1555123");
  expect(await owner.put(path, stored)).toMatchObject({ status: 200, body: { recipientPhone: "1555123" } });
  const { status, body: rejected } = await owner.put(path, {
    ...{ ...stored, updatedAt: null },
    recipientPhone: "1555124",
  });
  expect([status, rejected.issues]).toEqual([
    400,
    [{ path: "recipientPhone", message: "Invalid phone number format. Must include country code" }],
  ]);
  await runtime.finishBackgroundWork();
  await runtime.stop();
});
