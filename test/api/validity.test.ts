import { expect, test } from "bun:test";
import { LIMITS } from "../../worker/contract/limits";
import { type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { joinAs } from "../support/api/team";
import { createTus } from "../support/api/tus";
import { pdfFile } from "../support/files/files";

const PASSPORT = { name: "Passport", asksValidUntil: true, renewDays: 30 };

describeApi("documents that expire", { variables: { WEBHOOK_ALLOW_PRIVATE: "on" } }, (api) => {
  const read = async (owner: SignedUp, { id }: { id: number }) =>
    (await owner.get(`/api/requests/${id}`)).body;

  /** An envelope that asks for a passport, and what its recipient does. */
  async function asked(changes: object = {}) {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { documents: [PASSPORT, { name: "Photo" }], ...changes });
    const [passport, photo] = envelope.documents;
    const recipient = api.anonymous();
    const link = linkOf(envelope);
    const keep = (validUntil: unknown, id = passport.id) =>
      recipient.put(`${link}/answers`, { answers: { [id]: validUntil } });
    const upload = (name = "passport.pdf") => createTus(api, envelope).upload(passport.id, pdfFile(name));
    return {
      ...{ owner, envelope, passport, photo, recipient, link, keep, upload },
      submit: (body: object = {}) => recipient.post(`${link}/submit`, body),
      /** Hands in the passport with this day. */
      async handIn(validUntil: string) {
        await upload();
        expect((await keep(validUntil)).status).toBe(204);
        expect((await recipient.post(`${link}/submit`)).status).toBe(201);
      },
      change: (body: object, id = passport.id) =>
        owner.patch(`/api/requests/${envelope.id}/documents/${id}`, body),
      page: async () => (await recipient.get(link)).body.documents[0],
      document: async () => (await read(owner, envelope)).documents[0],
    };
  }
  const expiring = async (owner: SignedUp, query = "") =>
    (await owner.get(`/api/documents/expiring?workspaceId=${owner.workspaceId}${query}`)).body;

  test("a day to ask again needs the day that it is asked for, and neither belongs to a question", async () => {
    const owner = await api.signUp();
    const documents = [
      { name: "A", asksValidUntil: true, renewDays: 1 },
      { name: "B", renewDays: 30 },
      { name: "C", kind: "text", asksValidUntil: true, renewDays: 30 },
    ];
    const sent = { recipientName: "R", recipientEmail: "r@example.com", subject: "S" };
    const refused = await owner.post("/api/requests", { ...sent, documents });
    expect(refused.body.issues).toEqual([
      { path: "documents.1.renewDays", message: "Ask for the day until which it is valid too" },
    ]);
    const template = await owner.post("/api/templates", { name: "T", fields: documents });
    expect(template.body.issues).toMatchObject([{ path: "fields.1.renewDays" }]);
    const draft = await owner.post("/api/requests", { isDraft: true, documents });
    expect(draft.body.documents).toMatchObject([
      documents[0] as object,
      { asksValidUntil: false, renewDays: 30 },
      { asksValidUntil: false, renewDays: null },
    ]);
    for (const renewDays of [0, 181, 1.5, "30"]) {
      const outside = await owner.post("/api/requests", {
        isDraft: true,
        documents: [{ name: "A", renewDays }],
      });
      expect([renewDays, outside.status]).toEqual([renewDays, 400]);
      expect(outside.body.issues).toMatchObject([{ path: "documents.0.renewDays" }]);
    }
  });

  test("the day is kept with the file, required to submit it, and may be past", async () => {
    const { envelope, passport, photo, recipient, link, keep, upload, submit, page, document } =
      await asked();
    for (const wrong of ["2027-02-30", "soon", 5, ["2027-01-01"]]) {
      const refused = await keep(wrong);
      expect([refused.status, refused.body.code]).toEqual([400, "invalid_answer"]);
      expect(refused.body.issues).toMatchObject([{ path: `answers.${passport.id}` }]);
    }
    expect((await keep("2027-01-01", photo.id)).body.code).toBe("invalid_answer");
    await upload();
    const missing = await submit();
    expect([missing.status, missing.body.code]).toEqual([400, "missing_valid_until"]);
    expect(missing.body.issues).toEqual([
      { path: `answers.${passport.id}`, message: "Enter the day until which it is valid" },
    ]);
    expect((await keep("2020-05-03")).status).toBe(204);
    expect(await page()).toMatchObject({ validUntil: "2020-05-03", answered: false, answer: null });
    expect((await document()).validUntil).toBeNull();
    expect((await submit()).status).toBe(201);
    expect(await document()).toMatchObject({
      ...{ validUntil: "2020-05-03", renewDays: 30, asksValidUntil: true },
      ...{ renewal: null, renewalPaused: false, state: "received", answered: false },
    });
    expect(await api.select(`select id from answers where envelope_id = ${envelope.id}`)).toEqual([]);
    expect((await recipient.get(link)).status).toBe(410);
  });

  test("a day without a file is dropped, and the multipart call leaves none", async () => {
    const one = await asked();
    await one.keep("2030-01-01");
    expect((await one.submit({ note: "Nothing yet" })).status).toBe(201);
    expect((await one.document()).validUntil).toBeNull();
    const other = await asked();
    const data = form({ Passport: pdfFile("a.pdf") });
    data.append("Photo", "2030-01-01");
    expect((await other.recipient.post(other.link, data)).body.code).toBe("not_a_file");
    expect((await other.recipient.post(other.link, form({ Passport: pdfFile("a.pdf") }))).status).toBe(201);
    expect((await other.document()).validUntil).toBeNull();
  });

  test("a returned document that is handed in again takes the new day, and one that is skipped has none", async () => {
    const { owner, envelope, passport, handIn, upload, keep, submit, page, document } = await asked();
    await handIn("2027-01-01");
    const askAgain = () =>
      owner.post(`/api/requests/${envelope.id}/review`, {
        return: [{ documentId: passport.id, reason: "Blurry" }],
      });
    expect((await askAgain()).status).toBe(200);
    expect((await page()).validUntil).toBe("2027-01-01");
    await upload("again.pdf");
    expect((await submit()).body.code).toBe("missing_valid_until");
    await keep("2037-01-01");
    expect((await submit()).status).toBe(201);
    expect((await document()).validUntil).toBe("2037-01-01");
    await askAgain();
    expect((await submit({ skipped: [{ documentId: passport.id }] })).status).toBe(201);
    expect(await document()).toMatchObject({ validUntil: null, state: "skipped" });
  });

  test("members change it after the submission, and viewers and others do not", async () => {
    const { owner, envelope, passport, photo, change, handIn, document } = await asked();
    expect((await change({ validUntil: "2030-01-01" })).body.code).toBe("not_completed");
    await handIn("2030-01-01");
    const { updatedAt } = await read(owner, envelope);
    expect((await change({})).body.updatedAt).toBe(updatedAt);
    const changed = await change({ validUntil: "2031-01-01", updatedAt });
    expect(changed.status).toBe(200);
    expect(changed.body.documents[0]).toMatchObject({ validUntil: "2031-01-01", renewDays: 30 });
    expect((await change({ validUntil: "2032-01-01", updatedAt })).body.code).toBe("changed_meanwhile");
    expect((await change({ validUntil: "2031-13-01" })).body.issues).toMatchObject([{ path: "validUntil" }]);
    expect((await change({ renewDays: 181 })).body.issues).toMatchObject([{ path: "renewDays" }]);
    expect((await change({ validUntil: null, renewDays: 60 })).status).toBe(200);
    expect(await document()).toMatchObject({ validUntil: null, renewDays: 60 });
    expect((await change({ validUntil: "2030-01-01", renewDays: 10 }, photo.id)).status).toBe(200);
    await owner.post(`/api/requests/${envelope.id}/review`, {
      return: [{ documentId: passport.id, reason: "?" }],
    });
    const { recipientName, recipientEmail, subject } = envelope;
    const documents = [PASSPORT, { name: "Photo" }];
    const edit = { recipientName, recipientEmail, subject, documents };
    const edited = await owner.put(`/api/requests/${envelope.id}`, edit);
    expect(edited.body.documents).toMatchObject([
      { renewDays: 30, validUntil: null },
      { asksValidUntil: false, renewDays: 10, validUntil: "2030-01-01" },
    ]);
    expect((await change({}, 999_999)).status).toBe(404);
    const { body: timeline } = await owner.get(`/api/requests/${envelope.id}/timeline`);
    expect(timeline.find(({ kind }: { kind: string }) => kind === "validity_changed").detail).toBe(
      "Passport: 2031-01-01",
    );
    const path = `/api/requests/${envelope.id}/documents/${passport.id}`;
    const viewer = await joinAs(api, owner, "viewer");
    expect((await viewer.patch(path, { validUntil: "2030-01-01" })).body.code).toBe("role_required");
    expect((await (await api.signUp()).patch(path, {})).status).toBe(404);
    expect((await viewer.delete(`${path}/renewal`)).body.code).toBe("role_required");
    expect((await owner.delete(`${path}/renewal`)).status).toBe(204);
    expect((await document()).renewDays).toBeNull();
  });

  test("the list has the soonest first, until a day, in pages, without what newer ones have replaced", async () => {
    await api.setClock("2026-12-01T12:00:00.000Z");
    const { owner, envelope, handIn } = await asked();
    await handIn("2027-06-01");
    const more = async (validUntil: string, recipientEmail: string, name = "Passport") => {
      const sent = await sendEnvelope(owner, { documents: [{ ...PASSPORT, name }], recipientEmail });
      await createTus(api, sent).upload(sent.documents[0].id, pdfFile("p.pdf"));
      const answers = { [sent.documents[0].id]: validUntil };
      expect((await api.anonymous().post(`${linkOf(sent)}/submit`, { answers })).status).toBe(201);
      return sent;
    };
    await more("2026-11-30", "past@example.com");
    await more("2026-12-31", "soon@example.com");
    await sendEnvelope(owner, { documents: [PASSPORT] });
    const summary = (list: ApiResponse["body"]) =>
      list.map((one: ApiResponse["body"]) => [one.recipient.email, one.validUntil, one.state]);
    expect(summary(await expiring(owner))).toEqual([
      ["past@example.com", "2026-11-30", "expired"],
      ["soon@example.com", "2026-12-31", "expiring"],
      ["rita@example.com", "2027-06-01", "valid"],
    ]);
    expect(await expiring(owner, "&until=2026-12-31")).toHaveLength(2);
    const [first] = await expiring(owner, "&until=2026-12-30");
    expect(first).toMatchObject({ name: "Passport", renewDays: 30, renewal: null });
    const page = await owner.get(`/api/documents/expiring?limit=2`);
    const next = page.headers.get("link")?.match(/<([^>]+)>/)?.[1] ?? "";
    expect(summary((await owner.get(next)).body)).toEqual([["rita@example.com", "2027-06-01", "valid"]]);
    await api.setClock("2026-12-02T12:00:00.000Z");
    await more("2036-12-31", "soon@example.com", "PASSPORT");
    // Of one that was typed in the other form of its accents, and in capitals.
    await more("2027-01-01", "lea@example.com", "Führerschein");
    await api.setClock("2026-12-02T12:01:00.000Z");
    await more("2036-12-31", "lea@example.com", "FÜHRERSCHEIN".normalize("NFD"));
    expect(summary(await expiring(owner, "&until=2030-01-01"))).toEqual([
      ["past@example.com", "2026-11-30", "expired"],
      ["rita@example.com", "2027-06-01", "valid"],
    ]);
    // Replaced ones are between these.
    const one = await owner.get("/api/documents/expiring?until=2030-01-01&limit=1");
    const other = await owner.get(one.headers.get("link")?.match(/<([^>]+)>/)?.[1] ?? "");
    expect(summary(one.body)).toEqual([["past@example.com", "2026-11-30", "expired"]]);
    expect(summary(other.body)).toEqual([["rita@example.com", "2027-06-01", "valid"]]);
    expect(other.headers.get("link")).toBeNull();
    expect((await owner.get("/api/documents/expiring?until=2026-02-30")).status).toBe(400);
    expect((await owner.get("/api/documents/expiring?cursor=x")).status).toBe(400);
    const stranger = await api.signUp();
    expect((await stranger.get(`/api/documents/expiring?workspaceId=${owner.workspaceId}`)).status).toBe(404);
    const { body: second } = await owner.post("/api/workspaces", { name: "Second" });
    const { body: whole } = await owner.get(`/api/requests/${envelope.id}`);
    expect(whole.documents[0].validUntil).toBe("2027-06-01");
    expect(second.id).toBeGreaterThan(0);
  });

  /** The envelopes that were sent to ask again, the latest last. */
  const renewalsOf = async (owner: SignedUp) =>
    (await owner.get("/api/requests")).body
      .filter(({ subject }: ApiResponse["body"]) => subject?.startsWith("Please renew: "))
      .reverse();

  test("a document is asked for again at nine of the day, by an envelope like the old one", async () => {
    await api.setClock("2027-01-20T12:00:00.000Z");
    const { owner, envelope, handIn, document, change } = await asked({
      ...{ language: "de", reminderFrequency: "weekly", subject: "Ausweis" },
    });
    await handIn("2027-03-01");
    await api.runJobs("2027-01-30T08:59:00.000Z");
    expect(await document()).toMatchObject({ renewal: null });
    // As File deletion leaves it.
    await api.execute(`update submissions set deleted_at = '2027-01-29' where envelope_id = ${envelope.id}`);
    await api.setClock("2027-01-30T09:00:00.000Z");
    await Promise.all([api.runJobs(), api.runJobs()]);
    await api.runJobs("2027-01-30T09:01:00.000Z");
    const { body: list } = await owner.get("/api/requests");
    expect(list).toHaveLength(2);
    const [renewal] = list;
    expect(renewal).toMatchObject({
      ...{ subject: "Bitte erneuern: Passport", language: "de", reminderFrequency: "weekly" },
      ...{ recipientName: "Rita Recipient", recipientEmail: "rita@example.com", dueDate: "2027-03-01" },
      ...{ status: "pending", templateId: null, expirationDate: null, contactId: null },
    });
    expect(renewal.message).toContain("Passport: gültig bis 1. März 2027");
    expect(renewal.documents).toMatchObject([{ ...PASSPORT, state: "open", validUntil: null }]);
    const renewed = { requestId: renewal.id, at: "2027-01-30T09:00:00.000Z" };
    expect(await document()).toMatchObject({ renewal: renewed, validUntil: "2027-03-01" });
    expect(await expiring(owner)).toMatchObject([{ state: "asked", renewal: renewed }]);
    const mails = (await api.mails()).filter(({ subject }) => subject === "Bitte erneuern: Passport");
    expect(mails.map(({ to }) => to)).toEqual(["rita@example.com"]);
    const { body: timeline } = await owner.get(`/api/requests/${renewal.id}/timeline`);
    expect(timeline.find(({ kind }: { kind: string }) => kind === "sent")).toMatchObject({
      actor: "service",
    });
    expect((await read(owner, envelope)).status).toBe("completed");
    // Another day is another reason to ask.
    await change({ validUntil: "2027-03-04" });
    expect(await document()).toMatchObject({ renewal: null });
    await api.runJobs("2027-02-02T09:00:00.000Z");
    expect((await owner.get("/api/requests")).body).toHaveLength(3);
  });

  const RESETS: Record<string, (owner: SignedUp) => Promise<ApiResponse>> = {
    "a reset": async ({ email }) => {
      await api.anonymous().post("/api/password/forgot", { email });
      const token = (await mailedTokens(api, "reset", email)).at(-1);
      return api.anonymous().post("/api/password/reset", { token, newPassword: "another one" });
    },
    "a new password": (owner) => {
      const [currentPassword, newPassword] = [owner.password, "another one"];
      const passwords = { currentPassword, newPassword, confirmPassword: newPassword, revokeTokens: true };
      return owner.post("/api/user/change-password", passwords);
    },
    "“This wasn't me”": async (owner) => {
      const other = `not-${owner.email}`;
      await api.execute(`update users set is_verified = true where id = ${owner.id}`);
      await owner.patch("/api/user/profile", { email: other });
      const [token] = await mailedTokens(api, "verify", other);
      await owner.post("/api/user/verify", { token });
      const [revert] = await mailedTokens(api, "revert-email", owner.email);
      return api.anonymous().post("/api/user/revert-email", { token: revert });
    },
  };
  test.each(Object.entries(RESETS))(
    "after %s, nothing that the account has planned is asked for again before somebody says so",
    async (name, reset) => {
      await api.setClock("2027-01-20T12:00:00.000Z");
      const colleague = await api.signUp();
      const owner = await joinAs(api, colleague, "owner");
      const { workspaceId } = colleague;
      /** An envelope of one of them whose passport somebody has planned to ask for again. */
      const plan = async (by: SignedUp, planner: SignedUp) => {
        const documents = [{ name: "Passport" }];
        const sent = await sendEnvelope(by, { documents, workspaceId, assigneeId: colleague.id });
        await api.anonymous().post(linkOf(sent), form({ Passport: pdfFile("passport.pdf") }));
        const path = `/api/requests/${sent.id}/documents/${sent.documents[0].id}`;
        const planned = await planner.patch(path, { validUntil: "2027-03-01", renewDays: 20 });
        expect(planned.status).toBe(200);
        return sent;
      };
      const [created, changed] = [await plan(owner, colleague), await plan(colleague, owner)];
      const other = await plan(colleague, colleague);
      expect((await reset(owner)).status).toBe(name === "a new password" ? 200 : 204);
      const paused = async ({ id }: { id: number }) =>
        (await colleague.get(`/api/requests/${id}`)).body.documents[0].renewalPaused;
      expect([await paused(created), await paused(changed), await paused(other)]).toEqual([
        true,
        true,
        false,
      ]);
      await api.runJobs("2027-02-09T09:00:00.000Z", "2027-02-10T09:00:00.000Z");
      const renewals = async () =>
        (await colleague.get("/api/requests")).body.filter(({ subject }: ApiResponse["body"]) =>
          subject.startsWith("Please renew: "),
        ).length;
      expect(await renewals()).toBe(1);
      const told = (await api.mails()).filter(
        ({ to, subject }) => to === colleague.email && subject.includes("not sent"),
      );
      expect(told.map(({ subject }) => subject)).toEqual(["2 planned requests were not sent"]);
      expect(told[0]?.text).toContain("The account that planned it may have been used by somebody else");
      expect((await colleague.post("/api/documents/expiring/resume", { workspaceId })).status).toBe(204);
      await api.runJobs("2027-02-11T09:00:00.000Z");
      expect(await paused(changed)).toBe(false);
      expect(await renewals()).toBe(2);
    },
  );

  test("the day is that of the assignee's zone, whenever it has changed", async () => {
    await api.setClock("2027-01-20T12:00:00.000Z");
    const { owner, handIn } = await asked();
    await handIn("2027-03-01");
    await owner.patch("/api/user/profile", { timeZone: "Pacific/Auckland" });
    await api.runJobs("2027-01-29T19:30:00.000Z");
    expect(await renewalsOf(owner)).toEqual([]);
    await api.runJobs("2027-01-29T20:00:00.000Z");
    expect(await renewalsOf(owner)).toHaveLength(1);
  });

  test("what was missed is asked for between eight and eighteen o'clock, and a past day at the next nine", async () => {
    await api.setClock("2027-01-20T12:00:00.000Z");
    const { owner, handIn } = await asked();
    await handIn("2027-03-01");
    await api.runJobs("2027-02-10T18:00:00.000Z", "2027-02-11T07:59:00.000Z");
    expect(await renewalsOf(owner)).toEqual([]);
    await api.runJobs("2027-02-11T09:00:00.000Z");
    expect(await renewalsOf(owner)).toMatchObject([{ dueDate: "2027-03-01" }]);
    const late = await asked();
    await late.handIn("2026-05-01");
    await api.runJobs("2027-02-12T08:59:00.000Z");
    expect(await renewalsOf(late.owner)).toEqual([]);
    await api.runJobs("2027-02-12T09:00:00.000Z");
    expect(await renewalsOf(late.owner)).toMatchObject([{ dueDate: "2027-02-19" }]);
  });

  test("documents of a recipient within fourteen days are one envelope, without what is stopped, returned or replaced", async () => {
    await api.setClock("2027-01-20T12:00:00.000Z");
    const names = ["Passport", "Visa", "Permit", "Licence", "Stopped", "Card"];
    const owner = await api.signUp();
    const sent = await sendEnvelope(owner, { documents: names.map((name) => ({ ...PASSPORT, name })) });
    const ids = sent.documents.map(({ id }: { id: number }) => id);
    const tus = createTus(api, sent);
    for (const id of ids) await tus.upload(id, pdfFile(`${id}.pdf`));
    const days = ["2027-03-05", "2027-03-01", "2027-03-15", "2027-03-16", "2027-03-01", "2027-03-01"];
    const answers = Object.fromEntries(ids.map((id: number, index: number) => [id, days[index]]));
    expect((await api.anonymous().post(`${linkOf(sent)}/submit`, { answers })).status).toBe(201);
    await owner.delete(`/api/requests/${sent.id}/documents/${ids[4]}/renewal`);
    const newer = await sendEnvelope(owner, { documents: [{ name: "card" }] });
    await api.setClock("2027-01-21T12:00:00.000Z");
    await api.anonymous().post(linkOf(newer), form({ card: pdfFile("card.pdf") }));
    await owner.post(`/api/requests/${sent.id}/review`, { return: [{ documentId: ids[0], reason: "?" }] });
    await api.runJobs("2027-01-30T09:00:00.000Z");
    const [first, ...none] = await renewalsOf(owner);
    expect(none).toEqual([]);
    expect(first).toMatchObject({ subject: "Please renew: Visa, Permit", dueDate: "2027-03-01" });
    // Received again, at the next nine.
    await owner.post(`/api/requests/${sent.id}/review`, { undo: [ids[0]] });
    await api.runJobs("2027-01-31T08:59:00.000Z", "2027-02-03T09:00:00.000Z");
    const all = await renewalsOf(owner);
    expect(all.map(({ subject }: ApiResponse["body"]) => subject)).toEqual([
      "Please renew: Visa, Permit",
      "Please renew: Passport, Licence",
    ]);
    expect(all.map(({ dueDate }: ApiResponse["body"]) => dueDate)).toEqual(["2027-03-01", "2027-03-05"]);
  });

  test("whoever an envelope has gone to since is asked, without what somebody else has sent", async () => {
    await api.setClock("2027-08-01T12:00:00.000Z");
    const { owner, envelope, photo, handIn } = await asked();
    await createTus(api, envelope).upload(photo.id, pdfFile());
    await handIn("2027-09-05");
    const path = `/api/requests/${envelope.id}`;
    const again = { return: [{ documentId: photo.id, reason: "Blurry" }] };
    const { body: returned } = await owner.post(`${path}/review`, again);
    const bob = { recipientName: "Bob Other", recipientEmail: "bob@example.com" };
    const { body: changed } = await owner.put(path, { ...returned, ...bob });
    const skipped = [{ documentId: photo.id }];
    expect((await createTus(api, changed).submit({ skipped })).status).toBe(201);
    await api.runJobs("2027-08-06T12:00:00.000Z");
    const [renewal] = await renewalsOf(owner);
    expect(renewal).toMatchObject({ ...bob, message: null, documents: [{ name: "Passport" }] });
  });

  test("two people of one contact are each asked for their own", async () => {
    await api.setClock("2027-01-20T12:00:00.000Z");
    const owner = await api.signUp();
    const company = { workspaceId: owner.workspaceId, firstName: "Example", lastName: "Ltd" };
    const { body: contact } = await owner.post("/api/contacts", { ...company, email: "office@example.com" });
    const to = ["first@example.com", "second@example.com"];
    for (const recipientEmail of to) {
      const documents = [{ ...PASSPORT, name: `Certificate of ${recipientEmail}` }];
      const sent = await sendEnvelope(owner, { documents, recipientEmail, contactId: contact.id });
      const [{ id, name }] = sent.documents;
      await api.anonymous().post(linkOf(sent), form({ [name]: pdfFile("certificate.pdf") }));
      await owner.patch(`/api/requests/${sent.id}/documents/${id}`, { validUntil: "2027-03-01" });
    }
    await api.runJobs("2027-01-30T09:00:00.000Z");
    const renewals = await renewalsOf(owner);
    expect(
      renewals.map(({ customerEmail, documents }: ApiResponse["body"]) => [customerEmail, documents.length]),
    ).toEqual(to.map((address) => [address, 1]));
    expect(renewals.map(({ subject }: ApiResponse["body"]) => subject)).toEqual(
      to.map((address) => `Please renew: Certificate of ${address}`),
    );
  });

  test("as many documents as an envelope may have are asked for again together", async () => {
    await api.setClock("2027-01-20T12:00:00.000Z");
    const owner = await api.signUp();
    const names = Array.from({ length: LIMITS.documentsPerEnvelope }, (_, index) => `Certificate ${index}`);
    const documents = names.map((name) => ({ name, asksValidUntil: true, renewDays: 30 }));
    const sent = await sendEnvelope(owner, { documents });
    const files = Object.fromEntries(names.map((name) => [name, pdfFile("certificate.pdf")]));
    expect((await api.anonymous().post(linkOf(sent), form(files))).status).toBe(201);
    await api.execute(
      `update envelope_documents set valid_until = '2027-03-01', renew_on = '2027-01-30', check_at = '2027-01-29', workspace_id = ${sent.workspaceId} where envelope_id = ${sent.id}`,
    );
    await api.runJobs("2027-01-30T09:00:00.000Z");
    const [renewal] = await renewalsOf(owner);
    expect(renewal?.documents).toHaveLength(names.length);
  });

  test("nobody is asked whose contact or envelope is deleted", async () => {
    await api.setClock("2027-01-20T12:00:00.000Z");
    const owner = await api.signUp();
    const { body: contact } = await owner.post("/api/contacts", { firstName: "Rita" });
    for (const contactId of [contact.id, null]) {
      const sent = await sendEnvelope(owner, { contactId, documents: [PASSPORT] });
      await createTus(api, sent).upload(sent.documents[0].id, pdfFile("p.pdf"));
      const answers = { [sent.documents[0].id]: "2027-03-01" };
      await api.anonymous().post(`${linkOf(sent)}/submit`, { answers });
      if (contactId === null) await owner.delete(`/api/requests/${sent.id}`);
    }
    expect(await expiring(owner)).toMatchObject([{ renewDays: 30 }]);
    await owner.delete(`/api/contacts/${contact.id}`);
    expect(await expiring(owner)).toMatchObject([{ renewDays: null }]);
    await api.runJobs("2027-01-30T09:00:00.000Z");
    expect(await renewalsOf(owner)).toEqual([]);
  });

  test("nobody is asked while whoever would send it is disabled, and is the morning after", async () => {
    await api.setClock("2027-01-20T12:00:00.000Z");
    const { owner, handIn } = await asked({ recipientEmail: "waits@example.com" });
    await handIn("2027-03-01");
    await api.execute(`update users set disabled_at = '2027-01-21' where id = ${owner.id}`);
    await api.runJobs("2027-01-30T09:00:00.000Z", "2027-01-30T09:01:00.000Z");
    await api.execute(`update users set disabled_at = null where id = ${owner.id}`);
    await api.runJobs("2027-01-30T12:00:00.000Z", "2027-01-31T08:59:00.000Z");
    expect(await renewalsOf(owner)).toEqual([]);
    await api.runJobs("2027-01-31T09:00:00.000Z");
    expect(await renewalsOf(owner)).toMatchObject([{ status: "pending", dueDate: "2027-03-01" }]);
    const mails = (await api.mails()).filter(({ to }) => to === "waits@example.com");
    expect(mails.at(-1)?.subject).toBe("Please renew: Passport");
    // Another owner goes on with the workspace meanwhile.
    const team = await asked();
    await team.handIn("2027-03-10");
    await joinAs(api, team.owner, "owner");
    await api.execute(`update users set disabled_at = '2027-02-01' where id = ${team.owner.id}`);
    await api.runJobs("2027-02-08T09:00:00.000Z");
    await api.execute(`update users set disabled_at = null where id = ${team.owner.id}`);
    expect(await renewalsOf(team.owner)).toMatchObject([{ status: "pending" }]);
  });

  test("webhooks are told that a document has expired whose sender is disabled meanwhile", async () => {
    await api.setClock("2027-01-20T12:00:00.000Z");
    const { owner, envelope, handIn } = await asked();
    await handIn("2027-03-01");
    const { workspaceId } = owner;
    const hook = { url: "https://127.0.0.1:9/", events: ["document.expired"], workspaceId };
    expect((await owner.post("/api/webhooks", hook)).status).toBe(201);
    await api.execute(`update users set disabled_at = '2027-01-21' where id = ${owner.id}`);
    const days = ["01-30T09:00", "02-28T09:00", "03-01T09:00", "03-02T00:01", "03-02T09:00", "03-03T09:00"];
    await api.runJobs(...days.map((day) => `2027-${day}:00.000Z`));
    const told = await api.select(
      `select event, at from webhook_deliveries where envelope_id = ${envelope.id}`,
    );
    expect(told).toEqual([{ event: "document.expired", at: "2027-03-02T00:00:00.000Z" }]);
    await api.execute(`update users set disabled_at = null where id = ${owner.id}`);
    await api.runJobs("2027-03-04T09:00:00.000Z");
    const sent = `select id from envelopes where user_id = ${owner.id} and subject like 'Please renew: %'`;
    expect(await api.select(sent)).toHaveLength(1);
  });

  test("an older document is asked for again once the newer one is deleted, returned or moved", async () => {
    for (const way of ["delete", "return", "move", "stay"]) {
      await api.setClock("2027-01-20T12:00:00.000Z");
      const recipientEmail = `${way}@example.com`;
      const { owner, envelope, handIn, document } = await asked({ recipientEmail });
      await handIn("2027-03-01");
      await api.setClock("2027-01-21T12:00:00.000Z");
      const documents = [{ ...PASSPORT, name: "passport" }, { name: "Photo" }];
      const newer = await sendEnvelope(owner, { recipientEmail, documents });
      const [passport, photo] = newer.documents;
      const files = form({ passport: pdfFile("p.pdf"), Photo: pdfFile("f.pdf") });
      expect((await api.anonymous().post(linkOf(newer), files)).status).toBe(201);
      await api.runJobs("2027-01-30T09:00:00.000Z", "2027-01-31T09:00:00.000Z");
      expect([way, await expiring(owner), await renewalsOf(owner)]).toEqual([way, [], []]);
      const giveBack = ({ id: documentId }: { id: number }) =>
        owner.post(`/api/requests/${newer.id}/review`, { return: [{ documentId, reason: "Not hers" }] });
      if (way === "delete") expect((await owner.delete(`/api/requests/${newer.id}`)).status).toBe(204);
      if (way === "return") expect((await giveBack(passport)).status).toBe(200);
      if (way === "move") {
        const { body: other } = await owner.post("/api/workspaces", { name: "Other" });
        await giveBack(photo);
        const moved = { ...newer, workspaceId: other.id, updatedAt: undefined };
        expect((await owner.put(`/api/requests/${newer.id}`, moved)).status).toBe(200);
      }
      const isAlone = way !== "stay";
      expect(await expiring(owner)).toMatchObject(isAlone ? [{ state: "expiring", renewal: null }] : []);
      await api.runJobs("2027-02-06T09:00:00.000Z", "2027-02-07T09:00:00.000Z");
      expect([way, await renewalsOf(owner)]).toMatchObject([way, isAlone ? [{ dueDate: "2027-03-01" }] : []]);
      expect((await document()).renewal === null).toBe(!isAlone);
      // It is looked at no more once it has expired.
      await api.runJobs("2027-03-01T10:00:00.000Z", "2027-03-02T00:00:00.000Z");
      const [row] = await api.select(
        `select check_at, renew_on, workspace_id from envelope_documents where name = 'Passport' and envelope_id = ${envelope.id}`,
      );
      const workspace_id = isAlone ? owner.workspaceId : null;
      expect([way, row]).toEqual([way, { check_at: null, renew_on: null, workspace_id }]);
    }
  });

  test("what a limit or the recipient forbids is tried for a day, and then told to the assignee in one mail", async () => {
    await api.setClock("2027-01-20T12:00:00.000Z");
    const { owner, envelope, handIn } = await asked();
    await handIn("2027-03-01");
    await api.finishBackgroundWork();
    const invitation = (await api.mails()).findLast(({ to }) => to === "rita@example.com");
    const token = /unsubscribe\/([\w-]+)/.exec(invitation?.text ?? "")?.[1];
    expect((await api.anonymous().post(`/api/unsubscribe/${token}`)).status).toBeLessThan(300);
    await api.runJobs("2027-01-30T09:00:00.000Z", "2027-01-30T10:00:00.000Z");
    expect(await api.select(`select id from schedule_news where user_id = ${owner.id}`)).toEqual([]);
    await api.runJobs("2027-01-31T09:00:00.000Z", "2027-01-31T10:00:00.000Z", "2027-01-31T11:00:00.000Z");
    const mails = (await api.mails()).filter(({ to }) => to === owner.email);
    expect(mails.at(-1)?.text).toContain("Passport");
    expect(await renewalsOf(owner)).toEqual([]);
    expect((await read(owner, envelope)).documents[0]).toMatchObject({ renewal: null });
  });

  test("webhooks are told when a document is asked for again, and when it has expired", async () => {
    await api.setClock("2027-01-20T12:00:00.000Z");
    const { owner, envelope, passport, handIn } = await asked();
    const webhook = { url: "https://127.0.0.1:9/", events: ["document.expiring", "document.expired"] };
    expect((await owner.post("/api/webhooks", webhook)).status).toBe(201);
    await handIn("2027-03-01");
    await api.runJobs("2027-01-30T09:00:00.000Z", "2027-01-30T09:00:00.000Z");
    await api.runJobs("2027-03-01T23:59:00.000Z");
    const told = () =>
      api.select(
        `select event, at, document_id from webhook_deliveries where envelope_id = ${envelope.id} order by id`,
      );
    const expiringAt = "2027-01-30T09:00:00.000Z";
    expect(await told()).toEqual([{ event: "document.expiring", at: expiringAt, document_id: passport.id }]);
    await api.runJobs("2027-03-02T00:00:00.000Z", "2027-03-02T00:01:00.000Z", "2027-03-03T09:00:00.000Z");
    expect((await told()).slice(1)).toEqual([
      { event: "document.expired", at: "2027-03-02T00:00:00.000Z", document_id: passport.id },
    ]);
    const id = `envelope_id = ${envelope.id}`;
    expect(
      await api.select(`select id from envelope_documents where check_at is not null and ${id}`),
    ).toEqual([]);
  });
});
