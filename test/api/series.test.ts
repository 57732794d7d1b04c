import { beforeEach, expect, test } from "bun:test";
import { MESSAGES } from "../../worker/contract/messages";
import { queueScheduleMails } from "../../worker/jobs/scheduled-envelopes";
import { queueDueSeries } from "../../worker/jobs/series";
import { type Api, createClient, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { pdfFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { TEST_START } from "../support/runtime/runtime";

const PATH = "/api/series";
const [ADA, BOB] = ["ada", "bob"].map((name) => ({
  ...{ recipientName: name, recipientEmail: `${name}@example.com` },
}));
const SERIES = {
  name: "Bank statements",
  envelope: { subject: "Statements of {month}", documents: [{ name: "Statement" }] },
  recipients: [ADA, BOB],
  ...{ every: 1, unit: "month", startOn: "2026-03-31" },
};

async function create(owner: SignedUp, more: object = {}) {
  const { status, body } = await owner.post(PATH, { ...SERIES, ...more });
  expect([status, body.code]).toEqual([201, undefined]);
  return body;
}
const read = async (owner: SignedUp, id: number) => (await owner.get(`${PATH}/${id}`)).body;

async function runAt(api: Api, time: string) {
  await api.runJobs(time);
  await api.finishBackgroundWork();
}
/** The mails that tell of what was not sent. */
const newsOf = async (api: Api, { email }: SignedUp): Promise<string[]> =>
  (await api.mails())
    .filter(({ to, subject }) => to === email && subject.includes("not sent"))
    .map(({ text }) => text);
const envelopesOf = async (owner: SignedUp, id: number) =>
  (await owner.get(`/api/requests?seriesId=${id}`)).body;
const sentBy = async (owner: SignedUp, id: number): Promise<string[]> =>
  (await envelopesOf(owner, id))
    .map(({ subject, recipientEmail }: Record<string, string>) => `${recipientEmail} ${subject}`)
    .sort();

describeApi("series", (api) => {
  beforeEach(() => api.setClock(TEST_START));

  test("each occurrence sends an envelope to each recipient, on its day and once", async () => {
    const owner = await api.signUp();
    const series = await create(owner);
    expect(series).toMatchObject({
      ...{ name: "Bank statements", sendHour: 9, weekend: "same", ifOpen: "send", endOn: null, times: null },
      ...{ nextOn: "2026-03-31", paused: false, recipientCount: 2, occurrences: [], timeZone: null },
      upcoming: ["2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30", "2026-07-31", "2026-08-31"],
      recipients: [{ recipientName: "ada" }, { recipientName: "bob" }],
      envelope: { subject: "Statements of {month}", dueInDays: null },
    });
    await runAt(api, "2026-03-31T08:59:00.000Z");
    expect(await sentBy(owner, series.id)).toEqual([]);
    await runAt(api, "2026-03-31T09:00:00.000Z");
    await runAt(api, "2026-03-31T09:01:00.000Z");
    expect(await sentBy(owner, series.id)).toEqual([
      "ada@example.com Statements of March",
      "bob@example.com Statements of March",
    ]);
    const found = await read(owner, series.id);
    expect(found).toMatchObject({ nextOn: "2026-04-30", updatedAt: series.updatedAt });
    const [{ bulkId }] = found.occurrences;
    expect(found.occurrences).toEqual([
      {
        ...{ number: 1, on: "2026-03-31", state: "sent", bulkId },
        ...{ total: 2, created: 2, failed: 0, left: 0, completed: 0 },
      },
    ]);
    const envelopes = (await owner.get(`/api/requests?bulkId=${bulkId}`)).body;
    expect(envelopes).toHaveLength(2);
    expect(envelopes[0]).toMatchObject({ seriesId: series.id, bulkId });
    const mails = (await api.mails()).filter(({ subject }) => subject === "Statements of March");
    expect(mails.map(({ to }) => to).sort()).toEqual(["ada@example.com", "bob@example.com"]);
    expect((await owner.get("/api/requests/bulk")).body).toMatchObject([
      { id: bulkId, series: { id: series.id, name: "Bank statements", day: "2026-03-31" } },
    ]);
    expect((await owner.delete(`${PATH}/${series.id}`)).status).toBe(204);
    expect((await owner.get(`${PATH}/${series.id}`)).status).toBe(404);
    expect(await envelopesOf(owner, series.id)).toEqual([]);
    expect((await owner.get(`/api/requests/${envelopes[0].id}`)).body).toMatchObject({
      seriesId: null,
      bulkId,
    });
  });

  test("what cannot be sent is refused at its field, and nothing is stored", async () => {
    const owner = await api.signUp();
    const refused: [object, string[], string?][] = [
      [{ every: 0 }, ["every"]],
      [{ every: 13, unit: "day" }, ["every", "unit"]],
      [{ name: " " }, ["name"]],
      [{ recipients: [] }, ["recipients"]],
      [{ startOn: "2026-03-13" }, ["startOn"]],
      [{ startOn: "2026-02-30" }, ["startOn"]],
      // A Saturday.
      [{ startOn: "2026-03-14", weekend: "before", sendHour: 23 }, ["startOn"]],
      [{ startOn: "2026-03-14" }, ["sendHour"], MESSAGES.hourOver],
      [{ endOn: "2026-03-30" }, ["endOn"], MESSAGES.endBeforeStart],
      [{ endOn: "2026-12-31", times: 3 }, ["times"], MESSAGES.endOrTimes],
      [{ times: 1001 }, ["times"]],
      [{ sendHour: 24 }, ["sendHour"]],
      [
        { envelope: { ...SERIES.envelope, dueDate: "2026-04-01" } },
        ["envelope.dueDate"],
        MESSAGES.notInSeries,
      ],
      [
        { envelope: { ...SERIES.envelope, isDraft: true, sendOn: "2026-04-01" } },
        ["envelope.isDraft", "envelope.sendOn"],
      ],
      [{ envelope: { ...SERIES.envelope, dueInDays: 9, expiresInDays: 8 } }, ["envelope.dueInDays"]],
      [{ envelope: { ...SERIES.envelope, reminderDays: [1] } }, ["envelope.reminderDays"]],
      [
        { envelope: {}, recipients: [ADA, {}] },
        [
          "envelope.subject",
          "envelope.documents",
          "recipients.1.recipientName",
          "recipients.1.recipientEmail",
        ],
      ],
    ];
    for (const [more, paths, message] of refused) {
      const { status, body } = await owner.post(PATH, { ...SERIES, ...more });
      const found = new Set(body.issues?.map(({ path }: { path: string }) => path));
      expect([more, status, [...found].sort()]).toEqual([more, 400, paths.sort()]);
      if (message) expect(body.issues).toMatchObject([{ message }]);
    }
    const lacking = { ...SERIES.envelope, message: "Dear {company}" };
    expect((await owner.post(PATH, { ...SERIES, envelope: lacking })).body).toMatchObject({
      code: "missing_placeholder",
      issues: [{ path: "recipients.0" }, { path: "recipients.1" }],
    });
    const foreign = { recipients: [{ ...ADA, contactId: 999_999 }] };
    expect((await owner.post(PATH, { ...SERIES, ...foreign })).body.code).toBe("contact_not_found");
    expect((await owner.get(PATH)).body).toEqual([]);
  });

  test("a contact is read when it is due; who is gone fails, and who has unsubscribed is left out", async () => {
    const owner = await api.signUp();
    const contact = async (fields: object) => (await owner.post("/api/contacts", fields)).body.id;
    const ida = await contact({ firstName: "Ida", email: "ida@example.com" });
    const gone = await contact({ firstName: "Gone", email: "gone@example.com" });
    const of = (contactId: number) => ({ recipientName: "X", recipientEmail: "x@example.com", contactId });
    const eve = { recipientName: "Eve", recipientEmail: "eve@example.com" };
    await sendEnvelope(owner, eve);
    await api.finishBackgroundWork();
    const mail = (await api.mails()).find(({ to }) => to === eve.recipientEmail);
    const [, stop] = /unsubscribe\/([\w-]+)/.exec(mail?.text ?? "") ?? [];
    expect((await api.anonymous().post(`/api/unsubscribe/${stop}`)).status).toBeLessThan(300);
    const { id } = await create(owner, { recipients: [of(ida), eve, of(gone), BOB] });
    expect((await owner.get(`${PATH}?contactId=${ida}`)).body).toMatchObject([{ id, recipientCount: 4 }]);
    expect((await owner.get(`${PATH}?contactId=999999`)).body).toEqual([]);
    await owner.patch(`/api/contacts/${ida}`, {
      firstName: "Ida",
      lastName: "Rhodes",
      email: "new@example.com",
      language: "de",
    });
    await owner.delete(`/api/contacts/${gone}`);
    await runAt(api, "2026-03-31T09:00:00.000Z");
    expect(await sentBy(owner, id)).toEqual([
      "bob@example.com Statements of March",
      "new@example.com Statements of März",
    ]);
    const { occurrences, recipients } = await read(owner, id);
    expect(occurrences).toMatchObject([{ total: 3, created: 2, failed: 1, left: 0 }]);
    expect(recipients).toHaveLength(4);
    const bulk = (await owner.get(`/api/requests/bulk/${occurrences[0].bulkId}`)).body;
    expect(bulk).toMatchObject({ total: 3, finished: true, failed: [{ index: 1, code: "contact_gone" }] });
    expect(await newsOf(api, owner)).toEqual([
      expect.stringMatching(/Bank statements[\s\S]*no longer exists[\s\S]*X/),
    ]);
    const [{ recipientName }] = (await envelopesOf(owner, id)).filter(
      ({ contactId }: { contactId: number }) => contactId === ida,
    );
    expect(recipientName).toBe("Ida Rhodes");
  });

  test("who has not completed the last envelope is left out, if the series says so", async () => {
    const owner = await api.signUp();
    const upper = { ...BOB, recipientEmail: "Bob@Example.com" };
    const { id } = await create(owner, { recipients: [ADA, upper], ifOpen: "skip", unit: "week" });
    await runAt(api, "2026-03-31T09:00:00.000Z");
    const [first] = (await envelopesOf(owner, id)).filter(
      ({ recipientEmail }: Record<string, string>) => recipientEmail === "ada@example.com",
    );
    await api.anonymous().post(linkOf(first), form({ Statement: pdfFile() }));
    await runAt(api, "2026-04-07T09:00:00.000Z");
    const { occurrences } = await read(owner, id);
    expect(occurrences).toMatchObject([
      { number: 2, total: 2, created: 1, failed: 0, left: 1 },
      { number: 1, total: 2, created: 2, completed: 1 },
    ]);
    await runAt(api, "2026-04-14T09:00:00.000Z");
    expect((await read(owner, id)).occurrences[0]).toMatchObject({
      ...{ number: 3, state: "sent", bulkId: null, total: 2, created: 0, failed: 0, left: 2 },
    });
    // What is deleted counts as none.
    for (const envelope of await envelopesOf(owner, id)) await owner.delete(`/api/requests/${envelope.id}`);
    await runAt(api, "2026-04-21T09:00:00.000Z");
    expect((await read(owner, id)).occurrences[0]).toMatchObject({ number: 4, created: 2, left: 0 });
  });

  test("an occurrence does not count what becomes of an envelope in another workspace", async () => {
    const owner = await api.signUp();
    const { id } = await create(owner, { recipients: [ADA] });
    await runAt(api, "2026-03-31T09:00:00.000Z");
    const [sent] = await envelopesOf(owner, id);
    const workspaceId = (await owner.post("/api/workspaces", { name: "Other" })).body.id;
    expect((await owner.put(`/api/requests/${sent.id}`, { ...sent, workspaceId })).status).toBe(200);
    const { body } = await owner.get(`/api/requests/${sent.id}`);
    const submitted = await api.anonymous().post(linkOf(body), form({ Statement: pdfFile() }));
    expect(submitted.status).toBe(201);
    expect((await read(owner, id)).occurrences).toMatchObject([{ created: 1, completed: 0 }]);
  });

  test("what was missed while the server was down is sent by day up to three days later, of several the latest", async () => {
    const owner = await api.signUp();
    const weekly = { unit: "week", startOn: "2026-03-16" };
    const monthly = { startOn: "2026-04-01" };
    const late = await create(owner, weekly);
    const old = await create(owner, monthly);
    // At night: a week and a day, and a day and a half late.
    await runAt(api, "2026-04-02T22:00:00.000Z");
    expect(await sentBy(owner, late.id)).toEqual([]);
    expect(await read(owner, old.id)).toMatchObject({ nextOn: "2026-04-01", occurrences: [] });
    await runAt(api, "2026-04-03T08:59:00.000Z");
    expect(await sentBy(owner, old.id)).toEqual([]);
    await runAt(api, "2026-04-03T09:00:00.000Z");
    expect(await sentBy(owner, old.id)).toHaveLength(2);
    // The placeholders mean the day for which it was planned.
    expect(await sentBy(owner, old.id)).toContain("ada@example.com Statements of April");
    expect(await read(owner, late.id)).toMatchObject({
      nextOn: "2026-04-06",
      occurrences: [
        { number: 3, on: "2026-03-30", state: "missed" },
        { number: 2, on: "2026-03-23", state: "missed" },
        { number: 1, on: "2026-03-16", state: "missed" },
      ],
    });
    expect(await newsOf(api, owner)).toEqual([
      expect.stringMatching(/Bank statements[\s\S]*was down[\s\S]*2026-03-30/),
    ]);
    await runAt(api, "2026-04-15T10:00:00.000Z");
    expect((await read(owner, late.id)).occurrences.slice(0, 2)).toMatchObject([
      { number: 5, on: "2026-04-13", state: "sent" },
      { number: 4, on: "2026-04-06", state: "missed" },
    ]);
  });

  test("skipping and sending now take the place of the next occurrence, twice at once only once", async () => {
    const owner = await api.signUp();
    const { id } = await create(owner, { times: 3 });
    const both = (path: string, on: string) =>
      Promise.all([1, 2].map(() => owner.post(`${PATH}/${id}/${path}`, { on })));
    const statuses = async (path: string, on: string) =>
      (await both(path, on)).map(({ status }) => status).sort();
    expect(await statuses("skip", "2026-03-31")).toEqual([200, 409]);
    expect(await statuses("run", "2026-04-30")).toEqual([200, 409]);
    await api.finishBackgroundWork();
    expect(await sentBy(owner, id)).toContain("ada@example.com Statements of April");
    const found = await read(owner, id);
    expect(found).toMatchObject({
      ...{ nextOn: "2026-05-31", upcoming: ["2026-05-31"] },
      occurrences: [
        { number: 2, on: "2026-04-30", state: "sent", total: 2 },
        { number: 1, on: "2026-03-31", state: "skipped", total: 0, bulkId: null },
      ],
    });
    expect((await owner.post(`${PATH}/${id}/run`, { on: "2026-04-30" })).body.code).toBe("already_done");
    await owner.patch(`${PATH}/${id}`, { paused: true });
    const key = { "Idempotency-Key": "once" };
    const [sent, again] = [
      await owner.send("POST", `${PATH}/${id}/run`, {}, key),
      await owner.send("POST", `${PATH}/${id}/run`, {}, key),
    ];
    expect([sent.status, again.status, again.body.nextOn]).toEqual([200, 200, null]);
    for (const path of ["run", "skip"])
      expect((await owner.post(`${PATH}/${id}/${path}`)).body.code).toBe("no_occurrence_left");
    await api.finishBackgroundWork();
    expect(await sentBy(owner, id)).toHaveLength(4);
  });

  test("nine o'clock is that of the assignee, also after their time zone has changed", async () => {
    const owner = await api.signUp();
    const { id } = await create(owner);
    await owner.patch("/api/user/profile", { timeZone: "Asia/Tokyo" });
    await runAt(api, "2026-03-30T23:59:00.000Z");
    expect(await sentBy(owner, id)).toEqual([]);
    await runAt(api, "2026-03-31T00:00:00.000Z");
    expect(await sentBy(owner, id)).toHaveLength(2);
  });

  test("nothing is made up for after a pause", async () => {
    const owner = await api.signUp();
    const { id } = await create(owner, { times: 4 });
    expect((await owner.patch(`${PATH}/${id}`, { paused: true })).body).toMatchObject({
      ...{ paused: true, pauseReason: "person", nextOn: "2026-03-31" },
    });
    await runAt(api, "2026-05-01T09:00:00.000Z");
    await owner.post("/api/login", owner);
    expect(await read(owner, id)).toMatchObject({
      nextOn: "2026-05-31",
      upcoming: ["2026-05-31", "2026-06-30"],
    });
    const resumed = await owner.patch(`${PATH}/${id}`, { paused: false });
    expect(resumed.body).toMatchObject({ paused: false, nextOn: "2026-05-31", occurrences: [] });
    await runAt(api, "2026-05-31T09:00:00.000Z");
    await owner.post("/api/login", owner);
    expect((await read(owner, id)).occurrences).toMatchObject([{ number: 3, state: "sent" }]);
  });

  test("a change holds from the next occurrence on, and new days count from the first after today", async () => {
    const owner = await api.signUp();
    const { id, updatedAt } = await create(owner);
    await runAt(api, "2026-03-31T09:00:00.000Z");
    const change = (fields: object) => owner.patch(`${PATH}/${id}`, fields);
    const changed = await change({ every: 2, updatedAt });
    expect(changed.body).toMatchObject({
      every: 2,
      startOn: "2026-03-31",
      upcoming: expect.arrayContaining(["2026-05-31", "2026-07-31"]),
    });
    expect((await change({ name: "New", updatedAt })).body).toMatchObject({ code: "changed_meanwhile" });
    expect((await change({ startOn: "2026-04-04", weekend: "after" })).body).toMatchObject({
      upcoming: ["2026-04-06", "2026-06-04", "2026-08-04", "2026-10-05", "2026-12-04", "2027-02-04"],
    });
    expect((await change({ startOn: "2026-03-30" })).body.issues).toMatchObject([{ path: "startOn" }]);
    expect((await change({ times: 1 })).body.issues).toMatchObject([
      { path: "times", message: MESSAGES.noOccurrenceLeft },
    ]);
    expect((await change({ endOn: "2026-04-30", times: 2 })).body.issues).toMatchObject([{ path: "times" }]);
    expect((await change({ times: 2 })).body).toMatchObject({
      nextOn: "2026-04-06",
      upcoming: ["2026-04-06"],
    });
    const lacking = { ...SERIES.envelope, message: "{company}" };
    expect((await change({ envelope: lacking })).body.code).toBe("missing_placeholder");
    await change({ envelope: { ...SERIES.envelope, subject: "Second", dueInDays: 3 }, sendHour: 7 });
    await runAt(api, "2026-04-06T07:00:00.000Z");
    const [second] = (await envelopesOf(owner, id)).filter(
      ({ subject }: Record<string, string>) => subject === "Second",
    );
    expect(second).toMatchObject({ dueDate: "2026-04-09" });
    expect(await read(owner, id)).toMatchObject({
      nextOn: null,
      upcoming: [],
      occurrences: [{ number: 2 }, { number: 1 }],
    });
  });

  test("recipients are added and taken out by their calls, within the limit and never the last", async () => {
    const owner = await api.signUp();
    const { id, recipients, updatedAt } = await create(owner);
    const path = `${PATH}/${id}/recipients`;
    const eve = { recipientName: "Eve", recipientEmail: "eve@example.com" };
    const key = { "Idempotency-Key": "add" };
    const added = await owner.send("POST", path, { recipients: [eve] }, key);
    expect([added.status, added.body.recipientCount]).toEqual([200, 3]);
    expect(added.body.updatedAt).not.toBe(updatedAt);
    expect((await owner.send("POST", path, { recipients: [eve] }, key)).body.recipientCount).toBe(3);
    expect((await owner.post(path, { recipients: [{ recipientName: "Nobody" }] })).body.issues).toMatchObject(
      [{ path: "recipients.0.recipientEmail" }],
    );
    const many = Array.from({ length: 498 }, () => eve);
    expect((await owner.post(path, { recipients: many })).body.code).toBe("too_many_recipients");
    const ids = added.body.recipients.map((one: { id: number }) => one.id);
    expect(new Set(ids).size).toBe(3);
    for (const one of ids.slice(1)) expect((await owner.delete(`${path}/${one}`)).status).toBe(204);
    expect((await owner.delete(`${path}/${recipients[0].id}`)).body.code).toBe("no_recipients");
    expect((await owner.delete(`${path}/999999`)).body.code).toBe("recipient_not_found");
  });

  test("a series goes on under its assignee when who created it leaves, and is paused without one", async () => {
    const owner = await api.signUp();
    const [creator, assignee] = [await joinAs(api, owner, "member"), await joinAs(api, owner, "member")];
    const { workspaceId } = owner;
    const goesOn = await create(creator, {
      workspaceId,
      envelope: { ...SERIES.envelope, assigneeId: assignee.id },
    });
    const alone = await create(creator, { workspaceId });
    expect(
      (await owner.patch(`/api/workspaces/${workspaceId}/members/${creator.id}`, { role: "viewer" })).status,
    ).toBe(200);
    expect((await creator.post(`${PATH}/${alone.id}/skip`)).body.code).toBe("role_required");
    expect((await creator.get(`${PATH}/${alone.id}`)).body).toMatchObject({
      paused: true,
      pauseReason: "left",
    });
    await runAt(api, "2026-03-31T09:00:00.000Z");
    expect(await sentBy(owner, alone.id)).toEqual([]);
    expect(await sentBy(owner, goesOn.id)).toHaveLength(2);
    expect(await newsOf(api, owner)).toEqual([expect.stringMatching(/Bank statements[\s\S]*paused/)]);
    const resumed = await owner.patch(`${PATH}/${alone.id}`, { paused: false });
    expect(resumed.body).toMatchObject({ paused: false, assigneeId: owner.id, nextOn: "2026-04-30" });
    // The assignee leaves: the owner of longest standing.
    await owner.post("/api/reauthenticate", { password: owner.password });
    const left = await owner.delete(`/api/workspaces/${workspaceId}/members/${assignee.id}`);
    expect(left.status).toBe(204);
    expect(await read(owner, goesOn.id)).toMatchObject({ paused: true, assigneeId: owner.id });
  });
});

describeApi(
  "a series over a sending limit",
  { rateLimits: "on", variables: { NEW_ACCOUNT_INVITATIONS_PER_DAY: "1" } },
  (api) => {
    test("is tried each hour for a day, and then missed", async () => {
      const owner = await api.signUp();
      const { id } = await create(owner, { startOn: "2026-03-15", unit: "week" });
      expect((await owner.post(`${PATH}/${id}/run`)).body.code).toBe("too_many_invitations");
      const stateOf = async () => {
        const { nextOn, occurrences } = await read(owner, id);
        return [nextOn, occurrences.map(({ state }: { state: string }) => state)];
      };
      await runAt(api, "2026-03-15T09:00:00.000Z");
      expect(await stateOf()).toEqual(["2026-03-15", []]);
      const dueAt = () => api.select(`select due_at from series where id = ${id}`);
      expect(await dueAt()).toEqual([{ due_at: "2026-03-15T10:00:00.000Z" }]);
      await runAt(api, "2026-03-16T08:59:00.000Z");
      expect(await stateOf()).toEqual(["2026-03-15", []]);
      await runAt(api, "2026-03-16T10:00:00.000Z");
      expect(await stateOf()).toEqual(["2026-03-22", ["missed"]]);
      expect(await newsOf(api, owner)).toEqual([
        expect.stringMatching(/Bank statements[\s\S]*limit[\s\S]*2026-03-15/),
      ]);
      expect(await sentBy(owner, id)).toEqual([]);
      // A week old, it has no such limit.
      await runAt(api, "2026-03-22T09:30:00.000Z");
      expect(await stateOf()).toEqual(["2026-03-29", ["sent", "missed"]]);
    });

    test("and is as late as any other after a long downtime", async () => {
      await api.setClock("2026-04-27T09:00:00.000Z");
      const owner = await api.signUp();
      const { id } = await create(owner, { startOn: "2026-04-28" });
      await runAt(api, "2026-04-28T09:00:00.000Z");
      // The limit of the first week is over.
      await runAt(api, "2026-05-20T03:00:00.000Z");
      const { nextOn, occurrences } = await read(owner, id);
      expect([nextOn, occurrences.map(({ state }: { state: string }) => state)]).toEqual([
        "2026-05-28",
        ["missed"],
      ]);
      expect(await sentBy(owner, id)).toEqual([]);
    });
  },
);

test("what is due of several series is created by the part of a run that finds it, the rest of a long list later", async () => {
  const runtime = await startBunRuntime();
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "owner@example.com", password: "a long password" });
  await runtime.execute("update users set verified_by_owner = 1");
  const many = Array.from({ length: 12 }, (_, index) => ({ ...ADA, recipientEmail: `${index}@example.com` }));
  for (const recipients of [...Array(5).fill([ADA, BOB]), many])
    expect((await owner.post(PATH, { ...SERIES, recipients })).status).toBe(201);
  const now = "2026-03-31T09:00:00.000Z";
  await runtime.setClock(now);
  await runtime.execute(
    `insert into schedule_news (user_id, workspace_id, mail, news, created_at) values (1, 1, 'not_sent', '{"title":"T","path":"/"}', '${now}')`,
  );
  const queueMails = async () => {
    await queueScheduleMails(runtime.deps);
    return (await runtime.select("select 1 from notifications where kind = 'not_sent'")).length;
  };
  // The mail of the day waits for what else there is to tell.
  expect(await queueMails()).toBe(0);
  await queueDueSeries({ ...runtime.deps, stopping: new AbortController().signal });
  await runtime.finishBackgroundWork();
  expect(await queueMails()).toBe(1);
  const counted = (table: string) => runtime.select(`select series_id as id, count(*) as n from ${table}`);
  expect(await counted("envelopes where series_id is not null group by series_id")).toEqual([
    ...[1, 2, 3, 4, 5].map((id) => ({ id, n: 2 })),
    { id: 6, n: 5 },
  ]);
  await runtime.runJobs();
  expect(await counted("envelopes where series_id = 6")).toEqual([{ id: 6, n: 12 }]);
  await runtime.stop();
});
