import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

const TODAY = TEST_START.slice(0, 10);

describeApi("the expiry of a link", (api) => {
  test("hundreds that end in the same minute are all announced and expire, each with one event and one notice", async () => {
    const alice = await api.signUp();
    await api.execute(
      `insert into envelopes (user_id, created_by, workspace_id, created_at, updated_at, title, description, customer_email, submission_token, status, expiration_date, time_zone, end_of_last_day, sent_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 205)
       select ${alice.id}, ${alice.id}, ${alice.workspaceId}, '', '', '', '', 'a@example.com', hex(randomblob(16)), 'pending', '${TODAY}', 'UTC', '${TODAY}T23:59:59.999Z', '2026-03-01T00:00:00.000Z' from n`,
    );
    await api.runJobs(`${TODAY}T23:59:59.999Z`);
    const expired = () =>
      api.select(
        `select count(*) as count from envelopes where workspace_id = ${alice.workspaceId} and status = 'expired'`,
      );
    expect(await expired()).toEqual([{ count: 0 }]);
    const count = (kind: string) =>
      api.select(`select count(*) as count from notifications where kind = '${kind}'`);
    expect(await count("expiring")).toEqual([{ count: 205 }]);
    await api.runJobs("2026-03-15T00:00:00.000Z");
    expect(await expired()).toEqual([{ count: 205 }]);
    const [events] = await api.select("select count(*) as count from envelope_events where kind = 'expired'");
    expect(events).toEqual({ count: 205 });
    expect(await count("expired")).toEqual([{ count: 205 }]);
    await api.execute(`delete from envelopes where workspace_id = ${alice.workspaceId}`);
    await api.setClock(TEST_START);
  });

  test("a link works exactly until the end of its day in UTC", async () => {
    const alice = await api.signUp();
    const sent = await sendEnvelope(alice, { expirationDate: "2026-03-31" });
    const link = linkOf(sent);
    await api.setClock("2026-03-31T23:59:59.999Z");
    expect(await api.anonymous().get(link)).toMatchObject({
      status: 200,
      body: { expirationDate: "2026-03-31", status: "pending" },
    });
    await api.setClock("2026-04-01T00:00:00.000Z");
    const expired = { message: "This submission has expired", code: "expired" };
    const before = await api.storedFiles();
    expect(await api.anonymous().get(link)).toMatchObject({ status: 410, body: expired });
    expect(await api.anonymous().post(link, form({ Contract: pdfFile() }))).toMatchObject({
      status: 410,
      body: expired,
    });
    expect(await api.storedFiles()).toEqual(before);
    const { body } = await alice.get(`/api/requests/${sent.id}`);
    expect(body).toMatchObject({ status: "expired", isDraft: false, completedAt: null, submissions: [] });
    expect((await alice.get("/api/requests")).body[0].status).toBe("expired");

    await api.runJobs();
    expect(await api.select(`select status from envelopes where id = ${sent.id}`)).toEqual([
      { status: "expired" },
    ]);
    expect((await api.anonymous().get(link)).status).toBe(410);
    expect((await alice.put(`/api/requests/${sent.id}`, { isDraft: true })).body.code).toBe(
      "envelope_already_sent",
    );
    const past = await alice.put(`/api/requests/${sent.id}`, body);
    expect(past.body.issues).toEqual([{ path: "expirationDate", message: "The date cannot be in the past" }]);
    const several = { ...body, subject: "", dueDate: "2026-03-01" };
    const paths = async (response: ReturnType<typeof alice.post>) =>
      (await response).body.issues.map(({ path }: { path: string }) => path);
    expect(await paths(alice.post("/api/requests", several))).toEqual([
      "subject",
      "subject",
      "expirationDate",
      "dueDate",
    ]);
    expect(await paths(alice.put(`/api/requests/${sent.id}`, several))).toEqual([
      "subject",
      "subject",
      "expirationDate",
    ]);
    const prolonged = await alice.put(`/api/requests/${sent.id}`, { ...body, expirationDate: "2026-04-01" });
    expect(prolonged).toMatchObject({
      status: 200,
      body: { status: "pending", submissionToken: sent.submissionToken },
    });
    expect((await api.anonymous().post(link, form({ Contract: pdfFile() }))).status).toBe(201);
    await api.setClock("2026-04-20T00:00:00.000Z");
    expect((await api.anonymous().get(link)).body.code).toBe("completed");
    expect((await alice.get(`/api/requests/${sent.id}`)).body.status).toBe("completed");
    await api.setClock(TEST_START);
  });

  test.each([
    [TODAY, TODAY],
    ["2026-12-31", "2026-12-31"],
    ["2028-02-29", "2028-02-29"],
    ["2026-06-01T12:00:00Z", "2026-06-01"],
    ["2026-06-01T12:00:00.000Z", "2026-06-01"],
    ["2026-06-01T23:30:00-05:00", "2026-06-01"],
    ["2026-06-02T00:00:00+09:00", "2026-06-02"],
    [" 2026-06-01 ", "2026-06-01"],
    ["", null],
    [null, null],
    ["9999-12-31", "9999-12-31"],
  ])("the date %p is stored as %p", async (expirationDate, stored) => {
    const alice = await api.signUp();
    expect((await sendEnvelope(alice, { expirationDate })).expirationDate).toBe(stored);
  });

  test.each([
    "2026-3-14",
    "14.03.2026",
    "2027-13-01",
    "2027-00-10",
    "2027-02-29",
    "2027-06-01T25:00:00Z",
    "2027-06-01 12:00",
    "1e9",
    "+012027-01-01",
    "today",
  ])("%p is not a date", async (expirationDate) => {
    const alice = await api.signUp();
    for (const isDraft of [true, false]) {
      const { status, body } = await alice.post("/api/requests", { ...ENVELOPE, isDraft, expirationDate });
      expect([status, body.issues]).toEqual([400, [{ path: "expirationDate", message: "Invalid date" }]]);
    }
  });
});
