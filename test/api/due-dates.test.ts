import { describe, expect, test } from "bun:test";
import {
  dueReminder,
  nextReminder,
  type ReminderPlan,
} from "../../worker/features/envelope-rules/reminder-times";
import { type Api, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, linkOf, sendEnvelope } from "../support/api/envelopes";

const PLAN: ReminderPlan = {
  sentAt: new Date("2026-03-14T12:00:00Z"),
  reminderFrequency: "none",
  dueDate: "2026-03-30",
  reminderDays: [7, 1, -1],
};

/** The times of all reminders of a plan. */
function remindersOf(plan: Partial<ReminderPlan>, timeZone: string | null = null): string[] {
  const times: string[] = [];
  let after = PLAN.sentAt;
  while (times.length < 10) {
    const next = nextReminder({ ...PLAN, ...plan }, after, timeZone);
    if (!next) break;
    times.push(next.toISOString().slice(0, "2026-03-14T09:00".length));
    after = next;
  }
  return times;
}

describe("reminders around the due date", () => {
  test("are at nine in the morning of their days, in the order of the days", () => {
    expect(remindersOf({})).toEqual(["2026-03-23T09:00", "2026-03-29T09:00", "2026-03-31T09:00"]);
    expect(remindersOf({ reminderDays: [-1, 7, 1] })).toEqual(remindersOf({}));
  });

  test("nine is in the requestor's time zone, also when clocks change", () => {
    expect(remindersOf({}, "Europe/Berlin")).toEqual([
      "2026-03-23T08:00",
      "2026-03-29T07:00",
      "2026-03-31T07:00",
    ]);
    expect(remindersOf({ reminderDays: [0] }, "Pacific/Kiritimati")).toEqual(["2026-03-29T19:00"]);
  });

  test("come beside those of the frequency; two on one day are one", () => {
    expect(remindersOf({ reminderFrequency: "weekly", reminderDays: [9, 1] }).slice(0, 4)).toEqual([
      "2026-03-21T09:00",
      "2026-03-28T09:00",
      "2026-03-29T09:00",
      "2026-04-04T09:00",
    ]);
  });

  test("none is on the day of sending or before", () => {
    expect(remindersOf({ reminderDays: [20, 16, 15] })).toEqual(["2026-03-15T09:00"]);
  });

  test.each([
    ["2026-03-29T09:00:00Z", "send"],
    ["2026-03-29T09:59:59Z", "send"],
    ["2026-03-29T15:00:00Z", "send"],
    ["2026-03-29T23:59:59Z", "send"],
    ["2026-03-30T00:00:00Z", "skip"],
    ["2026-03-30T09:30:00Z", "skip"],
  ] as const)("one that was missed goes while its day lasts: at %s, %s", (now, fate) => {
    expect(dueReminder(PLAN, new Date("2026-03-29T09:00:00Z"), new Date(now), null)).toBe(fate);
  });

  test.each([
    ["2026-03-28T15:00:00Z", "wait"],
    ["2026-03-29T09:00:00Z", "send"],
  ] as const)("one of the frequency waits for the next morning: at %s, %s", (now, fate) => {
    const plan = { ...PLAN, reminderFrequency: "weekly" } as const;
    expect(dueReminder(plan, new Date("2026-03-28T09:00:00Z"), new Date(now), null)).toBe(fate);
  });
});

const counts = async (owner: SignedUp): Promise<string> =>
  (await owner.get("/api/requests?counts=1")).headers.get("Envelope-Counts") ?? "";

/** What the reminders to the recipient say about the due date. */
async function reminders(api: Api, envelope: { subject: string }): Promise<string[]> {
  const mails = (await api.mails()).filter(({ subject }) => subject === `Reminder: ${envelope.subject}`);
  return mails.map(({ text }) => text.match(/The due date (?:is|was) .*/)?.[0] ?? "");
}

const WITH_DUE_DATE = { dueDate: "2026-03-30", reminderDays: [7, 1, -1] };

describeApi("due dates", (api) => {
  test("an envelope is overdue after the end of the day in the requestor's time zone", async () => {
    await api.setClock("2026-03-14T09:26:53.000Z");
    const owner = await api.signUp();
    await owner.patch("/api/user/profile", { timeZone: "America/Los_Angeles" });
    const sent = await sendEnvelope(owner, WITH_DUE_DATE);
    expect(sent).toMatchObject({ ...WITH_DUE_DATE, overdue: false });
    await api.setClock("2026-03-31T06:59:59.000Z");
    expect((await owner.get(`/api/requests/${sent.id}`)).body.overdue).toBe(false);
    expect(await counts(owner)).toContain("waiting=1, overdue=0");
    await api.setClock("2026-03-31T07:00:00.000Z");
    expect((await owner.get(`/api/requests/${sent.id}`)).body).toMatchObject({
      overdue: true,
      status: "pending",
    });
    expect((await owner.get("/api/requests")).body[0].overdue).toBe(true);
    expect(await counts(owner)).toContain("waiting=1, overdue=1");
    // The link works on.
    expect((await api.anonymous().get(linkOf(sent))).body).toMatchObject({ dueDate: "2026-03-30" });
  });

  test("an envelope whose link has ended is expired and not overdue", async () => {
    await api.setClock("2026-03-14T09:26:53.000Z");
    const owner = await api.signUp();
    const sent = await sendEnvelope(owner, { dueDate: "2026-03-20", expirationDate: "2026-03-20" });
    await api.setClock("2026-03-21T00:00:00.000Z");
    expect((await owner.get(`/api/requests/${sent.id}`)).body).toMatchObject({
      overdue: false,
      status: "expired",
    });
    expect(await counts(owner)).toContain("waiting=0, overdue=0");
  });

  test.each([
    [{ dueDate: "2026-03-13" }, "dueDate", "The date cannot be in the past"],
    [
      { dueDate: "2026-04-02", expirationDate: "2026-04-01" },
      "dueDate",
      "The date cannot be after the last day of the link",
    ],
    [{ dueDate: "2026-02-30" }, "dueDate", "Invalid date"],
    [{ dueDate: "2026-03-30T10:00:00Z" }, "dueDate", "Invalid date"],
    [{ reminderDays: [1] }, "reminderDays", "Reminders around the due date need a due date"],
    [{ ...WITH_DUE_DATE, reminderDays: [1, 1] }, "reminderDays", "Each day can only be listed once"],
    [{ ...WITH_DUE_DATE, reminderDays: [61] }, "reminderDays.0", undefined],
    [{ ...WITH_DUE_DATE, reminderDays: [-31] }, "reminderDays.0", undefined],
    [{ ...WITH_DUE_DATE, reminderDays: [1.5] }, "reminderDays.0", undefined],
    [{ ...WITH_DUE_DATE, reminderDays: [1, 2, 3, 4, 5, 6, 7] }, "reminderDays", undefined],
  ])("%j is rejected at %s", async (fields, path, message) => {
    await api.setClock("2026-03-14T09:26:53.000Z");
    const owner = await api.signUp();
    const { status, body } = await owner.post("/api/requests", { ...ENVELOPE, ...fields });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "validation", issues: [{ path, ...(message && { message }) }] });
  });

  test("of a draft only the format is checked, and the rest when it is sent", async () => {
    await api.setClock("2026-03-14T09:26:53.000Z");
    const owner = await api.signUp();
    const odd = { dueDate: "2020-01-02", expirationDate: null, reminderDays: [60, -30] };
    const draft = await owner.post("/api/requests", { ...ENVELOPE, ...odd, isDraft: true });
    expect(draft.body).toMatchObject({ ...odd, overdue: false });
    expect((await owner.post("/api/requests", { isDraft: true, dueDate: "tomorrow" })).status).toBe(400);
    const sent = await owner.put(`/api/requests/${draft.body.id}`, { ...draft.body, isDraft: false });
    expect(sent.body.issues).toEqual([{ path: "dueDate", message: "The date cannot be in the past" }]);
  });

  test("a stored date that is past may be sent back, another past one not; absent fields become null", async () => {
    await api.setClock("2026-03-14T09:26:53.000Z");
    const owner = await api.signUp();
    const sent = await sendEnvelope(owner, WITH_DUE_DATE);
    await api.setClock("2026-04-05T09:26:53.000Z");
    const path = `/api/requests/${sent.id}`;
    const kept = await owner.put(path, { ...sent, updatedAt: null, isDraft: false });
    expect(kept.body).toMatchObject({ ...WITH_DUE_DATE, overdue: true });
    const moved = { ...sent, updatedAt: null, dueDate: "2026-04-01" };
    expect((await owner.put(path, moved)).status).toBe(400);
    const { dueDate: _, reminderDays: _days, updatedAt: _at, ...without } = sent;
    expect((await owner.put(path, without)).body).toMatchObject({
      dueDate: null,
      reminderDays: null,
      overdue: false,
    });
  });

  test("reminders say how long it is until then, or since, and move with the date", async () => {
    await api.setClock("2026-03-14T09:26:53.000Z");
    const owner = await api.signUp();
    const sent = await sendEnvelope(owner, {
      ...WITH_DUE_DATE,
      subject: "Moved",
      recipientPhone: "+15551234567",
      notificationPreference: "both",
    });
    await api.runJobs("2026-03-22T09:00:00Z", "2026-03-23T09:00:00Z", "2026-03-23T09:30:00Z");
    expect(await reminders(api, sent)).toEqual(["The due date is in 7 days, on 30 March 2026."]);
    const { status } = await owner.put(`/api/requests/${sent.id}`, {
      ...sent,
      updatedAt: null,
      dueDate: "2026-04-02",
    });
    expect(status).toBe(200);
    await api.runJobs(
      "2026-03-26T09:00:00Z",
      "2026-03-29T09:00:00Z",
      "2026-04-01T09:00:00Z",
      "2026-04-03T09:10:00Z",
    );
    expect(await reminders(api, sent)).toEqual([
      "The due date is in 7 days, on 30 March 2026.",
      "The due date is in 7 days, on 2 April 2026.",
      "The due date is tomorrow, 2 April 2026.",
      "The due date was yesterday, 2 April 2026.",
    ]);
    expect((await api.texts()).at(-1)?.text).toContain(
      "The due date was yesterday, 2 April 2026. Upload them here:",
    );
  });

  test("one that was missed goes the same day, and not the next", async () => {
    await api.setClock("2026-03-14T09:26:53.000Z");
    const owner = await api.signUp();
    const sent = await sendEnvelope(owner, { ...WITH_DUE_DATE, subject: "Missed" });
    await api.runJobs("2026-03-23T15:00:00Z");
    expect(await reminders(api, sent)).toHaveLength(1);
    await api.runJobs("2026-03-30T09:00:00Z", "2026-03-30T10:00:00Z");
    expect(await reminders(api, sent)).toHaveLength(1);
    await api.runJobs("2026-03-31T09:00:00Z");
    expect(await reminders(api, sent)).toHaveLength(2);
  });
});
