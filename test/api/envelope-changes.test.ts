import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

describeApi("changing envelopes", (api) => {
  test("an envelope goes from draft to sent to completed under one link, and is then final", async () => {
    const alice = await api.signUp();
    const { body: draft } = await alice.post("/api/requests", { isDraft: true, subject: "First" });
    const link = linkOf(draft);
    expect((await api.anonymous().get(link)).status).toBe(404);
    const saved = await alice.put(`/api/requests/${draft.id}`, { ...draft, subject: "Second" });
    expect(saved).toMatchObject({ status: 200, body: { status: "draft", subject: "Second" } });

    await api.setClock("2026-03-15T00:00:00.000Z");
    const sent = await alice.put(`/api/requests/${draft.id}`, ENVELOPE);
    expect(sent).toMatchObject({
      status: 200,
      body: {
        status: "pending",
        isDraft: false,
        sentAt: "2026-03-15T00:00:00.000Z",
        submissionToken: draft.submissionToken,
      },
    });
    expect((await api.anonymous().get(link)).status).toBe(200);

    await api.setClock("2026-03-16T00:00:00.000Z");
    const updated = await alice.put(`/api/requests/${draft.id}`, {
      ...ENVELOPE,
      subject: "Third",
      documents: [{ name: "Contract" }, { name: "Photo" }],
    });
    expect(updated).toMatchObject({
      status: 200,
      body: {
        status: "pending",
        subject: "Third",
        sentAt: "2026-03-15T00:00:00.000Z",
        updatedAt: "2026-03-16T00:00:00.000Z",
        submissionToken: draft.submissionToken,
      },
    });
    const back = await alice.put(`/api/requests/${draft.id}`, { ...ENVELOPE, isDraft: true });
    expect([back.status, back.body]).toEqual([
      409,
      { message: "An envelope that was sent cannot become a draft", code: "envelope_already_sent" },
    ]);

    expect((await api.anonymous().post(link, form({ Contract: pdfFile() }))).status).toBe(201);
    const { body: completed } = await alice.get(`/api/requests/${draft.id}`);
    expect(completed).toMatchObject({
      status: "completed",
      completedAt: "2026-03-16T00:00:00.000Z",
      isDraft: false,
    });
    for (const change of [ENVELOPE, completed, { isDraft: true }]) {
      const rejected = await alice.put(`/api/requests/${draft.id}`, change);
      expect([rejected.status, rejected.body]).toEqual([
        409,
        { message: "A completed envelope cannot be changed", code: "envelope_completed" },
      ]);
    }
    expect((await alice.get(`/api/requests/${draft.id}`)).body).toEqual(completed);
    await api.setClock(TEST_START);
  });

  test("an incomplete draft cannot be sent and stays unchanged", async () => {
    const alice = await api.signUp();
    const { body: draft } = await alice.post("/api/requests", { isDraft: true, subject: "Papers" });
    const rejected = await alice.put(`/api/requests/${draft.id}`, { ...draft, isDraft: false });
    expect([rejected.status, rejected.body.code]).toEqual([400, "validation"]);
    expect((await alice.get(`/api/requests/${draft.id}`)).body).toEqual(draft);
  });

  test("an envelope can be sent back unchanged", async () => {
    const alice = await api.signUp();
    const { body: draft } = await alice.post("/api/requests", {
      isDraft: true,
      documents: [{ name: "" }, { name: "" }, { name: "A" }],
    });
    const { updatedAt: _read, ...same } = draft;
    expect(await alice.put(`/api/requests/${draft.id}`, draft)).toMatchObject({ status: 200, body: same });
    expect((await alice.put(`/api/requests/${draft.id}`, same)).body.documents).toEqual(draft.documents);
    const sent = await sendEnvelope(alice, {
      recipientPhone: "+15551234567",
      expirationDate: "2026-03-14",
      message: "Hello",
    });
    const { updatedAt: _sent, ...unchanged } = sent;
    expect(await alice.put(`/api/requests/${sent.id}`, sent)).toMatchObject({ status: 200, body: unchanged });
    expect((await alice.post("/api/requests", sent)).status).toBe(201);
  });

  test("a change replaces the payload: absent fields take their defaults", async () => {
    const alice = await api.signUp();
    const { body: contact } = await alice.post("/api/contacts", { firstName: "Ada" });
    const sent = await sendEnvelope(alice, {
      message: "Hello",
      expirationDate: "2026-05-01",
      reminderFrequency: "daily",
      countryCode: "+44",
      contactId: contact.id,
    });
    const { body } = await alice.put(`/api/requests/${sent.id}`, ENVELOPE);
    expect(body).toMatchObject({
      message: null,
      expirationDate: null,
      reminderFrequency: "none",
      countryCode: "+1",
      contactId: null,
      contact: null,
      workspaceId: sent.workspaceId,
    });
  });

  test("documents of a draft without a name yet are kept, each once", async () => {
    const alice = await api.signUp();
    const documents = ["one", "two", "three"].map((description) => ({ name: "", description }));
    const draft = (await alice.post("/api/requests", { isDraft: true, documents })).body;
    const put = async (list: object[]) => {
      const { body } = await alice.put(`/api/requests/${draft.id}`, { isDraft: true, documents: list });
      return body.documents.map(({ description }: { description: string }) => description);
    };
    expect(await put(documents)).toEqual(["one", "two", "three"]);
    expect(await put([...documents, { name: "Lease", description: "four" }])).toEqual([
      ...["one", "two", "three", "four"],
    ]);
    expect(await put(documents.slice(0, 2))).toEqual(["one", "two"]);
  });

  test("an absent or blank number keeps the stored one, null clears it", async () => {
    const alice = await api.signUp();
    const bySms = { ...ENVELOPE, recipientEmail: null, notificationPreference: "sms" };
    const { body: sent } = await alice.post("/api/requests", { ...bySms, recipientPhone: "+15551234567" });
    for (const change of [bySms, { ...bySms, recipientPhone: "" }, { ...bySms, recipientPhone: " " }])
      expect(await alice.put(`/api/requests/${sent.id}`, change)).toMatchObject({
        status: 200,
        body: { recipientPhone: "+15551234567" },
      });
    const cleared = await alice.put(`/api/requests/${sent.id}`, { ...bySms, recipientPhone: null });
    expect(cleared).toMatchObject({ status: 400, body: { issues: [{ path: "recipientEmail" }] } });
    const mailed = await alice.put(`/api/requests/${sent.id}`, { ...ENVELOPE, recipientPhone: null });
    expect(mailed).toMatchObject({ status: 200, body: { recipientPhone: null } });
    const none = await alice.put(`/api/requests/${sent.id}`, bySms);
    expect(none.body.issues).toEqual([
      { path: "recipientEmail", message: "Either email or phone number is required for non-draft Doculopes" },
    ]);
  });

  test("documents keep their order, and those that keep their name keep their row", async () => {
    const alice = await api.signUp();
    const names = (...list: string[]) => list.map((name) => ({ name }));
    const sent = await sendEnvelope(alice, { documents: names("A", "B", "C") });
    const rows = async () =>
      Object.fromEntries(
        (await api.select(`select id, name from envelope_documents where envelope_id = ${sent.id}`)).map(
          ({ id, name }) => [String(name), id],
        ),
      );
    const before = await rows();
    const { body } = await alice.put(`/api/requests/${sent.id}`, {
      ...ENVELOPE,
      documents: names("D", "c", "A"),
    });
    expect(body.documents.map(({ name }: { name: string }) => name)).toEqual(["D", "c", "A"]);
    expect(await rows()).toEqual({ A: before.A, c: before.C, D: expect.any(Number) });
    const swapped = await alice.put(`/api/requests/${sent.id}`, { ...ENVELOPE, documents: names("A", "D") });
    expect(swapped.body.documents.map(({ name }: { name: string }) => name)).toEqual(["A", "D"]);
  });

  test("a concurrent save never turns a sent envelope into a draft", async () => {
    const alice = await api.signUp();
    for (let round = 0; round < 5; round++) {
      const { body: draft } = await alice.post("/api/requests", { isDraft: true });
      const [saved, sent] = await Promise.all([
        alice.put(`/api/requests/${draft.id}`, { isDraft: true, subject: "Draft" }),
        alice.put(`/api/requests/${draft.id}`, ENVELOPE),
      ]);
      expect([200, 409]).toContain(saved.status);
      expect(sent.status).toBeOneOf([200, 409]);
      const { body } = await alice.get(`/api/requests/${draft.id}`);
      expect(body.status).toBe(sent.status === 200 ? "pending" : "draft");
    }
  });

  test("deleting an envelope removes its files, its link and its queued messages", async () => {
    const alice = await api.signUp();
    const before = await api.storedFiles();
    const sent = await sendEnvelope(alice, { reminderFrequency: "daily" });
    await api.anonymous().post(linkOf(sent), form({ Contract: pdfFile() }));
    await api.finishBackgroundWork();
    const deleted = await alice.delete(`/api/requests/${sent.id}`);
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    expect(await api.storedFiles()).toEqual(before);
    expect((await api.anonymous().get(linkOf(sent))).status).toBe(404);
    for (const [table, column] of [
      ["submissions", "envelope_id"],
      ["envelope_documents", "envelope_id"],
      ["notifications", "envelope_id"],
    ])
      expect(await api.select(`select * from ${table} where ${column} = ${sent.id}`)).toEqual([]);
    expect((await alice.delete(`/api/requests/${sent.id}`)).body.code).toBe("envelope_not_found");
  });
});
