import { expect, test } from "bun:test";
import { type Api, describeApi } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { mailsTo } from "../support/api/mailed-links";
import { docxFile, pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

const ENVELOPE = {
  recipientName: "Rita Recipient",
  recipientEmail: "rita@example.com",
  subject: "Papers for 2025",
  message: "Please hurry.\nThank you <3",
  expirationDate: "2026-12-03",
  documents: [
    { name: "Contract", required: true, description: "All pages", allowedFileTypes: ["pdf"] },
    { name: "Letter & more", allowedFileTypes: ["docx", "pdf"] },
  ],
};

async function named(api: Api, profile: object = {}) {
  const owner = await api.signUp();
  await owner.patch("/api/user/profile", { firstName: "Ada", lastName: "Lovelace", ...profile });
  return owner;
}

type Notified = { kind: string; channel: string };

describeApi("mail about an envelope", (api) => {
  test("the invitation has the requestor, the documents and the deadline, in both parts", async () => {
    const owner = await named(api, { companyName: "Engines" });
    let envelope: { submissionToken: string } = { submissionToken: "" };
    const [mail, ...others] = await mailsTo(api, "rita@example.com", async () => {
      envelope = await sendEnvelope(owner, ENVELOPE);
    });
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      from: "Ada Lovelace via Doculopes <no-reply@localhost>",
      subject: "Papers for 2025",
    });
    const link = `${api.origin}/submit/${envelope.submissionToken}`;
    for (const part of [
      `Ada Lovelace, Engines (${owner.email}, not verified)`,
      "3 December 2026, end of day (UTC)",
      "Contract",
      "Accepted: PDF",
      "All pages",
      "Accepted: Word, PDF",
      "Please hurry.",
      link,
      `because Ada Lovelace (${owner.email}, not verified) is asking`,
    ]) {
      expect(mail?.text).toContain(part);
      expect(mail?.html).toContain(part);
    }
    // The message is the sender's own greeting and introduction.
    expect(mail?.text).not.toMatch(/Hello|private page/);
    expect(mail?.text).toContain("Contract (Required)");
    expect(mail?.text).toContain("Letter & more (Optional)");
    expect(mail?.text).toContain("> Thank you <3");
    expect(mail?.html).toContain("Please hurry.<br>Thank you &lt;3");
    expect(mail?.html).toContain("Letter &amp; more");
    // The one image is the inline logo.
    expect(mail?.html.match(/src=[^ ]*/g)).toEqual(['src="cid:logo"']);
    expect(mail?.images).toEqual([expect.objectContaining({ contentId: "logo", mimeType: "image/png" })]);
    expect(mail?.html).not.toMatch(/<3|@import|url\(/);
    for (const body of [mail?.text, mail?.html])
      expect(body?.indexOf(link)).toBeLessThan(body?.indexOf("Accepted: PDF") ?? 0);
    expect(mail?.text).not.toMatch(/\{\{|undefined|null/);
  });

  test("Reply-To is the requestor's address only once it is verified", async () => {
    const owner = await named(api);
    const [before] = await mailsTo(api, "rita@example.com", () => sendEnvelope(owner, ENVELOPE));
    expect(before?.replyTo).toBeUndefined();
    const verification = (await api.mails()).find(({ to }) => to === owner.email);
    const token = /\/verify\/(\S+)/.exec(verification?.text ?? "")?.[1];
    expect((await api.anonymous().post("/api/user/verify", { token })).status).toBe(204);
    const [after] = await mailsTo(api, "rita@example.com", () => sendEnvelope(owner, ENVELOPE));
    expect(after?.replyTo).toBe(owner.email);
  });

  test("user input cannot become a header, an address or markup", async () => {
    const owner = await named(api, {
      firstName: 'Ada" <eve@evil.example>,\r\nBcc: eve@evil.example',
      lastName: "<script>alert(1)</script>",
    });
    const [mail] = await mailsTo(api, "rita@example.com", () =>
      sendEnvelope(owner, {
        ...ENVELOPE,
        subject: "Papers\r\nBcc: eve@evil.example\r\n\r\nBody",
        recipientName: "<img src=x onerror=alert(1)> {{product}} $t(linkHint)",
        message: null,
        documents: [{ name: "<b>bold</b>\u202egpj.exe" }],
      }),
    );
    expect(mail?.subject).toBe("Papers Bcc: eve@evil.example Body");
    expect(mail?.from).toMatch(/^[^\r\n<>"]* via Doculopes <no-reply@localhost>$/);
    expect(mail?.html).not.toMatch(/<script|<img(?! src="cid:logo")|<b>/);
    expect(mail?.text).toContain("{{product}} $t(linkHint)");
    expect(mail?.text).not.toContain("\u202e");
    const rejected = await owner.post("/api/requests", {
      ...ENVELOPE,
      recipientEmail: "rita@example.com, eve@evil.example",
    });
    expect(rejected.status).toBe(400);
  });

  test("links use the configured origin, whatever the Host header is", async () => {
    const owner = await named(api);
    const [mail] = await mailsTo(api, "rita@example.com", () =>
      owner.send("POST", "/api/requests", ENVELOPE, { "x-forwarded-host": "evil.example" }),
    );
    const links = [...(mail?.html ?? "").matchAll(/https?:\/\/[^/"<\s]+/g)].map(([origin]) => origin);
    expect(new Set(links)).toEqual(new Set([api.origin]));
  });

  test.each([
    ["en", "Reminder: ", "is asking you for documents", "3 December 2026"],
    ["de", "Erinnerung: ", "bittet Sie um Dokumente", "3. Dezember 2026"],
    ["fr", "Rappel\u00a0: ", "vous demande des documents", "3 décembre 2026"],
    ["es", "Recordatorio: ", "le solicita documentos", "3 de diciembre de 2026"],
    ["pt", "Lembrete: ", "está solicitando documentos", "3 de dezembro de 2026"],
    ["zh", "提醒：", "请您提供文件", "2026年12月3日"],
    ["ja", "リマインダー：", "書類の提出依頼", "2026年12月3日"],
  ])("messages to a recipient use the requestor's language: %s", async (language, prefix, heading, date) => {
    const owner = await named(api, { languagePreference: language });
    const [invitation, reminder] = await mailsTo(api, "rita@example.com", async () => {
      const { id } = await sendEnvelope(owner, ENVELOPE);
      expect((await owner.post(`/api/requests/${id}/remind`)).status).toBe(201);
    });
    expect(invitation?.html).toContain(`<html lang="${language}">`);
    expect(invitation?.text).toContain(heading);
    expect(invitation?.text).toContain(date);
    expect(reminder?.subject).toBe(`${prefix}Papers for 2025`);
    expect(reminder?.text).toContain("Letter & more");
  });

  test("a change of the envelope sends an update with the same link", async () => {
    const owner = await named(api);
    const envelope = await sendEnvelope(owner, ENVELOPE);
    const [mail] = await mailsTo(api, "rita@example.com", () =>
      owner.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, documents: [{ name: "Passport" }] }),
    );
    expect(mail?.subject).toBe("Updated: Papers for 2025");
    expect(mail?.text).toContain("Passport");
    expect(mail?.text).not.toContain("Contract");
    expect(mail?.text).toContain(`/submit/${envelope.submissionToken}`);
  });

  test("a submission sends one mail with all files to the requestor, and a receipt to the recipient", async () => {
    const owner = await named(api);
    const envelope = await sendEnvelope(owner, ENVELOPE);
    const letter = docxFile("letter <1>.docx");
    const submit = () =>
      api
        .anonymous()
        .post(linkOf(envelope), form({ Contract: pdfFile("contract.pdf"), "Letter & more": letter }));
    let receipts: Awaited<ReturnType<typeof mailsTo>> = [];
    const notices = await mailsTo(api, owner.email, async () => {
      receipts = await mailsTo(api, "rita@example.com", submit);
    });
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatchObject({
      from: "Doculopes <no-reply@localhost>",
      subject: "Rita Recipient has sent the documents: Papers for 2025",
    });
    expect(notices[0]?.text).toMatch(/- Contract\n {2}contract\.pdf · \d+ Bytes/);
    expect(notices[0]?.html).toContain("letter &lt;1&gt;.docx · ");
    expect(notices[0]?.text).toContain(`${api.origin}/?envelope=${envelope.id}`);
    expect(receipts).toHaveLength(1);
    expect(receipts[0]).toMatchObject({
      from: "Ada Lovelace via Doculopes <no-reply@localhost>",
      subject: "Received: Papers for 2025",
    });
    expect(receipts[0]?.text).toMatch(/^Received on: .* \(UTC\)$/m);
    expect(receipts[0]?.text).toMatch(
      /- Contract\n {2}contract\.pdf · \d+ Bytes\n.*SHA-256.*contract\.pdf: [0-9a-f]{64}/s,
    );
    expect(receipts[0]?.text).not.toContain("/submit/");
  });

  test("a text message is short and has the link; both channels are used if requested", async () => {
    const owner = await named(api);
    const before = (await api.texts()).length;
    let envelope: { submissionToken: string } = { submissionToken: "" };
    const mails = await mailsTo(api, "rita@example.com", async () => {
      envelope = await sendEnvelope(owner, {
        ...ENVELOPE,
        recipientPhone: "5551234567",
        notificationPreference: "both",
      });
    });
    expect(mails).toHaveLength(1);
    expect((await api.texts()).slice(before)).toEqual([
      {
        to: "+15551234567",
        text: `Ada Lovelace is asking you for documents via Doculopes. Upload them here: ${api.origin}/submit/${envelope.submissionToken}`,
      },
    ]);
  });
});

describeApi("mail about an account", (api) => {
  test("a new password is notified, whether changed or reset", async () => {
    const owner = await api.signUp();
    const next = "another long password";
    const changed = await mailsTo(api, owner.email, () =>
      owner.post("/api/user/change-password", {
        currentPassword: owner.password,
        newPassword: next,
        confirmPassword: next,
      }),
    );
    expect(changed.map(({ subject }) => subject)).toEqual(["Your password was changed"]);
    expect(changed[0]?.text).toContain(`${api.origin}/auth?mode=forgot`);

    const [link] = await mailsTo(api, owner.email, () =>
      api.anonymous().post("/api/password/forgot", { email: owner.email }),
    );
    expect(link?.subject).toBe("Choose a new password");
    const token = /\/reset\/(\S+)/.exec(link?.text ?? "")?.[1];
    const reset = await mailsTo(api, owner.email, () =>
      api.anonymous().post("/api/password/reset", { token, newPassword: next, confirmPassword: next }),
    );
    expect(reset.map(({ subject }) => subject)).toEqual(["Your password was changed"]);
  });

  test("a new address gets a confirmation link, and the old one a notice without the new one", async () => {
    const owner = await api.signUp();
    const email = `new-${owner.email}`;
    let confirmations: Awaited<ReturnType<typeof mailsTo>> = [];
    const notified = await mailsTo(api, owner.email, async () => {
      confirmations = await mailsTo(api, email, () => owner.patch("/api/user/profile", { email }));
    });
    expect(confirmations.map(({ subject }) => subject)).toEqual(["Confirm your email address"]);
    expect(notified.map(({ subject }) => subject)).toEqual(["Your email address is about to change"]);
    expect(notified[0]?.text).not.toContain(email);
  });

  test("a message from the help chat reaches the operator", async () => {
    const owner = await named(api, { languagePreference: "ja" });
    const [mail] = await mailsTo(api, "no-reply@localhost", () =>
      owner.post("/api/support/messages", { message: "Help\nme <now>" }),
    );
    expect(mail?.subject).toBe("Support request from Ada Lovelace");
    expect(mail?.text).toContain("> Help\n> me <now>");
    expect(mail?.text).toContain(owner.email);
  });
});

describeApi("messages about an envelope", (api) => {
  test("only the owner can list them", async () => {
    const [owner, other] = [await api.signUp(), await api.signUp()];
    const { id } = await sendEnvelope(owner, ENVELOPE);
    await api.finishBackgroundWork();
    const path = `/api/requests/${id}/notifications`;
    const { status, body } = await owner.get(path);
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        id: expect.any(Number),
        kind: "invitation",
        channel: "email",
        recipient: "rita@example.com",
        status: "sent",
        attempts: 1,
        lastError: null,
        createdAt: TEST_START,
        sentAt: TEST_START,
      },
    ]);
    for (const response of [
      await other.get(path),
      await other.post(`${path}/${body[0].id}/retry`),
      await other.post(`/api/requests/${id}/remind`),
      await owner.post(`${path}/999999/retry`),
    ])
      expect(response.status).toBe(404);
    expect((await api.anonymous().get(path)).status).toBe(401);
    const { body: draft } = await owner.post("/api/requests", { isDraft: true });
    expect((await owner.get(`/api/requests/${draft.id}/notifications`)).body).toEqual([]);
    const foreign = await owner.post(`/api/requests/${draft.id}/notifications/${body[0].id}/retry`);
    expect(foreign.status).toBe(404);
    expect((await owner.post(`/api/requests/${draft.id}/remind`)).body.code).toBe("envelope_not_open");
  });

  test("the list ends after the latest thousand, and earlier ones can still be sent again", async () => {
    const owner = await api.signUp();
    const { id } = await sendEnvelope(owner, ENVELOPE);
    await api.finishBackgroundWork();
    const path = `/api/requests/${id}/notifications`;
    const [{ id: first }] = (await owner.get(path)).body;
    await api.execute(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
      insert into notifications
        (user_id, envelope_id, kind, channel, recipient, payload, dedupe_key, status, next_attempt_at, created_at)
      select ${owner.id}, ${id}, 'update', 'email', 'rita@example.com', '{}', 'many:${id}:' || i, 'sent',
        '${TEST_START}', '${TEST_START}' from n`);
    const { body } = await owner.get(path);
    expect(body.map(({ id }: { id: number }) => id)).toEqual(
      Array.from({ length: 1000 }, (_, index) => body[0].id + index),
    );
    expect(body[0].id).toBeGreaterThan(first);
    expect((await owner.post(`${path}/${first}/retry`)).body).toMatchObject({ kind: "invitation" });
  });

  test("a sent message can be sent again, as a separate mail", async () => {
    const owner = await api.signUp();
    const { id } = await sendEnvelope(owner, ENVELOPE);
    await api.finishBackgroundWork();
    const path = `/api/requests/${id}/notifications`;
    const [first] = (await owner.get(path)).body;
    const mails = await mailsTo(api, "rita@example.com", async () => {
      const again = await owner.post(`${path}/${first.id}/retry`);
      expect(again).toMatchObject({
        status: 200,
        body: { kind: "invitation", recipient: "rita@example.com" },
      });
      expect(again.body.id).not.toBe(first.id);
    });
    expect(mails).toHaveLength(1);
    expect(new Set((await api.mails()).map(({ messageId }) => messageId)).size).toBe(
      (await api.mails()).length,
    );
  });

  test("a completed envelope sends neither invitations nor reminders", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner);
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    await api.finishBackgroundWork();
    const path = `/api/requests/${envelope.id}/notifications`;
    const { body } = await owner.get(path);
    expect(body.map(({ kind }: { kind: string }) => kind)).toEqual(["invitation", "submission", "receipt"]);
    expect((await owner.post(`${path}/${body[0].id}/retry`)).body.code).toBe("envelope_not_open");
    expect((await owner.post(`${path}/${body[1].id}/retry`)).status).toBe(200);
    expect((await owner.post(`/api/requests/${envelope.id}/remind`)).status).toBe(409);
  });

  test("a recipient is reminded at most once an hour by hand", async () => {
    const owner = await api.signUp();
    const { id } = await sendEnvelope(owner, ENVELOPE);
    const path = `/api/requests/${id}/remind`;
    const mails = await mailsTo(api, "rita@example.com", async () => {
      const responses = await Promise.all([owner.post(path), owner.post(path), owner.post(path)]);
      expect(responses.some(({ status }) => status === 201)).toBe(true);
    });
    expect(mails.map(({ subject }) => subject)).toEqual(["Reminder: Papers for 2025"]);
    await api.setClock("2026-03-14T10:26:52.000Z");
    const tooSoon = await owner.post(path);
    expect([tooSoon.status, tooSoon.body.code, tooSoon.headers.get("retry-after")]).toEqual([
      429,
      "rate_limited",
      "1",
    ]);
    await api.setClock("2026-03-14T10:26:53.000Z");
    expect(await owner.post(path)).toMatchObject({ status: 201, body: [{ kind: "reminder" }] });
    await api.setClock(TEST_START);
  });

  test("a reminder can be read before it is sent, without the recipient's link, and says when the last one went", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, {
      ...ENVELOPE,
      ...{ recipientPhone: "+15551234567", notificationPreference: "both" },
    });
    const path = `/api/requests/${envelope.id}`;
    const before = await owner.get(`${path}/reminder`);
    expect(before.body).toMatchObject({
      email: { to: "rita@example.com", subject: "Reminder: Papers for 2025" },
      sms: { to: "+15551234567" },
      ...{ remindedAt: null, possibleAt: null },
    });
    const texts = [before.body.email.text, before.body.sms.text];
    expect(texts[0]).toContain("Contract");
    for (const text of texts) {
      expect(text).toContain("/submit/...");
      expect(text).not.toContain(envelope.submissionToken);
    }
    expect((await owner.get(path)).body.remindedAt).toBeNull();
    await owner.post(`${path}/remind`);
    expect((await owner.get(`${path}/reminder`)).body).toMatchObject({
      ...{ remindedAt: TEST_START, possibleAt: "2026-03-14T10:26:53.000Z" },
    });
    expect((await owner.get("/api/requests")).body).toMatchObject([{ remindedAt: TEST_START }]);
    const draft = await sendEnvelope(owner, { isDraft: true });
    expect(await owner.get(`/api/requests/${draft.id}/reminder`)).toMatchObject({
      status: 409,
      body: { code: "envelope_not_open" },
    });
  });

  test("a reminder's own sentence stands before its text in the mail and on the page, not in a text message, and names documents", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, {
      ...ENVELOPE,
      ...{ recipientPhone: "+15551234567", notificationPreference: "both" },
      documents: [{ name: "Contract" }, { name: "Pay slip" }],
    });
    const path = `/api/requests/${envelope.id}`;
    const note = "The <b>tax office</b> waits.\nDo it today";
    const input = { note: ` ${note} `, documentIds: [envelope.documents[1].id] };
    const search = new URLSearchParams({ note, documentIds: String(input.documentIds) });
    const preview = (await owner.get(`${path}/reminder?${search}`)).body;
    const noteOnPage = async () => (await api.anonymous().get(linkOf(envelope))).body.reminderNote;
    expect(await noteOnPage()).toBeNull();
    const [mail] = await mailsTo(api, "rita@example.com", async () => {
      expect((await owner.post(`${path}/remind`, input)).status).toBe(201);
    });
    for (const text of [preview.email.text, mail?.text ?? ""]) {
      expect(text.indexOf(note)).toBeGreaterThan(0);
      expect(text.indexOf(note)).toBeLessThan(text.indexOf("still needed"));
      expect(text).toContain("Pay slip");
      expect(text).not.toContain("Contract");
    }
    expect(mail?.html).toContain("The &lt;b&gt;tax office&lt;/b&gt; waits.<br>");
    expect(JSON.stringify([preview.sms, await api.texts()])).not.toContain("today");
    expect(await noteOnPage()).toBe(note);

    // The next one, without a note, leaves the page as it is; a copy of the first says the same again.
    await api.setClock("2026-03-14T11:00:00.000Z");
    const [plain] = await mailsTo(api, "rita@example.com", () => owner.post(`${path}/remind`));
    expect(plain?.text).toContain("Contract");
    expect(plain?.text).not.toContain("today");
    expect(await noteOnPage()).toBe(note);
    const sent = (await owner.get(`${path}/notifications`)).body;
    const first = sent.find(({ kind, channel }: Notified) => kind === "reminder" && channel === "email");
    const [copy] = await mailsTo(api, "rita@example.com", () =>
      owner.post(`${path}/notifications/${first.id}/retry`),
    );
    expect(copy?.text).toContain(note);
    await api.setClock(TEST_START);
  });

  test("a reminder's sentence has at most 500 characters, and only documents of the envelope are named", async () => {
    const owner = await api.signUp();
    const [envelope, other] = [await sendEnvelope(owner), await sendEnvelope(owner)];
    const path = `/api/requests/${envelope.id}`;
    const tooLong = await owner.post(`${path}/remind`, { note: "x".repeat(501) });
    expect([tooLong.status, tooLong.body.issues[0].path]).toEqual([400, "note"]);
    expect((await owner.get(`${path}/reminder?note=${"x".repeat(501)}`)).status).toBe(400);
    const documentIds = [other.documents[0].id];
    expect(await owner.post(`${path}/remind`, { documentIds })).toMatchObject({
      ...{ status: 400, body: { code: "unknown_document" } },
    });
    expect((await owner.get(`${path}/reminder?documentIds=${documentIds}`)).status).toBe(400);
    expect((await owner.get(`${path}/reminder?documentIds=x`)).status).toBe(400);
    expect((await owner.post(`${path}/remind`, { note: "x".repeat(500), documentIds: null })).status).toBe(
      201,
    );
  });

  test("a reminder's sentence that waits for the mail server is sent although the next reminder is due", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { ...ENVELOPE, reminderFrequency: "daily" });
    await api.finishBackgroundWork();
    await api.setMail("down");
    await owner.post(`/api/requests/${envelope.id}/remind`, { note: "The tax office waits" });
    await api.finishBackgroundWork();
    await api.runJobs("2026-03-15T09:26:53.000Z");
    await api.setMail("works");
    const mails = await mailsTo(api, "rita@example.com", () => api.runJobs("2026-03-15T09:30:00.000Z"));
    expect(mails.filter(({ text }) => text.includes("The tax office waits"))).toHaveLength(1);
    await api.setClock(TEST_START);
  });
});
