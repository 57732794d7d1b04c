import { expect, test } from "bun:test";
import { DAY_MS } from "../../worker/lib/durations";
import { type Api, type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { ask } from "../support/api/questions";
import { joinAs } from "../support/api/team";
import { createTus } from "../support/api/tus";
import { pdfFile } from "../support/files/files";
import { MISCOUNTED } from "../support/files/miscounted";
import { TEST_START } from "../support/runtime/runtime";

const day = (count: number) => new Date(Date.parse(TEST_START) + count * DAY_MS).toISOString();

const keepFor = (owner: SignedUp, retentionDays: number | null, workspaceId = owner.workspaceId) =>
  owner.patch(`/api/workspaces/${workspaceId}`, { retentionDays });

/** An envelope that is completed now. */
async function complete(api: Api, owner: SignedUp, changes: object = {}): Promise<ApiResponse["body"]> {
  const sent = await sendEnvelope(owner, changes);
  expect((await api.anonymous().post(linkOf(sent), form({ Contract: pdfFile() }))).status).toBe(201);
  return (await owner.get(`/api/requests/${sent.id}`)).body;
}

/** Runs the schedule twice: the second run sends what the first one queued. */
async function runAt(api: Api, time: string): Promise<void> {
  await api.runJobs(time);
  await api.runJobs();
}

const noticesTo = async (api: Api, { email }: Pick<SignedUp, "email">) =>
  (await api.mails()).filter(({ to, subject }) => to === email && /will be deleted/.test(subject));

const isThere = async (owner: SignedUp, { url }: { url: string }) => (await owner.get(url)).status === 200;

const deletionsOf = async (owner: SignedUp, id: number) =>
  (await owner.get(`/api/requests/${id}/timeline`)).body.filter(
    ({ kind }: { kind: string }) => kind === "files_deleted",
  );

describeApi("files of completed envelopes", (api) => {
  test("stay as long as their envelope unless the workspace limits it", async () => {
    const owner = await api.signUp();
    const envelope = await complete(api, owner);
    expect(envelope).toMatchObject({ filesDeletionAt: null, filesDeletedAt: null });
    await runAt(api, day(1000));
    const { body } = await owner.post("/api/login", { email: owner.email, password: owner.password });
    expect(body.id).toBe(owner.id);
    expect(await isThere(owner, envelope.submissions[0])).toBe(true);
    await api.setClock(TEST_START);
  });

  test("are deleted after the chosen days, a week after one notice for all of them", async () => {
    const owner = await api.signUp();
    expect((await keepFor(owner, 30)).body).toMatchObject({ id: owner.workspaceId, retentionDays: 30 });
    const one = await complete(api, owner, { subject: "Lease" });
    const two = await complete(api, owner, { subject: "Payslips", recipientName: "Petra Payslip" });
    const { body: second } = await owner.post("/api/workspaces", { name: "Second" });
    const elsewhere = await complete(api, owner, { workspaceId: second.id });
    expect(one.filesDeletionAt).toBe(day(30));
    expect(elsewhere.filesDeletionAt).toBeNull();
    const filesBefore = (await api.storedFiles()).length;

    await runAt(api, day(22.9));
    expect(await noticesTo(api, owner)).toEqual([]);
    await runAt(api, day(23));
    await runAt(api, day(24));
    const notices = await noticesTo(api, owner);
    expect(notices).toHaveLength(1);
    expect(notices[0]?.subject).toBe("Files will be deleted from 13 April 2026: My Workspace");
    for (const text of [notices[0]?.text, notices[0]?.html])
      for (const word of [
        "Lease",
        "Payslips",
        "Petra Payslip · from",
        "files and answers",
        "30 days",
        "13 April 2026",
      ])
        expect(text).toContain(word);

    await runAt(api, day(29.9));
    expect(await isThere(owner, one.submissions[0])).toBe(true);
    expect(await api.select(MISCOUNTED)).toEqual([]);
    await runAt(api, day(30.1));
    for (const { id, submissions } of [one, two]) {
      const { body } = await owner.get(`/api/requests/${id}`);
      expect(body).toMatchObject({ status: "completed", filesDeletionAt: null, filesDeletedAt: day(30.1) });
      expect(body.submissions).toMatchObject([{ ...submissions[0], url: null, withheld: "deleted" }]);
      expect((await owner.get(`${submissions[0].url}?download`)).status).toBe(404);
      expect(await deletionsOf(owner, id)).toMatchObject([{ actor: "service", address: null }]);
    }
    expect((await api.storedFiles()).length).toBe(filesBefore - 2);
    expect(await api.select(MISCOUNTED)).toEqual([]);
    expect(await isThere(owner, elsewhere.submissions[0])).toBe(true);
    expect(await noticesTo(api, owner)).toHaveLength(1);
    expect(await api.select("select * from file_deletions")).toEqual([]);
    await api.setClock(TEST_START);
  });

  test("are announced and deleted again if the recipient submits again", async () => {
    const owner = await api.signUp();
    await keepFor(owner, 30);
    const { id, documents, ...sent } = await complete(api, owner);
    const submitAgain = async (time: string) => {
      await api.setClock(time);
      const back = [{ documentId: documents[0].id, reason: "Blurry" }];
      expect((await owner.post(`/api/requests/${id}/review`, { return: back })).status).toBe(200);
      const link = linkOf(sent as ApiResponse["body"]);
      expect((await api.anonymous().post(link, form({ Contract: pdfFile() }))).status).toBe(201);
      return (await owner.get(`/api/requests/${id}`)).body;
    };
    await runAt(api, day(23));
    const announcedBefore = await submitAgain(day(25));
    expect(announcedBefore).toMatchObject({ filesDeletedAt: null, filesDeletionAt: day(55) });
    await runAt(api, day(47.9));
    expect(await noticesTo(api, owner)).toHaveLength(1);
    await runAt(api, day(48));
    expect(await noticesTo(api, owner)).toHaveLength(2);
    // Extends the session.
    expect((await owner.get("/api/user")).status).toBe(200);
    await runAt(api, day(55.1));
    const { body } = await owner.get(`/api/requests/${id}`);
    expect(body.filesDeletedAt).toBe(day(55.1));
    expect(body.review.toReview).toBe(1);
    const listed = await owner.get("/api/requests?view=row&tab=completed");
    expect(listed.body.find(({ id }: { id: number }) => id === body.id)).toMatchObject({ toReview: 0 });

    const deletedBefore = await submitAgain(day(60));
    expect(deletedBefore).toMatchObject({ filesDeletedAt: null, filesDeletionAt: day(90) });
    const counts = (await owner.get("/api/requests?counts=1")).headers.get("Envelope-Counts");
    expect(counts).toContain("toReview=1");
    await runAt(api, day(83));
    expect((await owner.get("/api/user")).status).toBe(200);
    await runAt(api, day(90.1));
    const last = (await owner.get(`/api/requests/${id}`)).body;
    expect(last.submissions.map(({ withheld }: ApiResponse["body"]) => withheld)).toEqual([
      "deleted",
      "deleted",
      "deleted",
    ]);
    expect(await noticesTo(api, owner)).toHaveLength(3);
    await api.setClock(TEST_START);
  });

  test("are announced again if their return was undone, and stay while it is open", async () => {
    const owner = await api.signUp();
    await keepFor(owner, 30);
    const envelope = await complete(api, owner);
    const review = async (input: object) =>
      (await owner.post(`/api/requests/${envelope.id}/review`, input)).body;
    const [{ id: documentId }] = envelope.documents;
    await runAt(api, day(23));
    const returned = await review({ return: [{ documentId, reason: "Blurry" }] });
    expect(returned).toMatchObject({ status: "pending", filesDeletionAt: null });
    await runAt(api, day(40));
    const undone = await review({ undo: [documentId] });
    expect(undone).toMatchObject({ status: "completed", filesDeletionAt: day(47) });
    await runAt(api, day(46.9));
    expect(await noticesTo(api, owner)).toHaveLength(2);
    expect(await isThere(owner, envelope.submissions[0])).toBe(true);
    await runAt(api, day(53.9));
    expect((await owner.get(`/api/requests/${envelope.id}`)).body.filesDeletedAt).toBe(day(53.9));
    await api.setClock(TEST_START);
  });

  test("remain deleted if the recipient skips a returned document", async () => {
    const owner = await api.signUp();
    await keepFor(owner, 30);
    const { id, documents, ...sent } = await complete(api, owner);
    await runAt(api, day(23));
    // Extends the session.
    expect((await owner.get("/api/user")).status).toBe(200);
    await runAt(api, day(30.1));
    const back = [{ documentId: documents[0].id, reason: "Blurry" }];
    expect((await owner.post(`/api/requests/${id}/review`, { return: back })).status).toBe(200);
    const skipped = [{ documentId: documents[0].id }];
    expect((await createTus(api, sent as ApiResponse["body"]).submit({ skipped })).status).toBe(201);
    const { body } = await owner.get(`/api/requests/${id}`);
    expect(body).toMatchObject({ status: "completed", filesDeletionAt: null, filesDeletedAt: day(30.1) });
    await api.setClock(TEST_START);
  });

  test("stay if the limit is removed before the day, even after the notice", async () => {
    const [spared, later] = [await api.signUp(), await api.signUp()];
    for (const owner of [spared, later]) await keepFor(owner, 30);
    const one = await complete(api, spared);
    const two = await complete(api, later);
    await runAt(api, day(23));
    await keepFor(spared, null);
    await keepFor(later, 90);
    await runAt(api, day(31));
    for (const [owner, envelope] of [
      [spared, one],
      [later, two],
    ] as const)
      expect(await isThere(owner, envelope.submissions[0])).toBe(true);
    expect((await later.get(`/api/requests/${two.id}`)).body.filesDeletionAt).toBe(day(90));

    await runAt(api, day(83));
    await runAt(api, day(90));
    await later.post("/api/login", { email: later.email, password: later.password });
    await spared.post("/api/login", { email: spared.email, password: spared.password });
    expect(await isThere(later, two.submissions[0])).toBe(false);
    expect(await isThere(spared, one.submissions[0])).toBe(true);
    expect([await noticesTo(api, later), await noticesTo(api, spared)].map(({ length }) => length)).toEqual([
      2, 1,
    ]);
    await api.setClock(TEST_START);
  });

  test("are never deleted less than a week after the notice, however old they are", async () => {
    const owner = await api.signUp();
    const envelope = await complete(api, owner);
    await runAt(api, day(25));
    await keepFor(owner, 7);
    expect((await owner.get(`/api/requests/${envelope.id}`)).body.filesDeletionAt).toBe(day(32));
    await runAt(api, day(25.1));
    expect(await noticesTo(api, owner)).toHaveLength(1);
    await runAt(api, day(32));
    expect(await isThere(owner, envelope.submissions[0])).toBe(true);
    await runAt(api, day(32.1));
    expect(await isThere(owner, envelope.submissions[0])).toBe(false);
    await api.setClock(TEST_START);
  });

  test("survive clock jumps, ahead before the notice and back", async () => {
    const owner = await api.signUp();
    await keepFor(owner, 30);
    const envelope = await complete(api, owner);
    await api.setClock(day(40));
    await owner.post("/api/login", { email: owner.email, password: owner.password });
    await runAt(api, day(40));
    expect(await isThere(owner, envelope.submissions[0])).toBe(true);
    expect(await noticesTo(api, owner)).toHaveLength(1);
    await runAt(api, day(35));
    await runAt(api, day(46.9));
    expect(await isThere(owner, envelope.submissions[0])).toBe(true);
    await runAt(api, day(47));
    expect(await isThere(owner, envelope.submissions[0])).toBe(false);
    await api.setClock(TEST_START);
  });

  test("are announced by the next run if one failed before it had queued the notice", async () => {
    const owner = await api.signUp();
    await keepFor(owner, 30);
    await complete(api, owner);
    await api.execute(
      "create trigger full before insert on notifications when new.kind = 'deletion' begin select raise(abort, 'full'); end",
    );
    await runAt(api, day(23));
    await api.execute("drop trigger full");
    expect(await noticesTo(api, owner)).toEqual([]);
    await runAt(api, day(23.1));
    await runAt(api, day(23.2));
    expect(await noticesTo(api, owner)).toHaveLength(1);
    await api.setClock(TEST_START);
  });

  test("are announced and deleted once by concurrent processes", async () => {
    const owner = await api.signUp();
    await keepFor(owner, 7);
    const { id } = await complete(api, owner);
    const together = () => Promise.all([1, 2, 3].map(() => api.runJobs()));
    await together();
    // Sends the notice.
    await api.runJobs();
    await api.setClock(day(7));
    await together();
    await api.runJobs();
    expect(await noticesTo(api, owner)).toHaveLength(1);
    expect(await deletionsOf(owner, id)).toHaveLength(1);
    await api.setClock(TEST_START);
  });

  test("stay while mail is down, and are deleted a week after the notice was sent", async () => {
    const owner = await api.signUp();
    await keepFor(owner, 30);
    const { id } = await complete(api, owner);
    const { id: other } = await complete(api, owner);
    await api.setMail("down");
    for (const at of [23, 24, 25, 26, 27, 28, 29, 30, 31, 38]) {
      await runAt(api, day(at));
      // Extends the session.
      expect((await owner.get("/api/user")).status).toBe(200);
    }
    expect((await owner.get(`/api/requests/${id}`)).body).toMatchObject({
      filesDeletedAt: null,
      filesDeletionAt: day(45),
    });
    await api.setMail("works");
    await runAt(api, day(40));
    const notices = await noticesTo(api, owner);
    expect(notices.map(({ subject }) => subject)).toEqual([
      "Files will be deleted from 30 April 2026: My Workspace",
    ]);
    await runAt(api, day(46.9));
    expect((await owner.get(`/api/requests/${id}`)).body.filesDeletedAt).toBeNull();
    await runAt(api, day(47.1));
    for (const envelope of [id, other])
      expect((await owner.get(`/api/requests/${envelope}`)).body.filesDeletedAt).toBe(day(47.1));
    expect(await noticesTo(api, owner)).toHaveLength(1);
    await api.setClock(TEST_START);
  });

  test("stay while the owner's address rejects the notice, which is sent again once a day", async () => {
    const owner = await api.signUp();
    await keepFor(owner, 7);
    const { id } = await complete(api, owner);
    await api.setMail("rejects");
    for (const at of [0.1, 0.5, 0.9, 1.2, 1.5, 2.4]) await runAt(api, day(at));
    const queued = await api.select(
      `select status, failure from notifications where kind = 'deletion' and user_id = ${owner.id}`,
    );
    expect(queued).toEqual(queued.map(() => ({ status: "failed", failure: "refused" })));
    expect(queued).toHaveLength(3);
    await runAt(api, day(20));
    expect((await owner.get(`/api/requests/${id}`)).body.filesDeletedAt).toBeNull();
    await api.setMail("works");
    await api.setClock(TEST_START);
  });

  test("are deleted up to a week later while they wait to be delivered, which the notice says", async () => {
    const owner = await api.signUp();
    await keepFor(owner, 7);
    const { id } = await complete(api, owner);
    await api.execute(
      `insert into destinations (id, workspace_id, kind, name, delivered_when, folder_rule, include_answers, created_at, updated_at)
        values (1, ${owner.workspaceId}, 'webdav', 'NAS', 'submitted', '', 0, '${day(0)}', '${day(0)}')`,
    );
    await api.execute(
      `insert into file_deliveries (destination_id, envelope_id, page, submitted_at, state_at, created_at) values (1, ${id}, 'manifest.csv', '${day(0)}', '${day(0)}', '${day(0)}')`,
    );
    await runAt(api, day(1));
    const [notice] = await noticesTo(api, owner);
    expect(notice?.text).toContain("wait to be delivered to a destination are kept for up to 7 more days");
    expect((await owner.get("/api/workspaces/deletion-notices")).body).toMatchObject([{ waiting: 1 }]);
    const deletedAt = async () => (await owner.get(`/api/requests/${id}`)).body.filesDeletedAt;
    await runAt(api, day(14.9));
    expect(await deletedAt()).toBeNull();
    await runAt(api, day(15.1));
    expect(await deletedAt()).toBe(day(15.1));
    await api.setClock(TEST_START);
  });

  test("are deleted a week after the interface showed the notice, without a mail server", async () => {
    const owner = await api.signUp();
    await keepFor(owner, 7);
    const { id } = await complete(api, owner);
    const notices = async () => (await owner.get("/api/workspaces/deletion-notices")).body;
    const show = async (announcedAt: string) =>
      (await owner.post(`/api/workspaces/${owner.workspaceId}/deletion-notice`, { announcedAt })).status;
    await api.setMail("unset");
    expect(await notices()).toEqual([]);
    await runAt(api, day(1));
    const notice = { workspaceId: owner.workspaceId, envelopes: 1, waiting: 0, announcedAt: day(1) };
    await runAt(api, day(10));
    expect(await notices()).toEqual([{ ...notice, firstDeletionAt: day(17), unseen: true }]);
    // What was announced after the page was loaded has not been shown.
    expect(await show(day(0.5))).toBe(204);
    expect(await notices()).toMatchObject([{ unseen: true }]);
    expect(await show(day(1))).toBe(204);
    await api.setClock(day(12));
    expect(await show(day(1))).toBe(204);
    expect(await notices()).toEqual([{ ...notice, firstDeletionAt: day(17), unseen: false }]);
    expect((await owner.get(`/api/requests/${id}`)).body.filesDeletionAt).toBe(day(17));
    await runAt(api, day(16.9));
    expect((await owner.get(`/api/requests/${id}`)).body.filesDeletedAt).toBeNull();
    await runAt(api, day(17.1));
    expect((await owner.get(`/api/requests/${id}`)).body.filesDeletedAt).toBe(day(17.1));
    expect(await notices()).toEqual([]);
    await api.setMail("works");
    await api.setClock(TEST_START);
  });

  test("are deleted without a mail server although nobody looks, a week after 30 days", async () => {
    const owner = await api.signUp();
    await keepFor(owner, 7);
    const { id } = await complete(api, owner);
    await api.setMail("unset");
    for (const at of [1, 8.1, 29, 31.1, 37.9]) {
      await runAt(api, day(at));
      expect((await owner.get(`/api/requests/${id}`)).body.filesDeletedAt).toBeNull();
    }
    await runAt(api, day(38));
    expect((await owner.get(`/api/requests/${id}`)).body.filesDeletedAt).toBeNull();
    await runAt(api, day(38.2));
    expect((await owner.get(`/api/requests/${id}`)).body.filesDeletedAt).toBe(day(38.2));
    await api.setMail("works");
    await api.setClock(TEST_START);
  });

  test("are announced by mail once a mail server is configured", async () => {
    const owner = await api.signUp();
    await keepFor(owner, 7);
    await complete(api, owner);
    await api.setMail("unset");
    await runAt(api, day(1));
    const before = (await noticesTo(api, owner)).length;
    await api.setMail("works");
    await runAt(api, day(3));
    await runAt(api, day(4));
    expect(await noticesTo(api, owner)).toHaveLength(before + 1);
    await api.setClock(TEST_START);
  });

  test("are announced to each owner, since one may be gone before they are deleted", async () => {
    const owner = await api.signUp();
    const other = await joinAs(api, owner, "owner");
    await keepFor(owner, 7);
    await complete(api, owner);
    await runAt(api, day(0.5));
    await other.post("/api/reauthenticate", { password: other.password });
    expect((await other.delete(`/api/workspaces/${owner.workspaceId}/members/${owner.id}`)).status).toBe(204);
    for (const { email } of [owner, other])
      expect((await noticesTo(api, { email })).map(({ to }) => to)).toEqual([email]);
    await api.setClock(TEST_START);
  });

  test("stay while the account is disabled, and are announced again once it is enabled", async () => {
    const owner = await api.signUp();
    const admin = await api.signUp();
    await api.execute(`update users set is_administrator = 1 where id = ${admin.id}`);
    const set = async (state: "disable" | "enable") => {
      await admin.post("/api/reauthenticate", { password: admin.password });
      return (await admin.post(`/api/administration/accounts/${owner.id}/${state}`)).status;
    };
    await keepFor(owner, 7);
    const { id } = await complete(api, owner);
    await runAt(api, day(0.1));
    expect(await noticesTo(api, owner)).toHaveLength(1);
    expect(await set("disable")).toBe(200);
    await runAt(api, day(20));
    expect(await set("enable")).toBe(200);
    await owner.post("/api/login", { email: owner.email, password: owner.password });
    await runAt(api, day(20.1));
    expect(await noticesTo(api, owner)).toHaveLength(2);
    await runAt(api, day(27));
    expect((await owner.get(`/api/requests/${id}`)).body.filesDeletedAt).toBeNull();
    await runAt(api, day(27.2));
    expect((await owner.get(`/api/requests/${id}`)).body.filesDeletedAt).toBe(day(27.2));
    await api.setClock(TEST_START);
  });

  test("are announced again if an earlier version recorded a notice that may not have been sent", async () => {
    const owner = await api.signUp();
    await keepFor(owner, 7);
    const { id } = await complete(api, owner);
    await api.execute(`update envelopes set deletion_noticed_at = '${day(0.1)}' where id = ${id}`);
    await runAt(api, day(10));
    expect(await noticesTo(api, owner)).toHaveLength(1);
    expect((await owner.get(`/api/requests/${id}`)).body).toMatchObject({
      filesDeletedAt: null,
      filesDeletionAt: day(17),
    });
    await api.setClock(TEST_START);
  });

  test("are not announced if the limit is removed before the mail is sent", async () => {
    const owner = await api.signUp();
    await keepFor(owner, 7);
    await complete(api, owner);
    await api.runJobs(day(0.1));
    await keepFor(owner, null);
    await runAt(api, day(0.2));
    expect(await noticesTo(api, owner)).toEqual([]);
    const rows = await api.select(
      `select status, failure from notifications where kind = 'deletion' and user_id = ${owner.id}`,
    );
    expect(rows).toEqual([{ status: "cancelled", failure: "outdated" }]);
    await api.setClock(TEST_START);
  });

  test("answers without files are counted too before a retention is chosen", async () => {
    const owner = await api.signUp();
    const { submit, envelope } = await ask(api, { documents: [{ name: "Pets", kind: "number" }] }, owner);
    const affected = async () =>
      (await owner.get(`/api/workspaces/${envelope.workspaceId}/retention?days=7`)).body;
    const none = { files: 0, answers: 0, envelopes: 0, allFiles: 0, firstDeletionAt: null };
    expect(await affected()).toEqual(none);
    await submit({ Pets: "2" });
    expect(await affected()).toEqual({ ...none, answers: 1, envelopes: 1, firstDeletionAt: day(7) });
    await api.setClock(day(5));
    await complete(api, owner);
    const both = { files: 1, answers: 1, envelopes: 2, allFiles: 1, firstDeletionAt: day(12) };
    expect(await affected()).toEqual(both);
    await api.setClock(TEST_START);
  });

  test("are counted before a retention is chosen, with the first deletion", async () => {
    const owner = await api.signUp();
    const affected = async (days: number, workspaceId = owner.workspaceId) =>
      (await owner.get(`/api/workspaces/${workspaceId}/retention?days=${days}`)).body;
    const none = { files: 0, answers: 0, envelopes: 0, allFiles: 0, firstDeletionAt: null };
    await sendEnvelope(owner);
    expect(await affected(7)).toEqual(none);

    const old = await complete(api, owner);
    await api.setClock(day(20));
    await complete(api, owner);
    const { body: second } = await owner.post("/api/workspaces", { name: "Second" });
    await complete(api, owner, { workspaceId: second.id });
    expect(await affected(7)).toEqual({
      ...none,
      files: 2,
      envelopes: 2,
      allFiles: 2,
      firstDeletionAt: day(27),
    });
    expect(await affected(30)).toEqual({
      ...none,
      files: 2,
      envelopes: 2,
      allFiles: 2,
      firstDeletionAt: day(30),
    });
    expect(await affected(30, second.id)).toEqual({
      ...none,
      files: 1,
      envelopes: 1,
      allFiles: 1,
      firstDeletionAt: day(50),
    });

    await keepFor(owner, 7);
    expect((await owner.get(`/api/requests/${old.id}`)).body.filesDeletionAt).toBe(day(27));
    await runAt(api, day(21));
    await api.setClock(day(22));
    const announced = { ...none, files: 2, envelopes: 2, allFiles: 2, firstDeletionAt: day(28) };
    expect((await owner.get(`/api/requests/${old.id}`)).body.filesDeletionAt).toBe(day(28));
    expect(await affected(7)).toEqual(announced);
    expect(await affected(30)).toEqual({ ...announced, firstDeletionAt: day(30) });
    await runAt(api, day(28));
    expect(await affected(30)).toEqual(none);
    await api.setClock(TEST_START);
  });

  test("are counted for the workspace's owner alone", async () => {
    const [owner, other] = [await api.signUp(), await api.signUp()];
    await complete(api, owner);
    for (const path of [`${owner.workspaceId}`, "999999999"]) {
      const { status, body } = await other.get(`/api/workspaces/${path}/retention?days=7`);
      expect([status, body.code]).toEqual([404, "workspace_not_found"]);
    }
  });

  test.each(["", "?days=", "?days=8", "?days=-7", "?days=7.5", "?days=a", "?days=null"])(
    "are not counted for %j",
    async (days) => {
      const owner = await api.signUp();
      const { status, body } = await owner.get(`/api/workspaces/${owner.workspaceId}/retention${days}`);
      expect([status, body.code, body.issues[0].path]).toEqual([400, "validation", "days"]);
    },
  );

  test.each([8, 0, -7, 7.5, "30", {}])("a retention of %j days is rejected", async (retentionDays) => {
    const owner = await api.signUp();
    const { status, body } = await owner.patch(`/api/workspaces/${owner.workspaceId}`, { retentionDays });
    expect([status, body.code, body.issues[0].path]).toEqual([400, "validation", "retentionDays"]);
  });
});
