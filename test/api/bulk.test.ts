import { expect, test } from "bun:test";
import { type Api, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { pdfFile } from "../support/files/files";
import { readZip } from "../support/files/zip";
import { TEST_START } from "../support/runtime/runtime";
import { waitFor } from "../support/wait";

const daysLater = (days: number) => new Date(Date.parse(TEST_START) + days * 86_400_000).toISOString();
const SHARED = { subject: "Tax return 2025", documents: [{ name: "Pay slip" }] };
const PATH = "/api/requests/bulk";

const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    recipientName: `Person ${from + index}`,
    recipientEmail: `bulk${from + index}@example.com`,
  }));

const send = (owner: SignedUp, recipients: object[], envelope: object = {}) =>
  owner.post(PATH, { envelope: { ...SHARED, ...envelope }, recipients });

async function finished(api: Api, owner: SignedUp, id: number) {
  await api.finishBackgroundWork();
  return (await owner.get(`${PATH}/${id}`)).body;
}

const MANY = Array.from({ length: 100 }, (_, index) => `column ${index}`);

describeApi("bulk sends", (api) => {
  test("each recipient gets an envelope of their own and one invitation, and the group says how far it is", async () => {
    const owner = await api.signUp();
    const { status, body } = await send(owner, people(60));
    expect([status, body]).toEqual([202, { id: body.id, total: 60, created: 0, failed: [] }]);
    expect(await finished(api, owner, body.id)).toEqual({
      ...{ id: body.id, total: 60, created: 60, failed: [], finished: true, unsent: null },
      ...{
        questions: 0,
        opened: 0,
        completed: 0,
        toReview: 0,
        workspaceId: owner.workspaceId,
        subject: "Tax return 2025",
      },
      series: null,
      createdAt: TEST_START,
    });
    const listed = (await owner.get(`/api/requests?bulkId=${body.id}`)).body;
    expect(listed).toHaveLength(60);
    for (const envelope of listed)
      expect(envelope).toMatchObject({ bulkId: body.id, status: "pending", subject: "Tax return 2025" });
    expect(new Set(listed.map(({ recipientEmail }: { recipientEmail: string }) => recipientEmail)).size).toBe(
      60,
    );
    // A Worker's schedule sends what is more than a batch.
    await api.runJobs();
    const mails = (await api.mails()).filter(({ subject }) => subject === "Tax return 2025");
    expect(new Set(mails.map(({ to }) => to)).size).toBe(60);
    expect(mails).toHaveLength(60);
    expect((await owner.get(PATH)).body).toHaveLength(1);
    const rows = await api.select(
      `select count(*) as rows from bulk_recipients where bulk_id = ${body.id} and recipient is not null`,
    );
    expect(rows).toEqual([{ rows: 0 }]);
  }, 240_000);

  test("many bulk sends at once are written one after the other, so that they leave others time", async () => {
    const owner = await api.signUp();
    const sent = await Promise.all([0, 1, 2, 3].map((nth) => send(owner, people(40, 40 * nth))));
    for (const { body } of sent)
      expect(await finished(api, owner, body.id)).toMatchObject({ created: 40, failed: [] });
    // Requests of a Worker cannot wait for each other.
    if (api.runtime !== "bun") return;
    const ids = sent.map(({ body }) => body.id).join();
    const [found] = await api.select(
      `select count(*) as changes from (select bulk_id, lag(bulk_id) over (order by id) as before from envelopes where bulk_id in (${ids})) where bulk_id <> before`,
    );
    expect(found).toEqual({ changes: 3 });
  }, 240_000);

  test("a group counts its own envelopes that were opened, submitted and are to review, whatever their ids", async () => {
    const owner = await api.signUp();
    await sendEnvelope(owner);
    const { body } = await send(owner, people(4));
    await finished(api, owner, body.id);
    const [submitted, accepted, opened] = (await owner.get(`/api/requests?bulkId=${body.id}`)).body;
    expect(submitted.id).not.toBe(body.id);
    for (const envelope of [submitted, accepted]) {
      const { status } = await api.anonymous().post(linkOf(envelope), form({ "Pay slip": pdfFile() }));
      expect(status).toBe(201);
    }
    await owner.post(`/api/requests/${accepted.id}/review`, {
      accept: [accepted.documents[0].id],
      return: [],
    });
    await api.anonymous().post(`${linkOf(opened)}/opened`, {});
    const counts = { questions: 0, opened: 3, completed: 2, toReview: 1 };
    expect((await owner.get(`${PATH}/${body.id}`)).body).toMatchObject(counts);
    expect((await owner.get(PATH)).body).toMatchObject([counts]);
  });

  test("a group does not count what becomes of an envelope in another workspace", async () => {
    const owner = await api.signUp();
    const { body } = await send(owner, people(2));
    await finished(api, owner, body.id);
    const [moved] = (await owner.get(`/api/requests?bulkId=${body.id}`)).body;
    const workspaceId = (await owner.post("/api/workspaces", { name: "Other" })).body.id;
    const count = async () => (await owner.get(`${PATH}/${body.id}`)).body;
    const { status } = await owner.put(`/api/requests/${moved.id}`, { ...moved, workspaceId });
    expect(status).toBe(200);
    const { body: there } = await owner.get(`/api/requests/${moved.id}`);
    const submitted = await api.anonymous().post(linkOf(there), form({ "Pay slip": pdfFile() }));
    expect(submitted.status).toBe(201);
    const counts = { total: 2, created: 2, opened: 0, completed: 0, toReview: 0 };
    expect(await count()).toMatchObject(counts);
  });

  test("the list of a group is paged and counted, and somebody else's is empty", async () => {
    const [owner, other] = [await api.signUp(), await api.signUp()];
    await owner.post("/api/requests", ENVELOPE);
    const { body } = await send(owner, people(3));
    await finished(api, owner, body.id);
    const page = await owner.get(`/api/requests?bulkId=${body.id}&limit=2&counts=1`);
    expect(page.body).toHaveLength(2);
    expect(page.headers.get("envelope-counts")).toContain("all=3, waiting=3");
    const next = /<(.*)>/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
    expect((await owner.get(next)).body).toHaveLength(1);
    const theirs = await other.get(`/api/requests?bulkId=${body.id}`);
    expect([theirs.status, theirs.body]).toEqual([200, []]);
    expect((await other.get(`${PATH}/${body.id}`)).status).toBe(404);
    expect((await other.get(PATH)).body).toEqual([]);
  });

  test("a search finds all of a group's envelopes, and in the group none but these", async () => {
    const owner = await api.signUp();
    await owner.post("/api/requests", { ...ENVELOPE, subject: "Tax return 2024" });
    const { body } = await send(owner, people(300));
    expect((await finished(api, owner, body.id)).created).toBe(300);
    const found = async (query: string) =>
      (await owner.get(`/api/requests?view=row&limit=1000&search=tax&counts=1${query}`)).headers.get(
        "envelope-counts",
      );
    // One search indexes for two seconds, so that a slow machine needs several.
    await waitFor("all 301 envelopes", async () => (await found(""))?.startsWith("all=301,"));
    expect(await found(`&bulkId=${body.id}`)).toStartWith("all=300,");
  }, 240_000);

  test("nothing is stored if one recipient or the shared part is not valid, and every problem is named", async () => {
    const owner = await api.signUp();
    const issuesOf = async (recipients: object[], envelope: object = {}) => {
      const { status, body } = await send(owner, recipients, envelope);
      expect([status, body.code]).toEqual([400, "validation"]);
      return body.issues.map(({ path }: { path: string }) => path);
    };
    expect(await issuesOf([...people(3), { recipientName: "X", recipientEmail: "nobody" }])).toEqual([
      "recipients.3.recipientEmail",
    ]);
    expect(
      await issuesOf([{ recipientName: "", recipientEmail: "a@example.com" }, { recipientName: "B" }]),
    ).toEqual(["recipients.0.recipientName", "recipients.0.recipientName", "recipients.1.recipientEmail"]);
    // A wrong type hides nothing else that is wrong.
    const mixed = [{ recipientName: "A", recipientEmail: 5 }, { recipientName: "" }, []];
    expect(await issuesOf(mixed, { subject: "", assigneeId: "x" })).toEqual([
      "envelope.assigneeId",
      "recipients.0.recipientEmail",
      "recipients.2",
      "envelope.subject",
      "envelope.subject",
      "recipients.1.recipientName",
      "recipients.1.recipientName",
      "recipients.1.recipientEmail",
    ]);
    const short = { documents: [{ name: "Passport", description: "{a}".repeat(3000) }] };
    const long = people(2).map((person) => ({ ...person, values: { a: "x".repeat(2000) } }));
    expect(await issuesOf(long, short)).toEqual(["envelope.documents.0.description"]);
    const wrong = people(20).map((person) => ({
      ...person,
      values: Object.fromEntries(MANY.map((name) => [name, 1])),
    }));
    expect(await issuesOf(wrong)).toHaveLength(1000);
    const values = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`column ${index}`, 1]));
    expect(await issuesOf([{ ...people(1)[0], values }])).toEqual(["recipients.0.values"]);
    const stranger = await api.signUp();
    expect(await issuesOf(people(2), { assigneeId: stranger.id })).toEqual(["envelope.assigneeId"]);
    const shared = await issuesOf(people(3), { subject: "", documents: [] });
    expect(new Set(shared)).toEqual(new Set(["envelope.subject", "envelope.documents"]));
    expect(await issuesOf(people(2), { expirationDate: "2020-01-01" })).toEqual(["envelope.expirationDate"]);
    expect(await issuesOf(people(2), { notificationPreference: "sms" })).toEqual([
      "recipients.0.recipientPhone",
      "recipients.1.recipientPhone",
    ]);
    for (const recipients of [[], people(501)]) expect((await send(owner, recipients)).status).toBe(400);
    expect((await send(owner, [{ ...people(1)[0], contactId: 999_999 }])).status).toBe(404);
    expect((await send(owner, people(1), { templateId: 999_999 })).status).toBe(404);
    expect((await owner.get("/api/requests")).body).toEqual([]);
    expect((await owner.get(PATH)).body).toEqual([]);
  });

  test("placeholders are filled from contact and columns; who lacks a value is named and nothing is sent", async () => {
    const owner = await api.signUp();
    const { body: contact } = await owner.post("/api/contacts", {
      firstName: "Ada",
      lastName: "Lovelace",
      company: "Engines",
    });
    const recipients = [
      { ...people(1)[0], contactId: contact.id, values: { Fee: "100" } },
      { ...people(1, 1)[0], recipientName: "Grace Brewster Hopper", values: { Fee: "" } },
    ];
    const envelope = { subject: "{lastName}", message: "Dear {firstName}, {Fee} {unknown}" };
    const { status, body } = await send(owner, recipients, envelope);
    expect([status, body.code, body.issues]).toEqual([
      400,
      "missing_placeholder",
      [{ path: "recipients.1", message: "There is no value for {Fee}" }],
    ]);
    const sent = await send(
      owner,
      [recipients[0] ?? {}, { ...recipients[1], values: { Fee: "{year}" } }],
      envelope,
    );
    await finished(api, owner, sent.body.id);
    const listed = (await owner.get(`/api/requests?bulkId=${sent.body.id}`)).body;
    const texts = listed.map(({ subject, message }: Record<string, string>) => [subject, message]);
    expect(texts.sort()).toEqual([
      ["Brewster Hopper", "Dear Grace, {year} {unknown}"],
      ["Lovelace", "Dear Ada, 100 {unknown}"],
    ]);
  });

  test("a bulk send is named by its subject, with its dates, and without what differs between recipients", async () => {
    const owner = await api.signUp();
    const recipients = people(2).map((one, index) => ({ ...one, values: { Fee: String(index) } }));
    const { body } = await send(owner, recipients, {
      subject: "Tax {{1} {lastYear} for {firstName}, {Fee} {unknown}",
    });
    const { subject } = (await owner.get(`/api/requests/bulk/${body.id}`)).body;
    const year = new Date().getUTCFullYear();
    expect([`Tax {1} ${year - 1} for …, … …`, `Tax {1} ${year} for …, … …`]).toContain(subject);
  });

  test("a recipient's language is their own, else that of the contact they are, else the envelope's", async () => {
    const owner = await api.signUp();
    const { body: contact } = await owner.post("/api/contacts", { firstName: "Rita", language: "fr" });
    const [one, two, three, four] = people(4);
    const recipients = [
      { ...one, contactId: contact.id },
      { ...two, contactId: contact.id, language: "ja" },
      { ...three, language: "pt" },
      { ...four },
    ];
    const { body } = await send(owner, recipients, { language: "de" });
    await finished(api, owner, body.id);
    const listed: { recipientName: string; language: string }[] = (
      await owner.get(`/api/requests?bulkId=${body.id}`)
    ).body;
    const languages = listed.map(({ recipientName, language }) => [recipientName, language]);
    expect(Object.fromEntries(languages)).toEqual({
      ...{ "Person 0": "fr", "Person 1": "ja", "Person 2": "pt", "Person 3": "de" },
    });
  });

  test("an address that is listed twice gets two envelopes", async () => {
    const owner = await api.signUp();
    const { body } = await send(owner, [...people(1), ...people(1)]);
    expect(await finished(api, owner, body.id)).toMatchObject({ total: 2, created: 2, failed: [] });
    const listed: { recipientEmail: string }[] = (await owner.get(`/api/requests?bulkId=${body.id}`)).body;
    expect(listed.map(({ recipientEmail }) => recipientEmail)).toEqual(
      Array.from({ length: 2 }, () => "bulk0@example.com"),
    );
  });

  test("a repeated Idempotency-Key sends once and gets the same response", async () => {
    const owner = await api.signUp();
    const call = () =>
      owner.send("POST", PATH, { envelope: SHARED, recipients: people(2) }, { "idempotency-key": "bulk" });
    const first = await call();
    await api.finishBackgroundWork();
    const again = await call();
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await owner.get("/api/requests")).body).toHaveLength(2);
  });

  test("a bulk send that stopped in the middle is continued by the schedule, and nobody gets a second envelope", async () => {
    const owner = await api.signUp();
    const { body } = await send(owner, people(40));
    await finished(api, owner, body.id);
    // As after a kill: the recipients of the second batch wait again, and the envelopes of the first exist.
    const kept = `select id from envelopes where bulk_id = ${body.id} and bulk_index < 25`;
    await api.execute(`delete from envelopes where bulk_id = ${body.id} and id not in (${kept})`);
    await api.execute(
      `update bulk_recipients set state = 'waiting', recipient = json_object('recipientName', 'P' || position, 'recipientEmail', 'again' || position || '@example.com', 'countryCode', '+1', 'contact', null) where bulk_id = ${body.id} and position >= 25`,
    );
    await api.execute(
      `update bulk_sends set finished_at = null, envelope = json('${JSON.stringify({
        ...{ subject: "Again", message: null, reminderFrequency: "none" },
        // As a version before questions has stored it.
        documents: [{ name: "Payslip", description: null, required: true, allowedFileTypes: ["pdf"] }],
        ...{ notificationPreference: "email", expirationDate: null },
      })}') where id = ${body.id}`,
    );
    await Promise.all([api.runJobs(), api.runJobs()]);
    const state = await finished(api, owner, body.id);
    expect(state).toMatchObject({ total: 40, created: 40, failed: [], finished: true });
    const listed = (await owner.get(`/api/requests?bulkId=${body.id}`)).body;
    expect(listed).toHaveLength(40);
    expect(listed[0].documents).toMatchObject([
      { name: "Payslip", kind: "file", decimals: 2, attachments: [] },
    ]);
    const again = (await api.mails()).filter(({ to }) => to.startsWith("again"));
    expect(again).toHaveLength(15);
  }, 240_000);

  test("a bulk send that goes on after its due day keeps the date that was accepted", async () => {
    const owner = await api.signUp();
    const dueDate = TEST_START.slice(0, 10);
    const { body } = await send(owner, people(2), { dueDate });
    await finished(api, owner, body.id);
    await api.execute(`delete from envelopes where bulk_id = ${body.id}`);
    await api.execute(
      `update bulk_recipients set state = 'waiting', recipient = json_object('recipientName', 'P', 'recipientEmail', 'late' || position || '@example.com', 'countryCode', '+1', 'contact', null) where bulk_id = ${body.id}`,
    );
    await api.execute(
      `update bulk_sends set finished_at = null, envelope = json('${JSON.stringify({
        ...{ subject: "Late", message: null, documents: [], reminderFrequency: "none", dueDate },
        ...{ notificationPreference: "email", expirationDate: null },
      })}') where id = ${body.id}`,
    );
    await api.runJobs(daysLater(1));
    const state = await finished(api, owner, body.id);
    await api.setClock(TEST_START);
    expect(state).toMatchObject({ created: 2, failed: [], finished: true });
  }, 240_000);

  test("for a member who is removed meanwhile, the rest fails with a code, and what exists stays", async () => {
    const owner = await api.signUp();
    const member = await joinAs(api, owner, "member");
    const { body } = await send(member, people(30), { workspaceId: owner.workspaceId });
    const removed = await owner.delete(`/api/workspaces/${owner.workspaceId}/members/${member.id}`);
    expect(removed.status).toBe(204);
    const state = await finished(api, owner, body.id);
    const codes = new Set(state.failed.map(({ code }: { code: string }) => code));
    expect(state.created + state.failed.length).toBe(30);
    expect(state.finished).toBe(true);
    if (state.failed.length > 0) expect(codes).toEqual(new Set(["workspace_not_found"]));
    expect((await owner.get(`/api/requests?bulkId=${body.id}`)).body).toHaveLength(state.created);
  });

  test("a deleted workspace ends its bulk sends, and a deleted account its own", async () => {
    const owner = await api.signUp();
    const { body: workspace } = await owner.post("/api/workspaces", { name: "Short-lived" });
    await send(owner, people(30), { workspaceId: workspace.id });
    expect((await owner.delete(`/api/workspaces/${workspace.id}`)).status).toBe(204);
    await api.finishBackgroundWork();
    await api.runJobs();
    const left = await api.select(
      `select count(*) as count from bulk_sends where workspace_id = ${workspace.id}`,
    );
    expect(left).toEqual([{ count: 0 }]);
  });

  test("a viewer may read a group and not send to one", async () => {
    const owner = await api.signUp();
    const viewer = await joinAs(api, owner, "viewer");
    const { body } = await send(owner, people(1));
    await finished(api, owner, body.id);
    expect((await viewer.get(`${PATH}/${body.id}`)).status).toBe(200);
    const rejected = await send(viewer, people(1), { workspaceId: owner.workspaceId });
    expect([rejected.status, rejected.body.code]).toEqual([403, "role_required"]);
  });

  test("a recipient who wants no mails fails alone", async () => {
    const owner = await api.signUp();
    await owner.post("/api/requests", { ...ENVELOPE, recipientEmail: "bulk1@example.com" });
    await api.finishBackgroundWork();
    const mail = (await api.mails()).findLast(({ to }) => to === "bulk1@example.com");
    const token = /unsubscribe\/([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
    expect((await api.anonymous().post(`/api/unsubscribe/${token}`)).status).toBeLessThan(300);
    const { body } = await send(owner, people(3));
    expect(await finished(api, owner, body.id)).toMatchObject({
      created: 2,
      failed: [{ index: 1, code: "recipient_unsubscribed", recipientName: "Person 1" }],
      finished: true,
      unsent: {
        ...{ subject: "Tax return 2025", dueDate: null, templateId: null },
        recipients: [
          { index: 1, recipientName: "Person 1", recipientEmail: "bulk1@example.com", values: {} },
        ],
      },
    });
    const stored = await api.select(`select envelope from bulk_sends where id = ${body.id}`);
    expect(JSON.stringify(stored)).toContain("Tax return 2025");
    const outsider = await api.signUp();
    expect((await outsider.get(`${PATH}/${body.id}`)).status).toBe(404);
  });

  test("a recipient without an envelope is deleted after 90 days, and a group with its last envelope", async () => {
    const owner = await api.signUp();
    const { body } = await send(owner, people(3));
    expect(await finished(api, owner, body.id)).toMatchObject({ created: 3 });
    await api.execute(
      `update bulk_recipients set state = 'failed', code = 'internal', message = 'Lost' where bulk_id = ${body.id} and position = 2`,
    );
    const rows = () =>
      api.select(
        `select state, count(*) as count from bulk_recipients where bulk_id = ${body.id} group by state order by 1`,
      );
    expect(await api.select(`select address from bulk_sends where id = ${body.id}`)).toEqual([
      { address: "" },
    ]);
    await api.runJobs(daysLater(89));
    expect(await rows()).toEqual([
      { state: "created", count: 2 },
      { state: "failed", count: 1 },
    ]);
    await api.runJobs(daysLater(91));
    expect(await rows()).toEqual([{ state: "created", count: 2 }]);
    await api.execute(`delete from envelopes where bulk_id = ${body.id}`);
    await api.runJobs(daysLater(92));
    expect(await rows()).toEqual([]);
    await api.setClock(TEST_START);
  });

  test("texts that are more than 20 MB for all recipients together are rejected before anything is stored", async () => {
    const owner = await api.signUp();
    const documents = Array.from({ length: 50 }, (_, index) => ({
      name: `Paper ${index}`,
      description: "{text}".repeat(5),
    }));
    const recipients = (length: number) =>
      people(length).map((person) => ({ ...person, values: { text: "é".repeat(999) } }));
    const rejected = await send(owner, recipients(45), { documents });
    expect([rejected.status, rejected.body.code, rejected.body.params]).toEqual([
      413,
      "bulk_too_large",
      { maxMb: 20 },
    ]);
    expect((await owner.get(PATH)).body).toEqual([]);
    expect((await send(owner, recipients(2), { documents })).status).toBe(202);
    await api.finishBackgroundWork();
  });

  test("the account's export has its bulk sends", async () => {
    const [owner, other] = [await api.signUp(), await api.signUp()];
    const { body } = await send(owner, people(2));
    await finished(api, owner, body.id);
    const dataOf = async (client: SignedUp) => {
      const files = readZip(await client.bytes("/api/user/export"));
      return JSON.parse(new TextDecoder().decode(files.get("data.json")));
    };
    const state = { id: body.id, total: 2, created: 2, failed: [], finished: true };
    expect((await dataOf(owner)).bulkSends).toMatchObject([state]);
    expect((await dataOf(other)).bulkSends).toEqual([]);
  });

  test("500 recipients are acknowledged within a second and written within ten", async () => {
    const owner = await api.signUp();
    const start = performance.now();
    const { status, body } = await send(owner, people(500));
    const acknowledged = performance.now() - start;
    expect(status).toBe(202);
    let created = 0;
    while (created < 500 && performance.now() - start < 60_000) {
      created = (await owner.get(`${PATH}/${body.id}`)).body.created;
      if (created < 500 && api.runtime === "workerd") await api.runJobs();
    }
    const written = performance.now() - start;
    if (process.env.SHOW_TIMES) process.stdout.write(`acknowledged ${acknowledged}, written ${written}\n`);
    expect(created).toBe(500);
    if (api.runtime === "bun") expect(acknowledged).toBeLessThan(5000);
    await finished(api, owner, body.id);
  }, 240_000);
});

describeApi(
  "the limits of bulk sends",
  { rateLimits: "on", variables: { NEW_ACCOUNT_INVITATIONS_PER_DAY: "10" } },
  (api) => {
    test("a list beyond a limit is rejected as a whole and counts nothing", async () => {
      const owner = await api.signUp({ proved: false });
      const unverified = await send(owner, people(1));
      expect([unverified.status, unverified.body.code]).toEqual([403, "verify_email"]);
      await api.execute(`update users set verified_by_owner = 1 where id = ${owner.id}`);
      const rejected = await send(owner, people(11));
      expect([rejected.status, rejected.body.code]).toEqual([429, "too_many_invitations"]);
      expect(rejected.body.message).toContain("divide a list of more than 10 recipients");
      // Counted before the texts are filled, and taken back if they cannot be.
      const message = "Dear {company}";
      expect((await send(owner, people(11), { message })).status).toBe(429);
      expect((await send(owner, people(10), { message })).body.code).toBe("missing_placeholder");
      expect((await owner.get(PATH)).body).toEqual([]);
      expect((await send(owner, people(10))).status).toBe(202);
      expect((await send(owner, people(1, 20))).status).toBe(429);
      await api.finishBackgroundWork();
      expect((await owner.get("/api/requests")).body).toHaveLength(10);
    });
  },
);
