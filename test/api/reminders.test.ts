import { describe, expect, test } from "bun:test";
import type { ReminderFrequency } from "../../worker/contract/options";
import { nextReminder } from "../../worker/features/envelope-rules/reminder-times";
import { queueReminders } from "../../worker/jobs/reminders";
import { type Api, describeApi } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { startOutbox } from "../support/api/outbox";
import { pdfFile } from "../support/files/files";

/** The number of reminders about the envelope sent so far. */
async function reminders(api: Api, { id }: { id: number }): Promise<number> {
  await api.finishBackgroundWork();
  const rows = await api.select(
    `select id from notifications where kind = 'reminder' and status = 'sent' and envelope_id = ${id}`,
  );
  return rows.length;
}

const plan = (sentAt: string, reminderFrequency: ReminderFrequency) => ({
  sentAt: new Date(sentAt),
  reminderFrequency,
  dueDate: null,
  reminderDays: null,
});

describe("the next reminder", () => {
  test.each<[ReminderFrequency, string, string, string]>([
    ["daily", "2026-03-14T09:26:53Z", "2026-03-14T09:26:53Z", "2026-03-15"],
    ["daily", "2026-03-14T23:59:59Z", "2026-03-15T08:59:59.999Z", "2026-03-15"],
    ["daily", "2026-03-14T09:26:53Z", "2026-03-15T09:00:00Z", "2026-03-16"],
    ["daily", "2026-03-14T09:26:53Z", "2026-03-01T00:00:00Z", "2026-03-15"],
    ["weekly", "2026-12-28T23:00:00Z", "2026-12-28T23:00:00Z", "2027-01-04"],
    ["weekly", "2026-03-14T09:26:53Z", "2026-04-13T00:00:00Z", "2026-04-18"],
    ["monthly", "2026-01-31T08:00:00Z", "2026-01-31T08:00:00Z", "2026-02-28"],
    ["monthly", "2026-01-31T08:00:00Z", "2026-02-28T09:00:00Z", "2026-03-31"],
    ["monthly", "2026-01-31T08:00:00Z", "2026-03-31T09:00:00Z", "2026-04-30"],
    ["monthly", "2028-01-31T08:00:00Z", "2028-01-31T08:00:00Z", "2028-02-29"],
    ["monthly", "2027-10-31T08:00:00Z", "2028-02-28T08:00:00Z", "2028-02-29"],
    ["monthly", "2026-12-15T08:00:00Z", "2026-12-15T08:00:00Z", "2027-01-15"],
    ["monthly", "2026-05-31T08:00:00Z", "2026-06-01T00:00:00Z", "2026-06-30"],
    ["monthly", "2026-05-31T08:00:00Z", "2020-01-01T00:00:00Z", "2026-06-30"],
    ["monthly", "2026-05-31T08:00:00Z", "2036-05-31T09:00:00Z", "2036-06-30"],
  ])("%s, sent %s, after %s: at nine on %s", (frequency, sentAt, after, day) => {
    const next = nextReminder(plan(sentAt, frequency), new Date(after), null);
    expect(next?.toISOString()).toBe(`${day}T09:00:00.000Z`);
  });

  test.each<[string, string, string, string]>([
    ["Europe/Berlin", "2026-03-27T12:00:00Z", "2026-03-27T12:00:00Z", "2026-03-28T08:00:00.000Z"],
    ["Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-28T12:00:00Z", "2026-03-29T07:00:00.000Z"],
    // Still the 13th in California, already the 15th in Kiribati.
    ["America/Los_Angeles", "2026-03-14T06:00:00Z", "2026-03-14T06:00:00Z", "2026-03-14T16:00:00.000Z"],
    ["Pacific/Kiritimati", "2026-03-14T11:00:00Z", "2026-03-14T11:00:00Z", "2026-03-15T19:00:00.000Z"],
    ["Asia/Kolkata", "2026-03-14T11:00:00Z", "2026-03-14T11:00:00Z", "2026-03-15T03:30:00.000Z"],
  ])("daily in %s, sent %s, after %s: %s", (timeZone, sentAt, after, expected) => {
    const next = nextReminder(plan(sentAt, "daily"), new Date(after), timeZone);
    expect(next?.toISOString()).toBe(expected);
  });

  test("does not exist without a frequency", () => {
    expect(nextReminder(plan("2026-03-14T09:26:53Z", "none"), new Date(), null)).toBeNull();
  });
});

describeApi("reminders", (api) => {
  test("one is sent each period, at nine in the morning, however often the job runs", async () => {
    await api.setClock("2026-03-14T09:26:53.000Z");
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { reminderFrequency: "daily" });
    await api.runJobs("2026-03-14T09:27:00.000Z", "2026-03-15T08:59:59.999Z");
    expect(await reminders(api, envelope)).toBe(0);
    await api.runJobs("2026-03-15T09:00:00.000Z", "2026-03-15T09:00:00.000Z", "2026-03-16T08:59:59.000Z");
    expect(await reminders(api, envelope)).toBe(1);
    await api.runJobs("2026-03-16T09:00:00.000Z", "2026-03-17T09:59:59.000Z");
    expect(await reminders(api, envelope)).toBe(3);
  });

  test("they go on when the clock was a year ahead for a while, except of what was sent in that time", async () => {
    await api.setClock("2026-03-14T09:26:53.000Z");
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { reminderFrequency: "weekly" });
    await api.runJobs("2027-03-14T12:00:00.000Z");
    await owner.post("/api/login", { email: owner.email, password: owner.password });
    const sentAhead = await sendEnvelope(owner, { reminderFrequency: "weekly" });
    await api.runJobs("2026-03-20T12:00:00.000Z", "2026-03-20T13:00:00.000Z", "2026-03-20T13:01:00.000Z");
    expect(await reminders(api, envelope)).toBe(0);
    await api.runJobs("2026-03-21T09:00:00.000Z", "2026-03-22T09:00:00.000Z", "2026-03-28T09:00:00.000Z");
    expect(await reminders(api, envelope)).toBe(2);
    expect(await reminders(api, sentAhead)).toBe(0);
  });

  test("one that still waits to be sent is replaced by the next", async () => {
    await api.setClock("2026-04-14T09:26:53.000Z");
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { reminderFrequency: "daily" });
    await api.finishBackgroundWork();
    await api.execute("update notifications set status = 'queued', next_attempt_at = '2027-01-01'");
    const waiting = () =>
      api.select(
        `select id from notifications where envelope_id = ${envelope.id} and kind = 'reminder' and status = 'queued'`,
      );
    const ids: unknown[] = [];
    for (const day of ["15", "16", "17"]) {
      await api.runJobs(`2026-04-${day}T09:00:00.000Z`);
      await api.execute(
        "update notifications set status = 'queued', next_attempt_at = '2027-01-01' where kind = 'reminder'",
      );
      ids.push((await waiting()).length);
    }
    expect(ids).toEqual([1, 1, 1]);
  });

  test("nine is in the requestor's time zone, also when clocks change", async () => {
    await api.setClock("2026-03-27T20:00:00.000Z");
    const owner = await api.signUp();
    await owner.patch("/api/user/profile", { timeZone: "Europe/Berlin" });
    const envelope = await sendEnvelope(owner, { reminderFrequency: "daily" });
    const counts: number[] = [];
    for (const time of ["28T07:59", "28T08:00", "29T06:59", "29T07:00", "30T06:59", "30T07:00"]) {
      await api.runJobs(`2026-03-${time}:00.000Z`);
      counts.push(await reminders(api, envelope));
    }
    expect(counts).toEqual([0, 1, 1, 2, 2, 3]);
  });

  test("a reminder that was missed is sent the next morning", async () => {
    await api.setClock("2026-05-01T12:00:00.000Z");
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { reminderFrequency: "weekly" });
    await api.runJobs("2026-05-08T10:00:00.000Z", "2026-05-09T03:00:00.000Z", "2026-05-09T08:59:00.000Z");
    expect(await reminders(api, envelope)).toBe(0);
    await api.runJobs("2026-05-09T09:00:00.000Z", "2026-05-10T09:00:00.000Z");
    expect(await reminders(api, envelope)).toBe(1);
    await api.runJobs("2026-05-15T09:00:00.000Z");
    expect(await reminders(api, envelope)).toBe(2);
  });

  test("a change of the requestor's time zone applies from the next reminder on", async () => {
    await api.setClock("2026-07-01T12:00:00.000Z");
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { reminderFrequency: "daily" });
    await owner.patch("/api/user/profile", { timeZone: "America/Los_Angeles" });
    await api.runJobs("2026-07-02T09:00:00.000Z", "2026-07-02T15:59:00.000Z");
    expect(await reminders(api, envelope)).toBe(0);
    await api.runJobs("2026-07-02T16:00:00.000Z");
    expect(await reminders(api, envelope)).toBe(1);
  });

  test("a month after the 31st is the last day of a shorter month", async () => {
    await api.setClock("2027-01-31T08:00:00.000Z");
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { reminderFrequency: "monthly" });
    const counts: number[] = [];
    for (const day of ["2027-02-27", "2027-02-28", "2027-03-30", "2027-03-31", "2027-04-29", "2027-04-30"]) {
      await api.runJobs(`${day}T09:30:00.000Z`);
      counts.push(await reminders(api, envelope));
    }
    expect(counts).toEqual([0, 1, 1, 2, 2, 3]);
  });

  test("after a clock jump at most one reminder is sent, and none twice", async () => {
    await api.setClock("2028-03-14T09:26:53.000Z");
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { reminderFrequency: "daily" });
    await api.runJobs("2028-04-13T09:30:00.000Z", "2028-04-13T09:31:00.000Z");
    expect(await reminders(api, envelope)).toBe(1);
    await api.runJobs("2028-04-03T09:30:00.000Z", "2028-04-04T09:30:00.000Z", "2028-04-13T09:32:00.000Z");
    expect(await reminders(api, envelope)).toBe(1);
    await api.runJobs("2028-04-14T09:30:00.000Z");
    expect(await reminders(api, envelope)).toBe(2);
  });

  test("none is sent after completion, expiry or deletion, even if it was queued before", async () => {
    await api.setClock("2029-03-14T09:00:00.000Z");
    const owner = await api.signUp();
    const weekly = { reminderFrequency: "weekly" };
    const completed = await sendEnvelope(owner, weekly);
    const expired = await sendEnvelope(owner, { ...weekly, expirationDate: "2029-03-20" });
    const deleted = await sendEnvelope(owner, weekly);
    await api.anonymous().post(linkOf(completed), form({ Contract: pdfFile() }));
    await owner.delete(`/api/requests/${deleted.id}`);
    await api.runJobs("2029-03-21T09:00:00.000Z", "2029-03-28T09:00:00.000Z");
    for (const envelope of [completed, expired, deleted]) expect(await reminders(api, envelope)).toBe(0);
    expect(await api.select(`select id from notifications where envelope_id = ${deleted.id}`)).toEqual([]);
  });

  test("one that cannot be queued stops no other", async () => {
    await api.setClock("2031-03-14T09:00:00.000Z");
    const owner = await api.signUp();
    const daily = { reminderFrequency: "daily" };
    const envelopes = [
      await sendEnvelope(owner, daily),
      await sendEnvelope(owner, daily),
      await sendEnvelope(owner, daily),
    ];
    await api.execute(`create trigger fault before insert on notifications
      when new.kind = 'reminder' and new.envelope_id = ${envelopes[1].id} begin select raise(abort, 'fault'); end`);
    try {
      await api.runJobs("2031-03-15T09:00:00.000Z");
    } finally {
      await api.execute("drop trigger fault");
    }
    expect(await Promise.all(envelopes.map((envelope) => reminders(api, envelope)))).toEqual([1, 0, 1]);
    await api.runJobs("2031-03-15T09:01:00.000Z");
    expect(await Promise.all(envelopes.map((envelope) => reminders(api, envelope)))).toEqual([1, 1, 1]);
  });

  test("an envelope that is extended gets reminders again", async () => {
    await api.setClock("2030-03-14T09:00:00.000Z");
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, {
      reminderFrequency: "daily",
      expirationDate: "2030-03-14",
    });
    await api.runJobs("2030-03-16T09:00:00.000Z");
    expect(await reminders(api, envelope)).toBe(0);
    await owner.put(`/api/requests/${envelope.id}`, { ...envelope, expirationDate: "2030-03-31" });
    await api.runJobs("2030-03-17T09:00:00.000Z");
    expect(await reminders(api, envelope)).toBe(1);
  });
});

test("concurrent processes and one that dies midway send one reminder", async () => {
  const outbox = await startOutbox();
  const now = outbox.clock.now().toISOString();
  await outbox.run(
    `insert into workspaces (name, user_id, created_at, updated_at) values ('W', 1, '${now}', '${now}')`,
  );
  for (let index = 0; index < 150; index++)
    await outbox.run(
      `insert into envelopes (user_id, workspace_id, title, description, customer_email, submission_token, reminder_frequency, created_at, updated_at, sent_at, next_reminder_at) values (1, 1, 'T', 'D', 'r@example.com', 't${index}', 'daily', '${now}', '${now}', '2026-03-13T09:26:53.000Z', '${now}')`,
    );
  const processes = await Promise.all([1, 2, 3].map(() => outbox.process()));
  await Promise.all(processes.map(queueReminders));
  await Promise.all(processes.map(queueReminders));
  expect(
    await outbox.run("select count(*) as n, count(distinct envelope_id) as envelopes from notifications"),
  ).toEqual([{ n: 150, envelopes: 150 }]);
  expect(await outbox.run("select distinct next_reminder_at as next from envelopes")).toEqual([
    { next: "2026-03-15T09:00:00.000Z" },
  ]);
  await outbox.stop();
});
