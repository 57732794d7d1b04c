import { expect, test } from "bun:test";
import { createApp } from "../../worker/app";
import { readVariables } from "../../worker/config";
import { DeliveryError } from "../../worker/ports/mailer";
import { type Api, type ApiResponse, createClient, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope, withoutDelivery } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { joinAs } from "../support/api/team";
import { pdfFile } from "../support/files/files";
import type { MemoryMailer } from "../support/memory/memory-mailer";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { TEST_START } from "../support/runtime/runtime";

const later = (minutes: number) => new Date(Date.parse(TEST_START) + minutes * 60_000).toISOString();

function expectRejected({ status, body, headers }: ApiResponse, code: string, seconds: number) {
  expect([status, body.code]).toEqual([429, code]);
  expect(body.message).toMatch(/\w \w.*Please try again/);
  const wait = Number(headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(seconds);
}

/** An account whose address is confirmed. */
async function verified(api: Api): Promise<SignedUp> {
  const owner = await api.signUp();
  await api.finishBackgroundWork();
  const mail = (await api.mails()).findLast(({ to }) => to === owner.email);
  const token = /\/verify\/([\w-]+)/.exec(mail?.text ?? "")?.[1];
  expect((await api.anonymous().post("/api/user/verify", { token })).status).toBe(204);
  return owner;
}

const mailsTo = async (api: Api, address: string) => {
  await api.finishBackgroundWork();
  return (await api.mails()).filter(({ to }) => to === address).length;
};

describeApi("messages from one account to one recipient", { rateLimits: "on" }, (api) => {
  test("are counted when many links are replaced at once, and wait for the next hour", async () => {
    const owner = await verified(api);
    const member = await joinAs(api, owner, "member");
    const recipientEmail = "renewed@example.com";
    const { workspaceId } = owner;
    for (let count = 0; count < 8; count += 1) await sendEnvelope(owner, { recipientEmail });
    for (let count = 0; count < 14; count += 1) await sendEnvelope(member, { workspaceId, recipientEmail });
    const sent = async () => {
      await api.finishBackgroundWork();
      return (await api.mails()).filter(({ to }) => to === recipientEmail).length;
    };
    expect(await sent()).toBe(8 + 14);
    await owner.delete(`/api/workspaces/${workspaceId}/members/${member.id}?replaceLinks=own`);
    expect(await sent()).toBe(8 + 14 + 12);
    await api.runJobs(later(61));
    expect(await sent()).toBe(8 + 14 + 14);
    await api.setClock(TEST_START);
  });

  test("do not pile up while a link is replaced again and again", async () => {
    const owner = await verified(api);
    const member = await joinAs(api, owner, "member");
    const { workspaceId } = owner;
    const recipientEmail = "again@example.com";
    const { id } = await sendEnvelope(member, { workspaceId, recipientEmail });
    const path = `/api/workspaces/${workspaceId}/members/${member.id}`;
    for (let round = 0; round < 23; round += 1)
      for (const change of [{ role: "viewer", replaceLinks: "own" }, { role: "member" }]) {
        expect((await owner.patch(path, change)).status).toBe(200);
        await api.finishBackgroundWork();
      }
    const queued = `select id from notifications where envelope_id = ${id} and status = 'queued'`;
    expect(await api.select(queued)).toHaveLength(1);
  });

  test("at most twenty an hour go to one address, however it is spelled, and the change is not lost", async () => {
    const [owner, other] = [await verified(api), await verified(api)];
    const spellings = [
      "victim@example.com",
      "Victim@Example.com",
      "victim+a@example.com",
      "VICTIM+b@example.com",
    ];
    const send = (sender: SignedUp, recipientEmail: string) =>
      sender.post("/api/requests", { ...ENVELOPE, recipientEmail });
    for (let count = 0; count < 20; count++)
      expect((await send(owner, spellings[count % 4] ?? "")).status).toBe(201);
    const rejected = await send(owner, "victim+c@example.com");
    expectRejected(rejected, "too_many_messages", 60 * 60);
    expect(rejected.body.params).toEqual({ recipient: "victim+c@example.com", limit: 20 });
    expect((await owner.get("/api/requests")).body).toHaveLength(20);
    expect((await send(owner, "somebody@example.com")).status).toBe(201);
    expect((await send(other, "victim@example.com")).status).toBe(201);
    await api.setClock(later(60));
    expect((await send(owner, "victim@example.com")).status).toBe(201);
    await api.setClock(TEST_START);
  }, 240_000);

  test("deleting an envelope does not reset the count, and of thirty concurrent ones twenty are accepted", async () => {
    const owner = await verified(api);
    const recipientEmail = "erased@example.com";
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => owner.post("/api/requests", { ...ENVELOPE, recipientEmail })),
    );
    const sent = responses.filter(({ status }) => status === 201);
    expect([sent.length, responses.filter(({ status }) => status === 429).length]).toEqual([20, 10]);
    for (const { body } of sent) expect((await owner.delete(`/api/requests/${body.id}`)).status).toBe(204);
    const again = await owner.post("/api/requests", { ...ENVELOPE, recipientEmail });
    expectRejected(again, "too_many_messages", 60 * 60);
  }, 240_000);

  test("edits, manual reminders, copies, scheduled reminders and receipts count, and what the schedule sends is postponed", async () => {
    const owner = await verified(api);
    const recipientEmail = "counted@example.com";
    const changes = { recipientEmail, reminderFrequency: "daily" };
    const envelope = await sendEnvelope(owner, changes);
    const path = `/api/requests/${envelope.id}`;
    const others = [];
    for (let count = 0; count < 7; count++) others.push(await sendEnvelope(owner, changes));
    await api.finishBackgroundWork();
    for (const { id } of [envelope, ...others])
      expect((await owner.put(`/api/requests/${id}`, { ...ENVELOPE, ...changes })).status).toBe(200);
    expect((await owner.post(`${path}/remind`)).status).toBe(201);
    const [first] = (await owner.get(`${path}/notifications`)).body;
    for (let count = 0; count < 3; count++)
      expect((await owner.post(`${path}/notifications/${first.id}/retry`)).status).toBe(200);
    expect(await mailsTo(api, recipientEmail)).toBe(20);
    expectRejected(await owner.post(`${path}/notifications/${first.id}/retry`), "too_many_messages", 3600);
    expectRejected(
      await owner.post("/api/requests", { ...ENVELOPE, recipientEmail }),
      "too_many_messages",
      3600,
    );
    // The receipt is not rejected: it waits for the next hour.
    const submitted = await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    expect(submitted.status).toBe(201);
    expect(await mailsTo(api, recipientEmail)).toBe(20);
    const waiting = (await owner.get(`${path}/notifications`)).body.at(-1);
    expect(waiting).toMatchObject({ kind: "receipt", status: "queued", attempts: 0 });
    await api.runJobs(later(61));
    expect(await mailsTo(api, recipientEmail)).toBe(21);
    await api.setClock(TEST_START);
  }, 240_000);

  test("reminders due at once to one address are sent twenty an hour, each of them once", async () => {
    const owner = await verified(api);
    const recipientEmail = "reminded@example.com";
    const envelope = { recipientEmail, reminderFrequency: "daily" };
    for (let count = 0; count < 12; count++) await sendEnvelope(owner, envelope);
    await api.setClock(later(61));
    for (let count = 0; count < 12; count++) await sendEnvelope(owner, envelope);
    expect(await mailsTo(api, recipientEmail)).toBe(24);
    await api.setClock(later(24 * 60));
    for (let runs = 0; runs < 3; runs++) await api.runJobs();
    expect(await mailsTo(api, recipientEmail)).toBe(24 + 20);
    await api.setClock(later(25 * 60 + 1));
    for (let runs = 0; runs < 3; runs++) await api.runJobs();
    expect(await mailsTo(api, recipientEmail)).toBe(24 + 24);
    await api.setClock(TEST_START);
  }, 240_000);

  test("a bulk send counts who wants no mails, since they may want them again before their turn", async () => {
    const owner = await verified(api);
    const recipientEmail = "twice@example.com";
    await owner.post("/api/requests", { ...ENVELOPE, recipientEmail });
    await api.finishBackgroundWork();
    const mail = (await api.mails()).findLast(({ to }) => to === recipientEmail);
    const [link = ""] = /\/unsubscribe\/[\w-]+/.exec(mail?.text ?? "") ?? [];
    expect((await api.anonymous().post(`/api${link}`)).status).toBe(200);
    const { documents } = ENVELOPE;
    const recipients = Array.from({ length: 10 }, () => ({ recipientName: "R", recipientEmail }));
    const send = () =>
      owner.post("/api/requests/bulk", { envelope: { subject: "Papers", documents }, recipients });
    expect((await send()).status).toBe(202);
    expectRejected(await send(), "too_many_messages", 60 * 60);
  });

  test("text messages to one number are limited the same way", async () => {
    const owner = await verified(api);
    const send = (recipientPhone: string) =>
      owner.post("/api/requests", { ...ENVELOPE, recipientPhone, notificationPreference: "sms" });
    for (let count = 0; count < 20; count++)
      expect((await send(count % 2 ? "+15552223333" : "5552223333")).status).toBe(201);
    expectRejected(await send("+15552223333"), "too_many_messages", 60 * 60);
  }, 240_000);

  test("all accounts together send sixty an hour to one address, of which only a hash is stored", async () => {
    const [last, ...others] = [
      await verified(api),
      await verified(api),
      await verified(api),
      await verified(api),
    ];
    const send = (sender: SignedUp, recipientEmail: string) =>
      sender.post("/api/requests", { ...ENVELOPE, recipientEmail });
    for (const sender of others)
      for (let count = 0; count < 20; count++)
        expect((await send(sender, `everybodys+${count}@example.com`)).status).toBe(201);
    const rejected = await send(last, "Everybodys@example.com");
    expectRejected(rejected, "recipient_busy", 60 * 60);
    expect(rejected.body.params).toEqual({ recipient: "everybodys@example.com" });
    expect(await api.select("select * from rate_limits where key like 'recipient%@%'")).toEqual([]);
    expect((await send(last, "nobodys@example.com")).status).toBe(201);
    await api.setClock(later(61));
    expect((await send(last, "everybodys@example.com")).status).toBe(201);
    await api.setClock(TEST_START);
  }, 240_000);
});

describeApi(
  "invitations from a new account",
  { rateLimits: "on", variables: { NEW_ACCOUNT_INVITATIONS_PER_DAY: "20" } },
  (api) => {
    test("are limited per day, and unlimited once it is a week old", async () => {
      const owner = await verified(api);
      const send = (index: number) =>
        owner.post("/api/requests", { ...ENVELOPE, recipientEmail: `person${index}@example.org` });
      const sendAll = (from: number, count: number) =>
        Promise.all(Array.from({ length: count }, (_, offset) => send(from + offset)));
      const statuses = (await sendAll(0, 25)).map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array(20).fill(201), ...Array(5).fill(429)]);
      expectRejected(await send(25), "too_many_invitations", 24 * 60 * 60);
      const draft = await owner.post("/api/requests", { ...ENVELOPE, isDraft: true });
      expect(draft.status).toBe(201);
      expectRejected(
        await owner.put(`/api/requests/${draft.body.id}`, ENVELOPE),
        "too_many_invitations",
        86_400,
      );
      await api.setClock(later(24 * 60));
      expect((await send(26)).status).toBe(201);
      await api.setClock(later(8 * 24 * 60));
      const responses = await sendAll(100, 25);
      expect(responses.filter(({ status }) => status !== 201)).toEqual([]);
      await api.setClock(TEST_START);
    });
  },
);

test("an account younger than a week sends 200 envelopes a day by default", () => {
  expect(readVariables({}).NEW_ACCOUNT_INVITATIONS_PER_DAY).toBe(200);
});

describeApi(
  "an account whose address is not proved, where the operator allows it three envelopes",
  { rateLimits: "on", variables: { UNVERIFIED_ENVELOPES: "3" } },
  (api) => {
    test("sends three envelopes, saves the next ones as drafts, and sends them once verified", async () => {
      const owner = await api.signUp({ proved: false });
      for (let count = 0; count < 3; count++)
        await sendEnvelope(owner, { recipientEmail: `one${count}@example.com` });
      const rejected = await owner.post("/api/requests", { ...ENVELOPE, message: "Typed for an hour" });
      expect([rejected.status, rejected.body]).toEqual([
        403,
        {
          code: "verify_email",
          message: "Please verify your email address to send more envelopes",
          params: { draftId: expect.any(Number) },
        },
      ]);
      const path = `/api/requests/${rejected.body.params.draftId}`;
      expect((await owner.get(path)).body).toMatchObject({ isDraft: true, message: "Typed for an hour" });
      const resent = await owner.put(path, { ...ENVELOPE, message: "Typed again" });
      expect([resent.status, resent.body.params]).toEqual([403, rejected.body.params]);
      expect((await owner.get(path)).body).toMatchObject({ isDraft: true, message: "Typed again" });
      expect((await owner.get("/api/requests")).body).toHaveLength(4);
      expect(await mailsTo(api, ENVELOPE.recipientEmail)).toBe(0);

      const mail = (await api.mails()).findLast(({ to }) => to === owner.email);
      const token = /\/verify\/([\w-]+)/.exec(mail?.text ?? "")?.[1];
      expect((await owner.post("/api/user/verify", { token })).status).toBe(204);
      expect((await owner.put(path, ENVELOPE)).status).toBe(200);
      expect(await mailsTo(api, ENVELOPE.recipientEmail)).toBe(1);
    });

    test("sends three of ten concurrent ones, deletion does not reset the count, and a sent one cannot get a fourth recipient", async () => {
      const owner = await api.signUp({ proved: false });
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          owner.post("/api/requests", { ...ENVELOPE, recipientEmail: `many${index}@example.com` }),
        ),
      );
      const sent = responses.filter(({ status }) => status === 201);
      expect([sent.length, responses.filter(({ status }) => status === 403).length]).toEqual([3, 7]);
      const [first, ...others] = sent.map(({ body }) => body);
      for (const { id } of others) await owner.delete(`/api/requests/${id}`);
      expect((await owner.post("/api/requests", ENVELOPE)).status).toBe(403);
      const path = `/api/requests/${first.id}`;
      const turned = await owner.put(path, { ...ENVELOPE, recipientEmail: "fourth@example.com" });
      expect([turned.status, turned.body.code, turned.body.params]).toEqual([403, "verify_email", undefined]);
      expect(withoutDelivery((await owner.get(path)).body)).toEqual(withoutDelivery(first));
    });

    test("sends three updates or envelopes, however often it changes one", async () => {
      const senders = [await api.signUp({ proved: false }), await api.signUp({ proved: false })];
      const recipientEmail = "flooded@example.com";
      for (const sender of senders) {
        const { id } = await sendEnvelope(sender, { recipientEmail });
        const codes: Record<string, number> = {};
        for (let count = 0; count < 10; count++) {
          await api.finishBackgroundWork();
          const changed = { ...ENVELOPE, recipientEmail, message: `Buy now ${count}` };
          const { status, body } = await sender.put(`/api/requests/${id}`, changed);
          codes[body.code ?? status] = (codes[body.code ?? status] ?? 0) + 1;
          await api.runJobs(later(count * 4));
        }
        // Until the fourth message, changes within ten minutes are one update.
        expect(codes).toEqual({ 200: 4, verify_email: 6 });
        await api.setClock(TEST_START);
      }
      expect(await mailsTo(api, recipientEmail)).toBe(6);
    }, 240_000);

    test("sends no text messages, and saves what asks for one as a draft", async () => {
      const owner = await api.signUp({ proved: false });
      const texts = (await api.texts()).length;
      const to = { ...ENVELOPE, recipientPhone: "+15554443333" };
      for (const notificationPreference of ["sms", "both"]) {
        const rejected = await owner.post("/api/requests", { ...to, notificationPreference });
        expect([rejected.status, rejected.body]).toEqual([
          403,
          {
            code: "verify_email_sms",
            message: "Please verify your email address to send text messages",
            params: { draftId: expect.any(Number) },
          },
        ]);
        const path = `/api/requests/${rejected.body.params.draftId}`;
        expect((await owner.get(path)).body.isDraft).toBe(true);
      }
      const sent = await sendEnvelope(owner);
      const path = `/api/requests/${sent.id}`;
      const changed = await owner.put(path, { ...to, notificationPreference: "sms" });
      expect([changed.status, changed.body.code]).toEqual([403, "verify_email_sms"]);
      await api.finishBackgroundWork();
      expect(await api.texts()).toHaveLength(texts);
    });

    test("gets the same draft again if a keyed call was killed after it saved it", async () => {
      const owner = await api.signUp({ proved: false });
      for (let count = 0; count < 3; count++) await sendEnvelope(owner);
      const send = () => owner.send("POST", "/api/requests", ENVELOPE, { "idempotency-key": "killed" });
      const first = await send();
      expect([first.status, first.body.params]).toEqual([403, { draftId: expect.any(Number) }]);
      await api.execute("update idempotency_keys set status = null, body = null");
      const again = await send();
      expect([again.status, again.text]).toEqual([403, first.text]);
      expect((await owner.get("/api/requests")).body).toHaveLength(4);
    });

    test("is marked as unverified on the recipient's page and in every mail", async () => {
      const owner = await api.signUp({ proved: false });
      const envelope = await sendEnvelope(owner, { recipientEmail: "marked@example.com" });
      const view = await api.anonymous().get(linkOf(envelope));
      expect(view.body.user).toEqual({
        firstName: null,
        lastName: null,
        companyName: null,
        email: owner.email,
        emailVerified: false,
        hasPicture: false,
      });
      await api.finishBackgroundWork();
      const mail = (await api.mails()).findLast(({ to }) => to === "marked@example.com");
      for (const text of [mail?.text, mail?.html]) expect(text).toContain(`${owner.email}, not verified`);
      expect([mail?.from, mail?.replyTo]).toEqual([expect.stringContaining("not verified via"), undefined]);

      const known = await verified(api);
      const other = await sendEnvelope(known, { recipientEmail: "unmarked@example.com" });
      expect((await api.anonymous().get(linkOf(other))).body.user.emailVerified).toBe(true);
      await api.finishBackgroundWork();
      const plain = (await api.mails()).findLast(({ to }) => to === "unmarked@example.com");
      expect(`${plain?.text}${plain?.html}${plain?.from}`).not.toContain("not verified");
    });
  },
);

describeApi("an account whose address is not proved", { rateLimits: "on" }, (api) => {
  test("sends nothing but to its own address, until the mailed link is opened in its session", async () => {
    await api.signUp();
    const owner = await api.signUp({ proved: false });
    await sendEnvelope(owner, { recipientEmail: owner.email.toUpperCase() });
    const code = async (body = ENVELOPE) => (await owner.post("/api/requests", body)).body.code;
    expect(await code()).toBe("verify_email");
    // A stranger who has registered the address must not send once its owner has opened the link elsewhere.
    const token = (await mailedTokens(api, "verify", owner.email)).at(-1);
    expect((await api.anonymous().post("/api/user/verify", { token })).status).toBe(204);
    expect((await owner.get("/api/user")).body).toMatchObject({ isVerified: true, isProved: false });
    expect(await code()).toBe("verify_email");
    const sms = { ...ENVELOPE, recipientPhone: "+15554443333", notificationPreference: "sms" };
    expect(await code(sms)).toBe("verify_email_sms");
    expect(await mailsTo(api, ENVELOPE.recipientEmail)).toBe(0);
    expect((await owner.post("/api/user/verify", { token })).status).toBe(204);
    expect(await code()).toBeUndefined();
  });

  test("cannot turn an envelope to its own address into one to somebody else", async () => {
    const owner = await api.signUp({ proved: false });
    const { id } = await sendEnvelope(owner, { recipientEmail: owner.email });
    const turned = await owner.put(`/api/requests/${id}`, ENVELOPE);
    expect([turned.status, turned.body.code]).toEqual([403, "verify_email"]);
  });
});

describeApi("the subject of a new account's mails", { rateLimits: "on" }, (api) => {
  const subjectTo = async (address: string) => {
    await api.finishBackgroundWork();
    return (await api.mails()).findLast(({ to }) => to === address)?.subject;
  };
  const send = async (owner: SignedUp, recipientEmail: string) => {
    const subject = "Your bank account is locked";
    const envelope = { ...ENVELOPE, recipientEmail, subject };
    const { body } = await owner.post("/api/requests/preview", envelope);
    await sendEnvelope(owner, envelope);
    expect(body.email.subject).toBe(await subjectTo(recipientEmail));
    return body.email.subject;
  };

  test("says who asks for documents, for a week", async () => {
    await api.setClock(TEST_START);
    const administrator = await api.signUp();
    expect(await send(administrator, "framed0@example.com")).toBe("Your bank account is locked");
    const owner = await api.signUp();
    expect((await owner.patch("/api/user/profile", { firstName: "Mallory" })).status).toBe(200);
    expect(await send(owner, "framed1@example.com")).toBe(
      "Request from Mallory: Your bank account is locked",
    );
    await api.setClock(later(7 * 24 * 60));
    expect(await send(owner, "framed2@example.com")).toBe("Your bank account is locked");
    await api.setClock(TEST_START);
  });

  test("is free where no mail is configured", async () => {
    const owner = await api.signUp();
    await api.setMail("unset");
    expect(await send(owner, "framed3@example.com")).toBe("Your bank account is locked");
    await api.setMail("works");
  });
});

describeApi("with RATE_LIMITS off", (api) => {
  test("no limit applies", async () => {
    const owner = await api.signUp();
    for (let count = 0; count < 25; count++) await sendEnvelope(owner);
    const to = { recipientPhone: "+15553334444", notificationPreference: "sms" };
    for (let count = 0; count < 65; count++) await sendEnvelope(owner, to);
    await api.finishBackgroundWork();
    const texts = (await api.texts()).filter((sms) => sms.to === "+15553334444");
    expect([texts.length, texts[0]?.text]).toEqual([
      65,
      expect.stringContaining(`${owner.email}, not verified`),
    ]);
  }, 240_000);
});

describeApi("text messages", { rateLimits: "on", variables: { SMS_PER_DAY: "5" } }, (api) => {
  const to = (index: number) => ({
    recipientPhone: `+1555222${1000 + index}`,
    notificationPreference: "sms",
    reminderFrequency: "daily",
  });

  test("of an account are limited per day, reminders included", async () => {
    const owner = await verified(api);
    const envelopes = [];
    for (let index = 0; index < 5; index++) envelopes.push(await sendEnvelope(owner, to(index)));
    const rejected = await owner.post("/api/requests", { ...ENVELOPE, ...to(5) });
    expectRejected(rejected, "too_many_texts", 24 * 60 * 60);
    expect(rejected.body.params).toEqual({ limit: 5 });
    expectRejected(await owner.post(`/api/requests/${envelopes[0].id}/remind`), "too_many_texts", 86_400);
    expect((await owner.post("/api/requests", ENVELOPE)).status).toBe(201);
    const other = await verified(api);
    const once = { ...ENVELOPE, ...to(6), reminderFrequency: "none" };
    expect((await other.post("/api/requests", once)).status).toBe(201);

    await api.finishBackgroundWork();
    await api.runJobs("2026-03-15T09:20:00.000Z");
    expect(await api.texts()).toHaveLength(6);
    await api.runJobs("2026-03-15T09:30:00.000Z");
    expect(await api.texts()).toHaveLength(11);
    await api.setClock(TEST_START);
  }, 240_000);

  test("are not sent once the account's address is not proved", async () => {
    const owner = await verified(api);
    const { id } = await sendEnvelope(owner, to(20));
    await api.finishBackgroundWork();
    await api.execute(`update users set verified_by_owner = 0 where id = ${owner.id}`);
    await api.runJobs("2026-03-15T09:30:00.000Z");
    expect((await api.texts()).filter((sms) => sms.to === to(20).recipientPhone)).toHaveLength(1);
    expect((await owner.get(`/api/requests/${id}/notifications`)).body.at(-1)).toMatchObject({
      kind: "reminder",
      status: "cancelled",
      lastError: "Your email address is not verified",
    });
    await api.setClock(TEST_START);
  }, 240_000);
});

test("an account sends 100 text messages a day by default", () => {
  expect(readVariables({}).SMS_PER_DAY).toBe(100);
});

describeApi("changes of a sent envelope", { rateLimits: "on" }, (api) => {
  const subjectsTo = async (address: string) => {
    await api.finishBackgroundWork();
    return (await api.mails())
      .filter(({ to }) => to === address)
      .map(({ text }) => /News \d/.exec(text)?.[0]);
  };

  test("are sent at once; those within ten minutes of that are one notice, and count as one", async () => {
    const owner = await verified(api);
    const recipientEmail = "collected@example.com";
    const { id } = await sendEnvelope(owner, { recipientEmail, message: "News 0" });
    await api.finishBackgroundWork();
    const edit = async (count: number) => {
      const body = { ...ENVELOPE, recipientEmail, message: `News ${count}` };
      expect((await owner.put(`/api/requests/${id}`, body)).status).toBe(200);
    };
    await api.setClock(later(1));
    await edit(1);
    expect(await subjectsTo(recipientEmail)).toEqual(["News 0", "News 1"]);
    for (const count of [2, 3, 4, 5]) {
      await api.setClock(later(1 + count));
      await edit(count);
      await api.runJobs();
    }
    const waiting = (await owner.get(`/api/requests/${id}/notifications`)).body.at(-1);
    expect(waiting).toMatchObject({ kind: "update", status: "queued" });
    // Sending it again does not make it due.
    expect((await owner.post(`/api/requests/${id}/notifications/${waiting.id}/retry`)).body).toEqual(waiting);
    await api.runJobs();
    expect(await subjectsTo(recipientEmail)).toEqual(["News 0", "News 1"]);
    await api.runJobs(later(11));
    expect(await subjectsTo(recipientEmail)).toEqual(["News 0", "News 1", "News 5"]);
    await api.setClock(later(20));
    await edit(6);
    expect(await subjectsTo(recipientEmail)).toHaveLength(3);
    await api.setClock(later(31));
    await edit(7);
    expect(await subjectsTo(recipientEmail)).toEqual(["News 0", "News 1", "News 5", "News 7"]);
    await api.setClock(TEST_START);
  }, 240_000);

  test("of one that was changed while the clock was a year ahead wait no longer than others", async () => {
    const owner = await verified(api);
    const recipientEmail = "ahead@example.com";
    const { id } = await sendEnvelope(owner, { recipientEmail, message: "News 0" });
    await api.finishBackgroundWork();
    const edit = (count: number) =>
      owner.put(`/api/requests/${id}`, { ...ENVELOPE, recipientEmail, message: `News ${count}` });
    await api.setClock(later(365 * 24 * 60));
    await owner.post("/api/login", { email: owner.email, password: owner.password });
    expect((await edit(1)).status).toBe(200);
    await api.finishBackgroundWork();
    await api.setClock(TEST_START);
    expect((await edit(2)).status).toBe(200);
    await api.runJobs(later(11));
    expect(await subjectsTo(recipientEmail)).toEqual(["News 0", "News 1", "News 2"]);
    await api.setClock(TEST_START);
  });

  test("that alternate between two addresses are collected for each, and a new address is invited at once", async () => {
    const owner = await verified(api);
    const { id } = await sendEnvelope(owner, { recipientEmail: "one@example.org" });
    await api.finishBackgroundWork();
    for (let count = 0; count < 10; count++) {
      const recipientEmail = count % 2 ? "one@example.org" : "two@example.org";
      expect((await owner.put(`/api/requests/${id}`, { ...ENVELOPE, recipientEmail })).status).toBe(200);
      await api.finishBackgroundWork();
    }
    const kindsTo = async (address: string) => {
      const { body } = await owner.get(`/api/requests/${id}/notifications`);
      const rows: { recipient: string; kind: string; status: string }[] = body;
      return rows.filter(({ recipient }) => recipient === address).map(({ kind, status }) => [kind, status]);
    };
    expect(await kindsTo("one@example.org")).toEqual([
      ["invitation", "sent"],
      ["update", "sent"],
      ["update", "queued"],
    ]);
    expect(await kindsTo("two@example.org")).toEqual([
      ["invitation", "sent"],
      ["update", "sent"],
    ]);
  }, 240_000);
});

describeApi("an edit right after sending", (api) => {
  test("replaces a queued message, and follows a sent one with an update", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { recipientEmail: "edited@example.com" });
    await api.finishBackgroundWork();
    const path = `/api/requests/${envelope.id}`;
    for (let count = 0; count < 2; count++) {
      const { status } = await owner.put(path, { ...ENVELOPE, recipientEmail: "edited@example.com" });
      expect(status).toBe(200);
      await api.finishBackgroundWork();
    }
    const kinds = (await owner.get(`${path}/notifications`)).body.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(["invitation", "update", "update"]);
  });
});

test("an edit replaces a queued message, and both count once", async () => {
  const runtime = await startBunRuntime({ rateLimits: "on", variables: { UNVERIFIED_ENVELOPES: "3" } });
  // Nothing is delivered: every message waits.
  const app = createApp({ ...runtime.deps, background: { run() {} } });
  const fetch = async (request: Request) => app.fetch(request, { clientAddress: "203.0.113.7" });
  const owner = createClient({ fetch, origin: runtime.origin });
  await owner.post("/api/register", { email: "ada@example.com", password: "a long password" });
  await runtime.execute("update users set verified_by_owner = 0");
  const envelope = await sendEnvelope(owner);
  const edit = async () => (await owner.put(`/api/requests/${envelope.id}`, ENVELOPE)).status;
  const rows = async () =>
    runtime.select("select id, kind from notifications where envelope_id is not null order by id");
  for (let count = 0; count < 30; count++) expect(await edit()).toBe(200);
  const [waiting, ...others] = await rows();
  expect([waiting?.kind, others]).toEqual(["invitation", []]);

  await runtime.deps.db.run(
    `update notifications set claimed_until = '${later(2)}' where id = ${waiting?.id}`,
  );
  expect(await edit()).toBe(200);
  expect((await rows()).map(({ kind }) => kind)).toEqual(["invitation", "update"]);
  await runtime.setClock(later(1.1));
  expect(await edit()).toBe(200);
  expect((await rows()).map(({ kind }) => kind)).toEqual(["invitation", "update"]);
  const counters = "select count from rate_limits where key like 'recipient%' or key like 'unverified%'";
  expect(await runtime.select(counters)).toEqual([{ count: 2 }, { count: 2 }, { count: 2 }]);
  // A notice that waited for another address was not sent.
  const other = { ...ENVELOPE, recipientEmail: "elsewhere@example.com" };
  expect((await owner.put(`/api/requests/${envelope.id}`, other)).status).toBe(200);
  expect((await rows()).map(({ kind }) => kind)).toEqual(["invitation", "invitation"]);
  expect((await runtime.select(counters)).map(({ count }) => count).toSorted()).toEqual([1, 1, 1, 1, 3]);
  await runtime.stop();
});

test("an outage that ends does not send a collected update early", async () => {
  const runtime = await startBunRuntime({ rateLimits: "on" });
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "ada@example.com", password: "a long password" });
  const { id } = await sendEnvelope(owner);
  for (let count = 0; count < 2; count++) {
    await runtime.finishBackgroundWork();
    expect((await owner.put(`/api/requests/${id}`, ENVELOPE)).status).toBe(200);
  }
  const mailer = runtime.deps.mailer as MemoryMailer;
  mailer.failWith = new DeliveryError("down", { permanent: false, outage: true });
  expect((await owner.post("/api/user/resend-verification")).status).toBe(204);
  await runtime.finishBackgroundWork();
  const before = mailer.sent.length;
  mailer.failWith = null;
  for (let runs = 0; runs < 2; runs++) await runtime.runJobs();
  expect(mailer.sent.slice(before).map(({ to }) => to)).toEqual(["ada@example.com"]);
  await runtime.setClock(later(10));
  await runtime.runJobs();
  expect(mailer.sent.slice(before).map(({ to }) => to)).toEqual(["ada@example.com", ENVELOPE.recipientEmail]);
  await runtime.stop();
});

test("without a mail server nobody is marked as unverified, and no envelope or invitation is withheld", async () => {
  const runtime = await startBunRuntime({ rateLimits: "on" });
  const app = createApp({ ...runtime.deps, mailer: { localOnly: true, send: async () => {} } });
  const fetch = async (request: Request) => app.fetch(request, { clientAddress: "203.0.113.7" });
  const owner = createClient({ fetch, origin: runtime.origin });
  await owner.post("/api/register", { email: "ada@example.com", password: "a long password" });
  for (let count = 0; count < 4; count++) await sendEnvelope(owner);
  const envelope = await sendEnvelope(owner);
  expect((await owner.get(linkOf(envelope))).body.user.emailVerified).toBeNull();
  const [workspace] = (await owner.get("/api/workspaces")).body;
  const invitation = { email: "colleague@example.com", role: "member" };
  expect((await owner.post(`/api/workspaces/${workspace.id}/invitations`, invitation)).status).toBe(201);
  await runtime.finishBackgroundWork();
  await runtime.stop();
});

describeApi(
  "messages of all accounts together",
  {
    rateLimits: "on",
    variables: {
      ...{ TWILIO_ACCOUNT_SID: "AC1", TWILIO_AUTH_TOKEN: "secret", TWILIO_FROM: "+15550001111" },
      ...{ MAILS_PER_DAY: "10", SMS_PER_DAY_ALL: "12", SMS_COUNTRIES: "+1, +49" },
    },
  },
  (api) => {
    const send = (owner: SignedUp, changes: object) =>
      owner.post("/api/requests", { ...ENVELOPE, ...changes });
    const mails = async (owner: SignedUp, count: number) => {
      const codes: unknown[] = [];
      for (let index = 0; index < count; index += 1)
        codes.push((await send(owner, { recipientEmail: `${owner.id}-${index}@example.com` })).body.code);
      return codes;
    };

    test("are limited by day, and one account may send a quarter of them", async () => {
      const first = await verified(api);
      const others = [await verified(api), await verified(api), await verified(api)];
      await api.setClock(later(8 * 24 * 60));
      expect(await mails(first, 4)).toEqual([undefined, undefined, undefined, "too_many_mails"]);
      for (const other of others.slice(0, 2))
        expect(new Set(await mails(other, 3))).toEqual(new Set([undefined]));
      expect(await mails(others[2] as SignedUp, 3)).toEqual([undefined, "sending_paused", "sending_paused"]);
      const told = async () => {
        await api.runJobs();
        const about = (await api.mails()).filter(({ subject }) => subject.includes("daily messages"));
        return about.map(({ to, subject }) => [to, subject]);
      };
      expect(await told()).toEqual([[first.email, "10 of 10 daily messages have been sent"]]);
      expect(await told()).toHaveLength(1);
      await api.setClock(later(9 * 24 * 60));
      expect(await mails(others[2] as SignedUp, 1)).toEqual([undefined]);
    });

    test("leave half of the mails to accounts that are older than a week", async () => {
      await api.setClock(later(12 * 24 * 60));
      const owners = [await verified(api), await verified(api)];
      expect(await mails(owners[0] as SignedUp, 3)).toEqual([undefined, undefined, undefined]);
      expect(await mails(owners[1] as SignedUp, 3)).toEqual([undefined, undefined, "sending_paused"]);
    });

    test("leave them that half also if new accounts invite members, or let receipts be sent", async () => {
      const day = 16 * 24 * 60;
      await api.setClock(later(day - 8 * 24 * 60));
      const old = await verified(api);
      await api.setClock(later(day));
      const [sends, invites] = [await verified(api), await verified(api)];
      const envelope = (await send(sends, { recipientEmail: "receipt@example.com" })).body;
      const invitations = `/api/workspaces/${invites.workspaceId}/invitations`;
      const codes: unknown[] = [];
      for (let index = 0; index < 5; index += 1)
        codes.push(
          (await invites.post(invitations, { email: `m${index}@example.com`, role: "viewer" })).body.code,
        );
      expect(codes).toEqual([undefined, undefined, undefined, "too_many_mails", "too_many_mails"]);
      expect(await mails(sends, 2)).toEqual([undefined, "sending_paused"]);
      await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
      await api.runJobs();
      const mailsTo = async () => (await api.mails()).filter(({ to }) => to === "receipt@example.com");
      expect(await mailsTo()).toHaveLength(1);
      expect(await mails(old, 3)).toEqual([undefined, undefined, undefined]);
      await api.setClock(later(day + 24 * 60 + 1));
      await api.runJobs();
      expect(await mailsTo()).toHaveLength(2);
    });

    test("are not lost beyond it: what nobody requests waits for the next day, and mails to accounts are sent", async () => {
      const day = 24 * 24 * 60;
      await api.setClock(later(day - 8 * 24 * 60));
      const owners = [await verified(api), await verified(api), await verified(api), await verified(api)];
      await api.setClock(later(day));
      const first = owners[0] as SignedUp;
      const envelope = (await send(first, { recipientEmail: "waits@example.com" })).body;
      for (const owner of owners) await mails(owner, 3);
      const files = form({ Contract: pdfFile() });
      expect((await api.anonymous().post(linkOf(envelope), files)).status).toBe(201);
      await api.anonymous().post("/api/password/forgot", { email: first.email });
      const to = async (address: string) => {
        await api.runJobs();
        return (await api.mails()).filter((mail) => mail.to === address).map(({ subject }) => subject);
      };
      expect(await to(first.email)).toEqual(
        expect.arrayContaining(["Choose a new password", expect.stringContaining("has sent the documents")]),
      );
      expect(await to("waits@example.com")).toHaveLength(1);
      await api.setClock(later(day + 24 * 60 + 1));
      expect(await to("waits@example.com")).toEqual([
        expect.any(String),
        expect.stringContaining("Received: "),
      ]);
    });

    test("go to the allowed countries only; what waits for another one is not sent, and says why", async () => {
      const owner = await verified(api);
      const text = { notificationPreference: "sms", recipientEmail: null };
      const rejected = await send(owner, { ...text, recipientPhone: "+41791234567" });
      expect([rejected.status, rejected.body.code]).toEqual([400, "sms_country"]);
      expect(rejected.body.message).toContain("+41791234567");
      const { status, body } = await send(owner, { ...text, recipientPhone: "+4915112345678" });
      expect(status).toBe(201);
      await api.finishBackgroundWork();
      expect((await api.texts()).at(-1)?.to).toBe("+4915112345678");
      await api.execute(`update envelopes set recipient_phone = '+41791234567' where id = ${body.id}`);
      await api.execute(
        `insert into notifications (user_id, envelope_id, kind, channel, recipient, payload, dedupe_key, created_at, next_attempt_at, status, attempts) select user_id, envelope_id, 'reminder', 'sms', '+41791234567', '{}', 'reminder:test', created_at, created_at, 'queued', 0 from notifications where envelope_id = ${body.id}`,
      );
      await api.runJobs();
      expect((await api.texts()).map(({ to }) => to)).not.toContain("+41791234567");
      expect((await owner.get(`/api/requests/${body.id}/notifications`)).body.at(-1)).toMatchObject({
        status: "cancelled",
        lastError: "Text messages to this country are not possible here",
      });
    });

    test("new accounts together send a quarter of the text messages", async () => {
      const codes: unknown[] = [];
      for (let index = 0; index < 4; index += 1) {
        const text = { notificationPreference: "sms", recipientEmail: null };
        const phone = { recipientPhone: `+491511234567${index}` };
        codes.push((await send(await verified(api), { ...text, ...phone })).body.code);
      }
      // One was sent above.
      expect(codes).toEqual([undefined, undefined, "sending_paused", "sending_paused"]);
    });
  },
);
