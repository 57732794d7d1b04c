import { describe, expect, test } from "bun:test";
import { whenDue } from "../../worker/features/envelope-rules/sending-times";
import { hourOfDay } from "../../worker/lib/zoned-days";
import { type Api, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, linkOf, sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { joinAs } from "../support/api/team";

describe("the hour of sending", () => {
  test.each([
    ["UTC", "2026-11-01", 9, "2026-11-01T09:00"],
    ["Europe/Berlin", "2026-10-24", 9, "2026-10-24T07:00"],
    ["Europe/Berlin", "2026-10-25", 9, "2026-10-25T08:00"],
    // Two o'clock exists twice, and in March not at all.
    ["Europe/Berlin", "2026-10-25", 2, "2026-10-25T00:00"],
    ["Europe/Berlin", "2026-10-25", 3, "2026-10-25T02:00"],
    ["Europe/Berlin", "2027-03-28", 2, "2027-03-28T01:00"],
    ["Europe/Berlin", "2027-03-28", 3, "2027-03-28T01:00"],
    ["Europe/Berlin", "2027-03-28", 9, "2027-03-28T07:00"],
    ["America/New_York", "2026-10-31", 9, "2026-10-31T13:00"],
    ["America/New_York", "2026-11-01", 1, "2026-11-01T05:00"],
    ["America/New_York", "2026-11-01", 9, "2026-11-01T14:00"],
    ["America/New_York", "2027-03-14", 2, "2027-03-14T07:00"],
    ["America/New_York", "2027-03-14", 9, "2027-03-14T13:00"],
    // Its clocks change by half an hour.
    ["Australia/Lord_Howe", "2026-10-03", 9, "2026-10-02T22:30"],
    ["Australia/Lord_Howe", "2026-10-04", 2, "2026-10-03T15:30"],
    ["Australia/Lord_Howe", "2026-10-04", 9, "2026-10-03T22:00"],
    ["Australia/Lord_Howe", "2027-04-04", 1, "2027-04-03T14:00"],
    ["Australia/Lord_Howe", "2027-04-04", 2, "2027-04-03T15:30"],
    ["Asia/Kathmandu", "2027-01-01", 0, "2026-12-31T18:15"],
    ["Asia/Kathmandu", "2027-01-01", 9, "2027-01-01T03:15"],
  ])("in %s on %s at %p is %s in UTC", (timeZone, day, hour, expected) => {
    expect(hourOfDay(day, hour, timeZone).toISOString()).toBe(`${expected}:00.000Z`);
  });
});

describe("what was planned for Monday at 20:00 in Berlin", () => {
  const PLANNED = new Date("2026-11-30T19:00:00Z");
  test.each([
    ["2026-11-30T18:59:59Z", "waits until 2026-11-30T19:00"],
    ["2026-11-30T19:00:00Z", "is sent"],
    ["2026-11-30T20:00:00Z", "is sent"],
    ["2026-11-30T20:00:01Z", "waits until 2026-12-01T08:00"],
    ["2026-12-01T06:59:59Z", "waits until 2026-12-01T08:00"],
    ["2026-12-01T07:00:00Z", "is sent"],
    ["2026-12-01T16:59:59Z", "is sent"],
    ["2026-12-01T17:00:00Z", "waits until 2026-12-02T08:00"],
    ["2026-12-03T19:00:00Z", "waits until 2026-12-04T08:00"],
    ["2026-12-03T19:00:01Z", "is missed"],
  ])("at %s %s", (now, expected) => {
    const due = whenDue(PLANNED, new Date(now), "Europe/Berlin");
    const said =
      due.fate === "wait" ? `waits until ${due.until.toISOString().slice(0, 16)}` : `is ${due.fate}`;
    expect(said.replace("is send", "is sent")).toBe(expected);
  });
});

const START = "2026-11-27T12:00:00.000Z";
const LATER = { sendOn: "2026-12-01" };

/** Somebody in Berlin. */
async function signUp(api: Api, at = START): Promise<SignedUp> {
  await api.setClock(at);
  const owner = await api.signUp();
  await api.execute(`update users set is_verified = true where id = ${owner.id}`);
  await owner.patch("/api/user/profile", { timeZone: "Europe/Berlin" });
  return owner;
}

async function mailsTo(api: Api, address: string) {
  await api.finishBackgroundWork();
  return (await api.mails()).filter(({ to }) => to === address);
}

const kindsOf = async (owner: SignedUp, { id }: { id: number }): Promise<string[]> => {
  const { body } = await owner.get(`/api/requests/${id}/timeline`);
  return body.map(({ kind }: { kind: string }) => kind).filter((kind: string) => kind !== "delivery");
};
const read = async (owner: SignedUp, { id }: { id: number }) => (await owner.get(`/api/requests/${id}`)).body;
const recipient = () => `${crypto.randomUUID()}@example.com`;

describeApi("an envelope that is sent later", (api) => {
  test("is scheduled, its link answers as a draft's, and it is sent on its day at its hour, once", async () => {
    const owner = await signUp(api);
    const recipientEmail = recipient();
    const texts = { subject: "Statements of {month}", message: "Dear {firstName}, {{brace}" };
    const sent = await sendEnvelope(owner, { ...LATER, ...texts, recipientEmail });
    expect(sent).toMatchObject({
      ...{ status: "scheduled", isDraft: false, sentAt: null, ...texts },
      ...{ sendOn: "2026-12-01", sendHour: 9, sendAt: "2026-12-01T08:00:00.000Z" },
    });
    expect((await api.anonymous().get(linkOf(sent))).status).toBe(404);
    await api.runJobs("2026-12-01T07:59:59.000Z");
    expect(await mailsTo(api, recipientEmail)).toEqual([]);
    await api.runJobs("2026-12-01T08:00:00.000Z", "2026-12-01T08:00:00.000Z", "2026-12-01T08:01:00.000Z");
    expect(await read(owner, sent)).toMatchObject({
      ...{ status: "pending", sentAt: "2026-12-01T08:00:00.000Z" },
      ...{ sendOn: null, sendHour: null, sendAt: null },
      ...{ subject: "Statements of December", message: "Dear Rita, {brace}" },
    });
    expect(await mailsTo(api, recipientEmail)).toMatchObject([{ subject: "Statements of December" }]);
    expect(await kindsOf(owner, sent)).toEqual(["created", "scheduled", "sent"]);
    expect((await api.anonymous().get(linkOf(sent))).status).toBe(200);
  });

  test.each<[string, object, string]>([
    ["a past day", { sendOn: "2026-11-26" }, "sendOn"],
    ["a day after 366 days", { sendOn: "2027-11-29" }, "sendOn"],
    ["no day", { sendOn: "2026-02-30" }, "sendOn"],
    ["an hour of today that is over", { sendOn: "2026-11-27", sendHour: 12 }, "sendHour"],
    ["no hour", { ...LATER, sendHour: 24 }, "sendHour"],
    ["half an hour", { ...LATER, sendHour: 9.5 }, "sendHour"],
    ["an earlier due date", { ...LATER, dueDate: "2026-11-30" }, "dueDate"],
    ["an earlier end of the link", { ...LATER, expirationDate: "2026-11-30" }, "expirationDate"],
    ["a placeholder without a value", { ...LATER, message: "{company}" }, "message"],
    ["no subject", { ...LATER, subject: null }, "subject"],
  ])("%s is a 400 at its field", async (_, changes, path) => {
    const owner = await signUp(api);
    const { status, body } = await owner.post("/api/requests", { ...ENVELOPE, ...changes });
    expect(status).toBe(400);
    expect(body.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  test("today's next hour and the 366th day are possible; without a day there is no hour", async () => {
    const owner = await signUp(api);
    const next = await sendEnvelope(owner, { sendOn: "2026-11-27", sendHour: 14 });
    expect(next.sendAt).toBe("2026-11-27T13:00:00.000Z");
    expect((await sendEnvelope(owner, { sendOn: "2027-11-28" })).sendAt).toBe("2027-11-28T08:00:00.000Z");
    expect(await sendEnvelope(owner, { sendHour: 9 })).toMatchObject({ status: "pending", sendHour: null });
  });

  test("a change keeps it scheduled without a message, and one without a day sends it at once", async () => {
    const owner = await signUp(api);
    const recipientEmail = recipient();
    const sent = await sendEnvelope(owner, { ...LATER, recipientEmail });
    const path = `/api/requests/${sent.id}`;
    const changed = await owner.put(path, { ...sent, subject: "Other papers", sendHour: 15 });
    expect(changed.body).toMatchObject({ status: "scheduled", sendAt: "2026-12-01T14:00:00.000Z" });
    expect((await owner.put(path, sent)).status).toBe(409);
    expect(await mailsTo(api, recipientEmail)).toEqual([]);
    const now = await owner.put(path, { ...changed.body, sendOn: null });
    expect(now.body).toMatchObject({ status: "pending", sentAt: START, sendOn: null, sendHour: null });
    expect(await mailsTo(api, recipientEmail)).toMatchObject([{ subject: "Other papers" }]);
    const again = await owner.put(path, { ...now.body, ...LATER });
    expect([again.status, again.body.code]).toEqual([409, "sent_before"]);
    await api.runJobs("2026-12-01T14:00:00.000Z");
    expect(await mailsTo(api, recipientEmail)).toHaveLength(1);
  });

  test("becomes a draft, which keeps its day, and a draft is scheduled; neither is sent as a draft", async () => {
    const owner = await signUp(api);
    const sent = await sendEnvelope(owner, LATER);
    const path = `/api/requests/${sent.id}`;
    const draft = await owner.put(path, { ...sent, isDraft: true });
    expect(draft.body).toMatchObject({ status: "draft", sendOn: "2026-12-01", sendHour: 9, sendAt: null });
    await api.runJobs("2026-12-01T08:00:00.000Z");
    expect((await read(owner, sent)).status).toBe("draft");
    const past = await owner.put(path, { ...draft.body, sendOn: "2020-01-01", sendHour: 3 });
    expect(past.body).toMatchObject({ status: "draft", sendOn: "2020-01-01" });
    const again = await owner.put(path, { ...past.body, isDraft: false, sendOn: "2026-12-02" });
    expect(again.body).toMatchObject({ status: "scheduled", sendAt: "2026-12-02T02:00:00.000Z" });
    expect(await kindsOf(owner, sent)).toEqual([
      ...["created", "scheduled", "updated", "updated", "scheduled"],
    ]);
  });

  test("is sent now by a call, once; what is not scheduled is a 409", async () => {
    const owner = await signUp(api);
    const recipientEmail = recipient();
    const sent = await sendEnvelope(owner, { ...LATER, recipientEmail });
    const send = () => owner.post(`/api/requests/${sent.id}/send`);
    const both = await Promise.all([send(), send()]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 200)?.body).toMatchObject({
      status: "pending",
      sendOn: null,
    });
    const again = await send();
    expect([again.status, again.body.code]).toEqual([409, "not_scheduled"]);
    const draft = await owner.post("/api/requests", { ...ENVELOPE, isDraft: true });
    expect((await owner.post(`/api/requests/${draft.body.id}/send`)).body.code).toBe("not_scheduled");
    expect(await mailsTo(api, recipientEmail)).toHaveLength(1);
    expect(await kindsOf(owner, sent)).toEqual(["created", "scheduled", "sent"]);
  });

  test("is in its tab, its count and the search, and in neither waiting nor drafts", async () => {
    const owner = await signUp(api);
    await sendEnvelope(owner);
    const later = await sendEnvelope(owner, { subject: "Zebra", sendOn: "2026-12-03" });
    const sooner = await sendEnvelope(owner, { subject: "Zebra", sendOn: "2026-12-02", sendHour: 17 });
    await owner.post("/api/requests", { ...ENVELOPE, isDraft: true, sendOn: "2026-12-02" });
    const ids = async (query: string) =>
      (await owner.get(`/api/requests?${query}`)).body.map(({ id }: { id: number }) => id);
    expect(await ids("tab=scheduled&sort=sends")).toEqual([sooner.id, later.id]);
    expect(await ids("search=zebra")).toEqual([sooner.id, later.id]);
    const { headers } = await owner.get("/api/requests?counts=1");
    expect(headers.get("Envelope-Counts")).toContain("waiting=1");
    expect(headers.get("Envelope-Counts")).toContain("scheduled=2, drafts=1");
    const rows = (await owner.get("/api/requests?view=row&sort=-sends")).body;
    expect(rows.map(({ sendOn }: { sendOn?: string }) => sendOn)).toEqual([
      ...["2026-12-03", "2026-12-02", undefined, undefined],
    ]);
    expect(await ids("opened=never&tab=scheduled")).toEqual([]);
  });

  test("cannot be reminded or reviewed", async () => {
    const owner = await signUp(api);
    const { id } = await sendEnvelope(owner, LATER);
    expect((await owner.post(`/api/requests/${id}/remind`, {})).body.code).toBe("envelope_not_open");
    const review = await owner.post(`/api/requests/${id}/review`, { accept: [1] });
    expect(review.status).toBeGreaterThanOrEqual(400);
  });

  test("its time moves with the time zone of its assignee and with the assignee", async () => {
    const owner = await signUp(api);
    const other = await joinAs(api, owner, "member");
    await other.patch("/api/user/profile", { timeZone: "Asia/Kathmandu" });
    const recipientEmail = recipient();
    const sent = await sendEnvelope(owner, { ...LATER, recipientEmail });
    await owner.patch("/api/user/profile", { timeZone: "America/New_York" });
    expect((await read(owner, sent)).sendAt).toBe("2026-12-01T14:00:00.000Z");
    await api.runJobs("2026-12-01T08:00:00.000Z");
    expect(await mailsTo(api, recipientEmail)).toEqual([]);
    const assigned = await owner.patch(`/api/requests/${sent.id}`, { assigneeId: other.id });
    expect(assigned.body).toMatchObject({ status: "scheduled", sendAt: "2026-12-01T03:15:00.000Z" });
    await api.runJobs("2026-12-01T08:01:00.000Z");
    expect(await mailsTo(api, recipientEmail)).toHaveLength(1);
  });

  test("it goes on under the owner of longest standing once its assignee is deleted", async () => {
    const owner = await signUp(api);
    const other = await joinAs(api, owner, "member");
    const recipientEmail = recipient();
    const sent = await sendEnvelope(owner, { ...LATER, recipientEmail, assigneeId: other.id });
    expect((await other.delete("/api/user/account")).status).toBe(204);
    expect(await read(owner, sent)).toMatchObject({ userId: owner.id, status: "scheduled" });
    await api.runJobs("2026-12-01T08:00:00.000Z");
    expect(await mailsTo(api, recipientEmail)).toHaveLength(1);
  });

  test("two failures of one day are one mail, and what fails after it is told on the next day", async () => {
    const owner = await signUp(api);
    const until = { ...LATER, expirationDate: "2026-12-01" };
    const at = (sendHour: number) => sendEnvelope(owner, { ...until, sendHour, subject: `At ${sendHour}` });
    await Promise.all([at(7), at(8), at(23)]);
    const told = async () =>
      (await mailsTo(api, owner.email)).flatMap(({ subject }) =>
        subject.includes("planned") ? [subject.split(" ")[0]] : [],
      );
    // Down until the third.
    await api.runJobs("2026-12-02T07:30:00.000Z");
    expect(await told()).toEqual(["3"]);
    await api.setClock("2026-12-02T08:00:00.000Z");
    const more = await sendEnvelope(owner, {
      sendOn: "2026-12-02",
      sendHour: 23,
      expirationDate: "2026-12-02",
    });
    await api.runJobs("2026-12-03T07:30:00.000Z");
    expect((await read(owner, more)).status).toBe("draft");
    expect(await told()).toEqual(["3", "1"]);
    const last = await sendEnvelope(owner, {
      sendOn: "2026-12-03",
      sendHour: 10,
      expirationDate: "2026-12-03",
    });
    await api.runJobs("2026-12-04T07:30:00.000Z");
    expect((await read(owner, last)).status).toBe("draft");
    expect(await told()).toEqual(["3", "1", "1"]);
  });

  test("one that was missed goes in the morning, and after three days not any more", async () => {
    const owner = await signUp(api);
    const recipientEmail = recipient();
    const evening = { recipientEmail, sendHour: 20 };
    const late = await sendEnvelope(owner, { ...evening, sendOn: "2026-12-04" });
    const missed = await sendEnvelope(owner, { ...evening, sendOn: "2026-12-01" });
    await api.runJobs("2026-12-05T20:30:00.000Z");
    expect(await read(owner, late)).toMatchObject({
      status: "scheduled",
      sendAt: "2026-12-04T19:00:00.000Z",
    });
    expect((await read(owner, missed)).status).toBe("draft");
    await api.runJobs("2026-12-06T07:59:59.000Z");
    expect(await mailsTo(api, recipientEmail)).toEqual([]);
    await api.runJobs("2026-12-06T08:00:00.000Z");
    expect(await mailsTo(api, recipientEmail)).toHaveLength(1);
    const told = (await mailsTo(api, owner.email)).at(-1);
    expect(told?.text).toContain("more than three days");
  });

  test("one that a process claimed while the clock was a year ahead is sent by the next", async () => {
    const owner = await signUp(api);
    const sent = await sendEnvelope(owner, { ...LATER, recipientEmail: recipient() });
    await api.execute(
      `update envelopes set send_claimed_until = '2027-12-01T08:05:00.000Z' where id = ${sent.id}`,
    );
    await api.runJobs("2026-12-01T08:00:00.000Z");
    expect((await read(owner, sent)).status).toBe("pending");
  });

  test("a deleted one is not sent", async () => {
    const owner = await signUp(api);
    const recipientEmail = recipient();
    const { id } = await sendEnvelope(owner, { ...LATER, recipientEmail });
    expect((await owner.delete(`/api/requests/${id}`)).status).toBe(204);
    await api.runJobs("2026-12-01T08:00:00.000Z");
    expect(await mailsTo(api, recipientEmail)).toEqual([]);
  });
});

describeApi("an envelope whose day has come", { rateLimits: "on" }, (api) => {
  test("what is over a limit becomes a draft with its past day, and a mail says why", async () => {
    const owner = await signUp(api);
    const address = recipient();
    for (let index = 0; index < 21; index += 1)
      await sendEnvelope(owner, { ...LATER, recipientEmail: address });
    await api.runJobs("2026-12-01T08:00:00.000Z");
    expect(await mailsTo(api, address)).toHaveLength(20);
    const [last] = (await owner.get("/api/requests?tab=drafts")).body;
    expect(last).toMatchObject({ status: "draft", isDraft: true, sendOn: "2026-12-01", sendAt: null });
    expect(await kindsOf(owner, last)).toEqual(["created", "scheduled", "not_sent"]);
    const told = (await mailsTo(api, owner.email)).at(-1);
    expect(told?.subject).toBe("1 planned request was not sent");
    expect(told?.text).toContain("A sending limit was reached");
    expect(told?.text).toContain(`/?envelope=${last.id}`);
  });

  test("is a draft after a reset of the password, which may end an intruder, unless its owner keeps what was planned", async () => {
    const owner = await signUp(api);
    const address = recipient();
    const planned = await sendEnvelope(owner, { ...LATER, recipientEmail: address, subject: "Not mine" });
    const reset = async (newPassword: string, revokeTokens?: boolean) => {
      await api.anonymous().post("/api/password/forgot", { email: owner.email });
      const token = (await mailedTokens(api, "reset", owner.email)).at(-1);
      const { status } = await api
        .anonymous()
        .post("/api/password/reset", { token, newPassword, revokeTokens });
      expect(status).toBe(204);
      await owner.post("/api/login", { email: owner.email, password: newPassword });
    };
    await reset("a new secret", false);
    expect(await read(owner, planned)).toMatchObject({ status: "scheduled" });
    await reset("another secret");
    expect(await read(owner, planned)).toMatchObject({ status: "draft", sendOn: "2026-12-01", sendAt: null });
    const { body: timeline } = await owner.get(`/api/requests/${planned.id}/timeline`);
    expect(timeline.at(-1)).toMatchObject({ kind: "not_sent", detail: "password" });
    await api.runJobs("2026-12-01T08:00:00.000Z");
    expect(await mailsTo(api, address)).toEqual([]);
    const told = (await mailsTo(api, owner.email)).find(({ subject }) => subject.includes("not sent"));
    expect(told?.text).toContain("Not mine");
    expect(told?.text).toContain("The account that planned it may have been used by somebody else");
  });

  test("is checked again: address, unsubscribed recipient, end of the link", async () => {
    const owner = await signUp(api);
    const address = recipient();
    const stopped = await sendEnvelope(owner, { ...LATER, recipientEmail: address });
    await sendEnvelope(owner, { recipientEmail: address });
    const [mail] = await mailsTo(api, address);
    const token = /unsubscribe\/([\w-]+)/.exec(mail?.text ?? "")?.[1];
    expect((await api.anonymous().post(`/api/unsubscribe/${token}`)).status).toBeLessThan(300);
    const ended = await sendEnvelope(owner, { ...LATER, sendHour: 23, expirationDate: "2026-12-01" });
    const unproved = await api.signUp({ proved: false });
    const refused = await unproved.post("/api/requests", { ...ENVELOPE, ...LATER });
    expect([refused.status, refused.body.code]).toEqual([403, "verify_email"]);
    const other = await api.signUp();
    const doubtful = await sendEnvelope(other, { ...LATER, recipientEmail: recipient() });
    await api.execute(`update users set verified_by_owner = false where id = ${other.id}`);
    await api.runJobs("2026-12-02T09:30:00.000Z");
    const stateOf = async (client: SignedUp, envelope: { id: number }) => {
      const { body } = await client.get(`/api/requests/${envelope.id}/timeline`);
      const { status } = await read(client, envelope);
      return [status, body.find(({ kind }: { kind: string }) => kind === "not_sent")?.detail];
    };
    expect(await stateOf(owner, stopped)).toEqual(["draft", "unsubscribed"]);
    expect(await stateOf(owner, ended)).toEqual(["draft", "other"]);
    expect(await stateOf(other, doubtful)).toEqual(["draft", "unverified"]);
  });
});

describeApi("a bulk call with a day of sending", (api) => {
  test("makes scheduled envelopes at once, which can be changed alone, with the columns of the list", async () => {
    const owner = await signUp(api);
    const [one, other] = [recipient(), recipient()];
    const { status, body } = await owner.post("/api/requests/bulk", {
      envelope: {
        ...{ subject: "{Number}: {month}", message: "{{x} {name}", documents: ENVELOPE.documents, ...LATER },
      },
      recipients: [
        { recipientName: "Anna {year}", recipientEmail: one, values: { Number: "{1}" } },
        { recipientName: "Bea", recipientEmail: other, values: { Number: "2" } },
      ],
    });
    expect(status).toBe(202);
    await api.finishBackgroundWork();
    const envelopes = (await owner.get(`/api/requests?bulkId=${body.id}`)).body;
    expect(envelopes).toHaveLength(2);
    const [first, second] = envelopes.sort((a: { id: number }, b: { id: number }) => a.id - b.id);
    expect(first).toMatchObject({ status: "scheduled", subject: "{{1}: {month}", sendOn: "2026-12-01" });
    await owner.put(`/api/requests/${second.id}`, { ...second, sendOn: "2026-12-02" });
    await api.runJobs("2026-12-01T08:00:00.000Z");
    expect(await mailsTo(api, one)).toMatchObject([{ subject: "{1}: December" }]);
    expect((await read(owner, first)).message).toBe("{x} Anna {year}");
    expect(await mailsTo(api, other)).toEqual([]);
  });

  test("names the field of a wrong day", async () => {
    const owner = await signUp(api);
    const { status, body } = await owner.post("/api/requests/bulk", {
      envelope: { subject: "Papers", documents: ENVELOPE.documents, sendOn: "2026-11-26" },
      recipients: [{ recipientName: "Anna", recipientEmail: "anna@example.com" }],
    });
    expect([status, body.issues?.[0]?.path]).toEqual([400, "envelope.sendOn"]);
  });
});
