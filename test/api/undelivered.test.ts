import { expect, test } from "bun:test";
import { LANGUAGES } from "../../worker/contract/options";
import { HOUR_MS } from "../../worker/lib/durations";
import { type Api, type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { DROPPED } from "../support/runtime/mail-state";

type Envelope = ApiResponse["body"];

/** A new account with a verified address on this day, at ten. */
async function startOn(api: Api, day: string): Promise<SignedUp> {
  await api.setMail("works");
  await api.setClock(`${day}T10:00:00.000Z`);
  const owner = await api.signUp();
  await api.finishBackgroundWork();
  await api.execute(`update users set is_verified = 1 where id = ${owner.id}`);
  return owner;
}

/** Sends an envelope whose invitation is rejected for good. */
async function sendRejected(api: Api, owner: SignedUp, changes: object = {}): Promise<Envelope> {
  await api.setMail("rejects");
  const envelope = await sendEnvelope(owner, changes);
  await api.finishBackgroundWork();
  await api.setMail("works");
  return envelope;
}

/** Runs the schedule twice: the second run sends what the first one queued. */
async function runAt(api: Api, time: string): Promise<void> {
  await api.runJobs(time);
  await api.runJobs();
}

const noticesTo = async (api: Api, { email }: SignedUp) =>
  (await api.mails()).filter(({ to, subject }) => to === email && /could not be delivered/.test(subject));

describeApi("the notice of undelivered messages", (api) => {
  test("lists the failures of an hour in one mail, after the hour", async () => {
    const [owner, other] = [await startOn(api, "2026-03-14"), await startOn(api, "2026-03-14")];
    for (const [index, subject] of ["Lease", "Payslips", "Tax return"].entries())
      await sendRejected(api, owner, { subject, recipientEmail: `wrong${index}@example.com` });
    await sendEnvelope(owner, { subject: "Passport" });
    await sendEnvelope(other);
    await runAt(api, "2026-03-14T10:59:00.000Z");
    expect(await noticesTo(api, owner)).toEqual([]);

    await runAt(api, "2026-03-14T11:00:00.000Z");
    const [notice, ...more] = await noticesTo(api, owner);
    expect(more).toEqual([]);
    expect(notice?.subject).toBe("3 messages could not be delivered");
    for (const part of [notice?.text, notice?.html]) {
      for (const words of [
        "Lease",
        "Payslips",
        "Tax return",
        "wrong1@example.com",
        "Rita Recipient",
        "Email",
      ])
        expect(part).toContain(words);
      expect(part).toContain("The message was rejected. Please check the address.");
      expect(part).not.toContain("Passport");
    }
    expect(notice?.text).toContain(`${api.origin}/\n`);

    for (const time of ["2026-03-14T11:01:00.000Z", "2026-03-14T12:00:00.000Z", "2026-03-15T00:00:00.000Z"])
      await runAt(api, time);
    expect(await noticesTo(api, owner)).toHaveLength(1);
    expect(await noticesTo(api, other)).toEqual([]);
  });

  test("is sent for each hour with failures, and after a time in which no job ran", async () => {
    const owner = await startOn(api, "2026-04-01");
    const first = await sendRejected(api, owner, { subject: "First" });
    await runAt(api, "2026-04-01T11:00:00.000Z");
    await sendRejected(api, owner, { subject: "Second" });
    await runAt(api, "2026-04-04T12:00:00.000Z");
    const [one, two, ...more] = await noticesTo(api, owner);
    expect(more).toEqual([]);
    expect(one?.text).toContain(`${api.origin}/?envelope=${first.id}`);
    expect([one?.text.includes("First"), one?.text.includes("Second")]).toEqual([true, false]);
    expect([two?.text.includes("First"), two?.text.includes("Second")]).toEqual([false, true]);
  });

  test("does not list what was sent again, corrected, answered or deleted meanwhile", async () => {
    const owner = await startOn(api, "2026-05-01");
    const [resent, corrected, answered, deleted, last] = [
      await sendRejected(api, owner, { subject: "Resent" }),
      await sendRejected(api, owner, { subject: "Corrected" }),
      await sendRejected(api, owner, { subject: "Answered" }),
      await sendRejected(api, owner, { subject: "Deleted" }),
      await sendRejected(api, owner, { subject: "Last" }),
    ];
    const [message] = (await owner.get(`/api/requests/${resent.id}/notifications`)).body;
    await owner.post(`/api/requests/${resent.id}/notifications/${message.id}/retry`);
    const right = { ...ENVELOPE, subject: "Corrected", recipientEmail: "right@example.com" };
    expect((await owner.put(`/api/requests/${corrected.id}`, right)).status).toBe(200);
    const response = await api.anonymous().post(linkOf(answered), form({ Contract: pdfFile() }));
    expect(response.status).toBe(201);
    expect((await owner.delete(`/api/requests/${deleted.id}`)).status).toBe(204);
    await api.finishBackgroundWork();

    await runAt(api, "2026-05-02T00:00:00.000Z");
    const [notice] = await noticesTo(api, owner);
    expect(notice?.subject).toBe("1 message could not be delivered");
    for (const subject of ["Resent", "Corrected", "Answered", "Deleted"])
      expect(notice?.text).not.toContain(subject);
    expect(notice?.text).toContain(`${api.origin}/?envelope=${last.id}`);
  });

  test("is not sent if all its messages are delivered before it is", async () => {
    const owner = await startOn(api, "2026-05-11");
    const envelope = await sendRejected(api, owner);
    await api.setMail("down");
    await runAt(api, "2026-05-12T00:00:00.000Z");
    await api.setMail("works");
    const [message] = (await owner.get(`/api/requests/${envelope.id}/notifications`)).body;
    await owner.post(`/api/requests/${envelope.id}/notifications/${message.id}/retry`);
    await runAt(api, "2026-05-12T01:00:00.000Z");
    expect(await noticesTo(api, owner)).toEqual([]);
  });

  test("names the channel, and lists a reminder beside an older failure once", async () => {
    const owner = await startOn(api, "2026-06-01");
    const { id } = await sendRejected(api, owner, { subject: "Twice" });
    await api.setMail("rejects");
    expect((await owner.post(`/api/requests/${id}/remind`)).status).toBe(201);
    await api.finishBackgroundWork();
    await api.setMail("works");
    const both = { recipientPhone: "+14155550123", notificationPreference: "both" };
    const { id: texted } = await sendRejected(api, owner, { subject: "Texted", ...both });
    await api.execute(
      `update notifications set status = 'failed', failure = 'unreachable', next_attempt_at = '2026-06-01T10:00:00.000Z' where envelope_id = ${texted} and channel = 'sms'`,
    );
    await runAt(api, "2026-06-02T00:00:00.000Z");
    const [notice] = await noticesTo(api, owner);
    expect(notice?.subject).toBe("3 messages could not be delivered");
    expect(notice?.text.match(/Twice/g)).toHaveLength(1);
    expect(notice?.text).toContain("- Texted (SMS)\n  The mail or SMS service cannot be reached.");
    expect(notice?.text).toContain("Rita Recipient · +14155550123");
  });

  test("lists 20 messages, and says how many there are beyond", async () => {
    const owner = await startOn(api, "2026-07-01");
    for (let index = 0; index < 23; index += 1)
      await sendRejected(api, owner, { recipientEmail: `wrong${index}@example.com` });
    await runAt(api, "2026-07-02T00:00:00.000Z");
    const [notice] = await noticesTo(api, owner);
    expect(notice?.subject).toBe("23 messages could not be delivered");
    expect(notice?.text.match(/^- Papers/gm)).toHaveLength(20);
    expect(notice?.text).toContain("- and 3 more\n");
  });

  test("waits while the account is disabled, and until its address is verified", async () => {
    const [disabled, unverified] = [await startOn(api, "2026-08-01"), await startOn(api, "2026-08-01")];
    for (const owner of [disabled, unverified]) await sendRejected(api, owner);
    await api.execute(`update users set disabled_at = '2026-08-01T11:00:00.000Z' where id = ${disabled.id}`);
    await api.execute(`update users set is_verified = 0 where id = ${unverified.id}`);
    await runAt(api, "2026-08-02T00:00:00.000Z");
    for (const owner of [disabled, unverified]) expect(await noticesTo(api, owner)).toEqual([]);

    await api.execute("update users set disabled_at = null, is_verified = 1");
    await runAt(api, "2026-08-03T00:00:00.000Z");
    for (const owner of [disabled, unverified]) expect(await noticesTo(api, owner)).toHaveLength(1);
  });

  test("is not sent to an address that rejects mails, and does not list the account's own mails", async () => {
    const [refused, unreached] = [await startOn(api, "2026-09-01"), await startOn(api, "2026-09-01")];
    for (const owner of [refused, unreached]) await sendRejected(api, owner, { subject: "Lease" });
    for (const { id, email, failure } of [
      { ...refused, failure: "refused" },
      { ...unreached, failure: "unreachable" },
    ])
      await api.execute(
        `insert into notifications (user_id, kind, channel, recipient, payload, dedupe_key, status, failure, next_attempt_at, created_at)
         values (${id}, 'password_changed', 'email', '${email}', '{}', 'own:${id}', 'failed', '${failure}', '2026-09-01T11:00:00.000Z', '2026-09-01T11:00:00.000Z')`,
      );
    await runAt(api, "2026-09-02T00:00:00.000Z");
    expect(await noticesTo(api, refused)).toEqual([]);
    const [notice] = await noticesTo(api, unreached);
    expect(notice?.subject).toBe("1 message could not be delivered");
    expect(notice?.text).toContain("Lease");
  });

  test("lists a message for which the server always drops the connection, after eight attempts in two days", async () => {
    const owner = await startOn(api, "2026-10-01");
    await api.setMail("drops");
    const { id } = await sendEnvelope(owner, { subject: "Lease", recipientEmail: DROPPED });
    // Mails to others get through all the time.
    for (const hours of [0, 1, 2, 3, 6, 12, 16, 24, 36, 48, 60, 72, 84]) {
      await api.setClock(new Date(Date.parse("2026-10-01T10:00:00.000Z") + hours * HOUR_MS).toISOString());
      await sendEnvelope(owner);
      await api.finishBackgroundWork();
      await api.runJobs();
    }
    await api.setMail("works");
    const { body: messages } = await owner.get(`/api/requests/${id}/notifications`);
    expect(messages).toMatchObject([{ status: "failed", attempts: 8 }]);
    const tries = (await api.logs()).filter(
      ({ event, fields }) => event === "notification not sent" && fields.envelopeId === id,
    );
    expect(tries.length).toBeLessThanOrEqual(12);
    await runAt(api, "2026-10-05T00:00:00.000Z");
    expect((await noticesTo(api, owner)).map(({ text }) => text.includes("Lease"))).toEqual([true]);
  }, 20_000);
});

test("gives the reasons in the timeline's words, in each language", async () => {
  for (const language of LANGUAGES) {
    const { undelivered } = await import(`../../locales/${language}/mail.json`);
    const { timeline } = await import(`../../locales/${language}/envelopes.json`);
    expect(timeline.failures).toMatchObject(undelivered.failures);
  }
});
