import { afterEach, beforeEach, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { type ApiResponse, describeApi, programOf, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, sendEnvelope } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { pdfFile } from "../support/files/files";
import { startGateway, type TestGateway } from "../support/servers/http-gateway";
import { waitFor } from "../support/wait";

const ALL = [
  "request.sent",
  "request.opened",
  "request.submitted",
  "request.returned",
  "request.accepted",
  "request.expired",
  "request.deleted",
  "notification.failed",
];
const PRIVATE = { variables: { WEBHOOK_ALLOW_PRIVATE: "on" } };
const START = "2026-03-14T09:26:53.000Z";
const after = (seconds: number) => new Date(Date.parse(START) + seconds * 1000).toISOString();
const DAY = 24 * 60 * 60;

/** The received messages, as JSON. */
const messages = ({ requests }: TestGateway) => requests.map(({ body }) => JSON.parse(body));
const types = (receiver: TestGateway) => messages(receiver).map(({ type }) => type);

async function create(
  client: SignedUp,
  receiver: TestGateway,
  more: object = {},
): Promise<ApiResponse["body"]> {
  const response = await client.post("/api/webhooks", { url: `${receiver.url}/in`, events: ALL, ...more });
  expect(response.status).toBe(201);
  return response.body;
}

const isEnabled = async (client: SignedUp, id: number): Promise<boolean> =>
  (await client.get("/api/webhooks")).body.find((webhook: { id: number }) => webhook.id === id).enabled;

/** Changes the password so that the account's tokens and webhooks end. */
async function endAll(person: SignedUp): Promise<void> {
  const newPassword = "changed later";
  const passwords = { currentPassword: person.password, newPassword, confirmPassword: newPassword };
  const response = await person.post("/api/user/change-password", { ...passwords, revokeTokens: true });
  expect(response.status).toBeLessThan(300);
}

describeApi("webhooks", PRIVATE, (api) => {
  let receiver: TestGateway;
  beforeEach(async () => {
    await api.setClock(START);
    receiver = startGateway();
    receiver.respond = () => new Response("thanks");
  });
  afterEach(async () => {
    await api.execute("delete from webhooks");
    await receiver.stop();
  });

  test("the body of an event has the bulk send, the due date, and whether it is over", async () => {
    const alice = await api.signUp();
    await create(alice, receiver);
    const { body: bulk } = await alice.post("/api/requests/bulk", {
      envelope: { subject: "Papers", documents: [{ name: "Contract" }], dueDate: "2026-03-15" },
      recipients: [{ recipientName: "Rita", recipientEmail: "rita@example.com" }],
    });
    await api.finishBackgroundWork();
    await api.runJobs();
    const [{ id, submissionToken }] = (await alice.get(`/api/requests?bulkId=${bulk.id}`)).body;
    await api.setClock("2026-03-17T12:00:00.000Z");
    await api.anonymous().post(`/api/submissions/${submissionToken}/opened`);
    await api.finishBackgroundWork();
    const body = (type: string, overdue: boolean) => ({
      type,
      data: { id, bulkId: bulk.id, dueDate: "2026-03-15", overdue, submissionToken: null },
    });
    expect(messages(receiver)).toMatchObject([body("request.sent", false), body("request.opened", true)]);
  });

  test("a receiver gets every event in order, each message signed according to Standard Webhooks", async () => {
    const alice = await api.signUp();
    const { secret, ...webhook } = await create(alice, receiver);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await alice.get("/api/webhooks")).body).toEqual([webhook]);
    const envelope = await sendEnvelope(alice);
    const link = `/api/submissions/${envelope.submissionToken}`;
    await api.anonymous().post(`${link}/opened`);
    expect((await api.anonymous().post(link, form({ Contract: pdfFile() }))).status).toBe(201);
    const { body: submitted } = await alice.get(`/api/requests/${envelope.id}`);
    const documentId = submitted.documents[0].id;
    const review = `/api/requests/${envelope.id}/review`;
    await alice.post(review, { accept: [documentId] });
    await alice.post(review, { undo: [documentId] });
    await alice.post(review, { return: [{ documentId, reason: "blurry" }] });
    expect((await alice.delete(`/api/requests/${envelope.id}`)).status).toBe(204);
    await api.finishBackgroundWork();

    expect(types(receiver)).toEqual([
      "request.sent",
      "request.opened",
      "request.submitted",
      "request.accepted",
      "request.returned",
      "request.deleted",
    ]);
    for (const { headers, body, path } of receiver.requests) {
      expect(path).toBe("/in");
      const given = Object.fromEntries(headers);
      // The receiver does not use the test's clock.
      const verified = new Webhook(secret).sign(
        given["webhook-id"] ?? "",
        new Date(Number(given["webhook-timestamp"]) * 1000),
        body,
      );
      expect(given["webhook-signature"]).toBe(verified);
      expect(given["content-type"]).toBe("application/json");
    }
    const ids = receiver.requests.map(({ headers }) => headers.get("webhook-id"));
    expect(new Set(ids).size).toBe(6);
    for (const { timestamp, data } of messages(receiver)) {
      expect(timestamp).toBe(START);
      expect(data).toMatchObject({ id: envelope.id, title: envelope.title, submissionToken: null });
    }
    for (const { body } of receiver.requests) expect(body).not.toContain(envelope.submissionToken);
    const [, , message] = messages(receiver);
    expect(message.data.submissions[0].url).toBe(`${api.origin}${submitted.submissions[0].url}`);
    const { body: deliveries } = await alice.get(`/api/webhooks/${webhook.id}/deliveries`);
    expect(deliveries).toHaveLength(6);
    expect(deliveries[0]).toMatchObject({
      event: "request.deleted",
      status: "delivered",
      statusCode: 200,
      attempts: 1,
      // The request is deleted, and the answer may repeat it.
      response: null,
      nextAttemptAt: null,
    });
  });

  test("a webhook of somebody who owns the workspace no more is not told what was deleted there", async () => {
    const alice = await api.signUp();
    const bob = await joinAs(api, alice, "owner");
    for (const owner of [alice, bob]) await create(owner, receiver, { events: ["request.deleted"] });
    const envelope = await sendEnvelope(alice, { workspaceId: alice.workspaceId });
    receiver.respond = () => new Response("", { status: 503 });
    await alice.delete(`/api/requests/${envelope.id}`);
    await api.finishBackgroundWork();
    expect(receiver.requests).toHaveLength(2);
    await alice.delete(`/api/workspaces/${alice.workspaceId}/members/${bob.id}`);
    receiver.respond = () => new Response("thanks");
    await api.runJobs(after(10));
    const told = messages(receiver)
      .slice(2)
      .map(({ data }) => data);
    expect(told.map(({ title = null }) => title).sort()).toEqual([envelope.title, null].sort());
    expect(told.map(({ id }) => id)).toEqual([envelope.id, envelope.id]);
  });

  test("the package verifies a message by its own clock", async () => {
    await api.setClock(new Date().toISOString());
    const alice = await api.signUp();
    const { id, secret } = await create(alice, receiver);
    expect((await alice.post(`/api/webhooks/${id}/test`)).status).toBe(201);
    await api.finishBackgroundWork();
    const [{ headers, body } = { headers: new Headers(), body: "" }] = receiver.requests;
    const given = Object.fromEntries(headers);
    expect(new Webhook(secret).verify(body, given)).toMatchObject({ type: "webhook.test", data: {} });
    expect(() => new Webhook(secret).verify(`${body} `, given)).toThrow();
  });

  test("only the selected events of the selected workspace and account are sent", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const other = (await alice.post("/api/workspaces", { name: "Other" })).body.id;
    await create(alice, receiver, { events: ["request.sent"], workspaceId: other });
    const envelope = await sendEnvelope(alice, { workspaceId: other });
    await sendEnvelope(alice);
    await sendEnvelope(bob);
    await alice.post("/api/requests", { ...ENVELOPE, isDraft: true, workspaceId: other });
    await api.anonymous().post(`/api/submissions/${envelope.submissionToken}/opened`);
    await api.finishBackgroundWork();
    expect(messages(receiver).map(({ type, data }) => [type, data.id])).toEqual([
      ["request.sent", envelope.id],
    ]);
  });

  test("events from before a webhook was created, or while it was off, are not sent", async () => {
    const alice = await api.signUp();
    await sendEnvelope(alice);
    const { id } = await create(alice, receiver);
    const off = await alice.patch(`/api/webhooks/${id}`, { enabled: false });
    expect(off.body.enabled).toBe(false);
    await sendEnvelope(alice);
    expect(await alice.post(`/api/webhooks/${id}/test`)).toMatchObject({
      status: 409,
      body: { code: "webhook_off" },
    });
    await alice.patch(`/api/webhooks/${id}`, { enabled: true });
    await api.runJobs(after(60));
    expect(types(receiver)).toEqual([]);
    const { id: later } = await sendEnvelope(alice);
    await api.finishBackgroundWork();
    expect(messages(receiver).map(({ data }) => data.id)).toEqual([later]);
  });

  test("an expiry and a failed message are events", async () => {
    const alice = await api.signUp();
    await create(alice, receiver, { events: ["request.expired", "notification.failed"] });
    const envelope = await sendEnvelope(alice, { expirationDate: "2026-03-15" });
    await api.finishBackgroundWork();
    await api.execute(
      `insert into notifications (user_id, envelope_id, kind, channel, recipient, payload, dedupe_key, attempts, next_attempt_at, created_at)
         values (${alice.id}, ${envelope.id}, 'reminder', 'email', 'x@example.com', '{}', 'given-up', 8, '${START}', '${START}')`,
    );
    await api.runJobs(after(60));
    await api.runJobs(after(3 * DAY));
    expect(types(receiver)).toEqual(["notification.failed", "request.expired"]);
    const [failed, expired] = messages(receiver);
    expect(failed.data).toMatchObject({
      id: envelope.id,
      notification: { kind: "reminder", status: "failed" },
    });
    expect(expired.data).toMatchObject({ id: envelope.id, status: "expired" });
  });

  test("a receiver that was down gets every event, an envelope's in their order", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, receiver);
    receiver.respond = () => new Response("broken", { status: 500 });
    const envelope = await sendEnvelope(alice);
    await api.anonymous().post(`/api/submissions/${envelope.submissionToken}/opened`);
    await api.finishBackgroundWork();
    const deliveries = async () => (await alice.get(`/api/webhooks/${id}/deliveries`)).body;
    expect((await deliveries()).at(-1)).toMatchObject({
      status: "pending",
      attempts: 1,
      statusCode: 500,
      response: "broken",
      failure: "status",
      nextAttemptAt: after(5),
    });
    for (const minutes of [1, 2, 20, 60]) await api.runJobs(after(minutes * 60));
    expect(new Set(types(receiver))).toEqual(new Set(["request.sent"]));
    expect((await alice.get("/api/webhooks")).body[0].failingSince).toBe(START);
    receiver.requests.length = 0;
    receiver.respond = () => new Response("fine");
    await api.runJobs(after(4 * 60 * 60));
    expect(types(receiver)).toEqual(["request.sent", "request.opened"]);
    expect((await deliveries()).map(({ status }: { status: string }) => status)).toEqual([
      "delivered",
      "delivered",
    ]);
    expect((await alice.get("/api/webhooks")).body[0].failingSince).toBeNull();
  });

  test("a delivery fails after eight attempts within a day, and can be sent again", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, receiver);
    receiver.respond = () => new Response(null, { status: 503 });
    await sendEnvelope(alice);
    await api.finishBackgroundWork();
    const found = async () => (await alice.get(`/api/webhooks/${id}/deliveries`)).body[0];
    let last = START;
    for (let tries = 1; tries < 8; tries += 1) {
      const { attempts, nextAttemptAt } = await found();
      expect(attempts).toBe(tries);
      last = nextAttemptAt;
      await api.runJobs(nextAttemptAt);
    }
    expect(Date.parse(last) - Date.parse(START)).toBeWithin(20 * 3600_000, 26 * 3600_000);
    const given = await found();
    expect(given).toMatchObject({ status: "failed", attempts: 8, statusCode: 503, nextAttemptAt: null });
    expect(receiver.requests).toHaveLength(8);
    expect(new Set(receiver.requests.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);

    receiver.respond = () => new Response("at last");
    const again = await alice.post(`/api/webhooks/${id}/deliveries/${given.id}/redeliver`);
    expect(again).toMatchObject({ status: 200, body: { status: "pending", attempts: 0 } });
    await api.finishBackgroundWork();
    expect(await found()).toMatchObject({ status: "delivered", attempts: 1, response: "at last" });
  });

  test("a webhook that fails for five days is switched off, and its owner is notified once", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, receiver);
    receiver.respond = () => new Response(null, { status: 500 });
    for (let day = 0; day <= 7; day += 1) {
      await api.setClock(after(day * DAY));
      await sendEnvelope(alice);
      for (const seconds of [10, 60, 600, 3600, 3 * 3600, 9 * 3600, 23.9 * 3600])
        await api.runJobs(after(day * DAY + seconds));
    }
    const { body } = await alice.get("/api/webhooks");
    expect(body).toMatchObject([{ id, enabled: false }]);
    const mails = (await api.mails()).filter(
      ({ to, subject }) => to === alice.email && subject.includes("switched off"),
    );
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(`${api.origin}/integrations`);
    const statuses = await api.select("select distinct status, failure from webhook_deliveries");
    expect(statuses.map(({ status }) => status)).toEqual(statuses.map(() => "failed"));
  }, 240_000);

  test("the enabled owners of a workspace are told that its webhook was switched off, not a creator who left", async () => {
    await api.setClock(START);
    const creator = await api.signUp();
    const { workspaceId } = creator;
    const owner = await joinAs(api, creator, "owner");
    const member = await joinAs(api, creator, "member");
    await create(creator, receiver, { workspaceId });
    await creator.delete(`/api/workspaces/${workspaceId}/members/${creator.id}`);
    receiver.respond = () => new Response(null, { status: 500 });
    for (let day = 0; day <= 7; day += 1) {
      await api.setClock(after(day * DAY));
      await sendEnvelope(owner, { workspaceId });
      for (const seconds of [10, 60, 600, 3600, 3 * 3600, 9 * 3600, 23.9 * 3600])
        await api.runJobs(after(day * DAY + seconds));
    }
    const told = (await api.mails())
      .filter(({ subject }) => subject.includes("switched off"))
      .map(({ to }) => to);
    expect([creator, owner, member].map(({ email }) => told.filter((to) => to === email).length)).toEqual([
      0, 1, 0,
    ]);
  }, 240_000);

  test("a workspace's webhook goes on without its creator once another owner gives it a new secret", async () => {
    // The package verifies a message by its own clock.
    await api.setClock(new Date().toISOString());
    const creator = await api.signUp();
    const { workspaceId } = creator;
    const owner = await joinAs(api, creator, "owner");
    const { id, secret } = await create(creator, receiver, { workspaceId, events: ["request.sent"] });
    const sends = async (expected: number) => {
      const before = receiver.requests.length;
      await sendEnvelope(owner, { workspaceId });
      await api.finishBackgroundWork();
      expect(receiver.requests.length - before).toBe(expected);
    };
    await api.execute(`update users set disabled_at = '${START}' where id = ${creator.id}`);
    await sends(1);
    await api.execute(`update users set disabled_at = null where id = ${creator.id}`);
    await creator.delete(`/api/workspaces/${workspaceId}/members/${creator.id}`);
    await sends(0);
    const [webhook] = (await owner.get("/api/webhooks")).body;
    expect(webhook).toMatchObject({ id, enabled: false, needsNewSecret: true });
    const { secret: other, ...switchedOn } = (await owner.patch(`/api/webhooks/${id}`, { enabled: true }))
      .body;
    expect(switchedOn).toMatchObject({ enabled: true, needsNewSecret: false });
    await endAll(creator);
    await sends(1);
    const { headers, body } = receiver.requests.at(-1) ?? { headers: new Headers(), body: "" };
    const given = Object.fromEntries(headers);
    expect(() => new Webhook(other).verify(body, given)).not.toThrow();
    expect(() => new Webhook(secret).verify(body, given)).toThrow();
    expect((await owner.patch(`/api/webhooks/${id}`, { enabled: true })).body.secret).toBeUndefined();
  });

  test("a workspace's webhook that another owner redirected ends with their token and their reset", async () => {
    const creator = await api.signUp();
    const { workspaceId } = creator;
    const owner = await joinAs(api, creator, "owner");
    const { id } = await create(creator, receiver, { workspaceId });
    const token = (await owner.post("/api/tokens", { name: "Script", scope: "write" })).body;
    const url = `${receiver.url}/elsewhere`;
    expect((await programOf(api, token.token).patch(`/api/webhooks/${id}`, { url })).status).toBe(200);
    expect((await owner.delete(`/api/tokens/${token.id}`)).status).toBe(204);
    expect(await isEnabled(creator, id)).toBe(false);
    await owner.patch(`/api/webhooks/${id}`, { url: `${receiver.url}/again`, enabled: true });
    expect(await isEnabled(creator, id)).toBe(true);
    await endAll(owner);
    expect(await isEnabled(creator, id)).toBe(false);
  });

  test("a redirect is not followed, and only the beginning of an endless or malformed response is stored", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, receiver, { events: ["request.sent"] });
    const newest = async () => (await alice.get(`/api/webhooks/${id}/deliveries`)).body[0];
    receiver.respond = () => Response.redirect(`${receiver.url}/elsewhere`);
    await alice.post(`/api/webhooks/${id}/test`);
    await api.finishBackgroundWork();
    expect(await newest()).toMatchObject({ statusCode: 302, failure: "status" });
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/in"]);

    let sent = 0;
    receiver.respond = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 1;
            controller.enqueue(new TextEncoder().encode("x".repeat(16 * 1024)));
          },
        }),
      );
    await alice.post(`/api/webhooks/${id}/deliveries/${(await newest()).id}/redeliver`);
    await api.finishBackgroundWork();
    expect(await newest()).toMatchObject({ status: "delivered", response: "x".repeat(1024) });
    expect(sent).toBeLessThan(1000);

    receiver.respond = () => new Response("\0\ud800<script>", { headers: { "content-length": "7" } });
    await alice.post(`/api/webhooks/${id}/test`);
    await api.finishBackgroundWork();
    expect((await newest()).attempts).toBe(1);
  });

  test("after a rotation the old secret also signs for a day", async () => {
    const alice = await api.signUp();
    const first = await create(alice, receiver);
    const rotated = await alice.post(`/api/webhooks/${first.id}/rotate`);
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).not.toBe(first.secret);
    const signatures = async (time: string) => {
      await api.setClock(time);
      receiver.requests.length = 0;
      await alice.post(`/api/webhooks/${first.id}/test`);
      await api.finishBackgroundWork();
      const [{ headers, body } = { headers: new Headers(), body: "" }] = receiver.requests;
      const sign = (secret: string) =>
        new Webhook(secret).sign(headers.get("webhook-id") ?? "", new Date(time), body);
      const given = headers.get("webhook-signature")?.split(" ");
      return [first.secret, rotated.body.secret].map((secret) => given?.includes(sign(secret)));
    };
    expect(await signatures(after(60))).toEqual([true, true]);
    expect(await signatures(after(DAY + 60))).toEqual([false, true]);
    await api.runJobs(after(DAY + 3600));
    const secrets = JSON.stringify(await api.select("select * from webhooks"));
    expect([secrets.includes(first.secret), secrets.includes(rotated.body.secret)]).toEqual([false, true]);
  });

  test("only its owner can use a webhook and its deliveries, and its secret is returned once", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const { id, secret } = await create(alice, receiver);
    await alice.post(`/api/webhooks/${id}/test`);
    await api.finishBackgroundWork();
    const { body } = await alice.get(`/api/webhooks/${id}/deliveries`);
    for (const [method, path] of [
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/test"],
      ["POST", "/rotate"],
      ["GET", "/deliveries"],
      ["POST", `/deliveries/${body[0].id}/redeliver`],
    ] as const)
      expect(
        (await bob.send(method, `/api/webhooks/${id}${path}`, method === "PATCH" ? {} : undefined)).status,
      ).toBe(404);
    const second = await create(alice, receiver);
    expect((await alice.post(`/api/webhooks/${second.id}/deliveries/${body[0].id}/redeliver`)).status).toBe(
      404,
    );
    for (const text of [(await alice.get("/api/webhooks")).text, JSON.stringify(await api.logs())])
      expect(text).not.toContain(secret);
  });

  test("an account has at most 20 webhooks, even if many are created concurrently", async () => {
    const alice = await api.signUp();
    const responses = await Promise.all(
      Array.from({ length: 25 }, () => alice.post("/api/webhooks", { url: receiver.url, events: ALL })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(responses.find(({ status }) => status === 409)?.body.code).toBe("account_full");
  });

  test("all 20 webhooks of an account get the first attempt at once, three at a time, and delay nobody else's", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const held = Promise.withResolvers<void>();
    receiver.respond = async () => {
      await held.promise;
      return new Response("late");
    };
    for (let count = 0; count < 20; count += 1) await create(alice, receiver);
    const { id } = await sendEnvelope(alice);
    await waitFor("three messages", async () => receiver.requests.length === 3 || undefined);
    const other = startGateway();
    await create(bob, other);
    await sendEnvelope(bob);
    await waitFor("the other account's message", async () => other.requests.length === 1 || undefined);
    expect(receiver.requests).toHaveLength(3);
    held.resolve();
    await api.finishBackgroundWork();
    await other.stop();
    expect(messages(receiver).map(({ type, data }) => [type, data.id])).toEqual(
      Array.from({ length: 20 }, () => ["request.sent", id]),
    );
    const tried = await api.select(
      "select status, attempts, count(*) as n from webhook_deliveries group by 1, 2",
    );
    expect(tried).toEqual([{ status: "delivered", attempts: 1, n: 21 }]);
  });

  test("a receiver that was slow three times waits behind all others", async () => {
    const clients = [await api.signUp(), await api.signUp()] as const;
    const [slow, quick] = clients;
    const { id } = await create(slow, receiver);
    const late = await create(slow, receiver, { description: "quick" });
    await create(quick, receiver);
    await api.execute(`update webhooks set slow_tries = 3 where id = ${id}`);
    const insert = (webhookId: number, userId: number, name: string) =>
      api.execute(
        `insert into webhook_deliveries (webhook_id, user_id, message_id, event, at, next_attempt_at, created_at)
           with recursive n(i) as (select 1 union all select i + 1 from n where i < 8)
           select ${webhookId}, ${userId}, '${name}' || i, 'webhook.test', '${START}', '${START}', '${START}' from n`,
      );
    await insert(id, slow.id, "slow");
    await insert(late.id, slow.id, "late");
    const [{ id: own } = { id: 0 }] = (await quick.get("/api/webhooks")).body;
    await insert(own, quick.id, "quick");
    await api.runJobs(after(60));
    const order = receiver.requests.map(({ headers }) => headers.get("webhook-id")?.replace(/\d+$/, ""));
    expect(order).toHaveLength(24);
    expect(order.filter((name) => name !== "slow").slice(0, 8)).toContain("quick");
    // Free slots may be used for it as soon as the last of the others are being sent.
    expect(order.indexOf("slow")).toBeGreaterThanOrEqual(16 - 6);
    const [webhook] = await api.select(`select slow_tries from webhooks where id = ${id}`);
    expect(webhook).toEqual({ slow_tries: 0 });
  });

  test("10,000 deliveries to a dead receiver delay neither mail nor another receiver", async () => {
    const alice = await api.signUp();
    const dead = await create(alice, receiver, { url: "http://127.0.0.1:9/", events: ["request.deleted"] });
    await api.execute(
      `insert into webhook_deliveries (webhook_id, user_id, message_id, event, at, next_attempt_at, created_at)
         with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
         select ${dead.id}, ${alice.id}, 'dead' || i, 'request.deleted', '${START}', '${START}', '${START}' from n`,
    );
    await create(alice, receiver, { events: ["request.sent"] });
    const mails = (await api.mails()).length;
    await sendEnvelope(alice);
    await api.finishBackgroundWork();
    expect((await api.mails()).length).toBeGreaterThan(mails);
    expect(types(receiver)).toEqual(["request.sent"]);
    const tried = await api.select("select sum(attempts) as tries from webhook_deliveries");
    expect(Number(tried[0]?.tries)).toBeLessThan(10);
  });

  test("a delivery that runs while its webhook is switched off is not retried after it is switched on", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, receiver);
    const arrived = Promise.withResolvers<void>();
    const switchedOff = Promise.withResolvers<void>();
    receiver.respond = async () => {
      arrived.resolve();
      await switchedOff.promise;
      return new Response("broken", { status: 500 });
    };
    expect((await alice.post(`/api/webhooks/${id}/test`)).status).toBe(201);
    const sending = api.finishBackgroundWork();
    await arrived.promise;
    expect((await alice.patch(`/api/webhooks/${id}`, { enabled: false })).status).toBe(200);
    switchedOff.resolve();
    await sending;
    const { body } = await alice.get(`/api/webhooks/${id}/deliveries`);
    expect(body).toMatchObject([{ status: "failed", failure: "switched_off", nextAttemptAt: null }]);
    await alice.patch(`/api/webhooks/${id}`, { enabled: true });
    await api.runJobs(after(3600));
    expect(receiver.requests).toHaveLength(1);
  });

  test("much that waits for webhooks that end is cancelled in parts, and none of it is sent when they are on again", async () => {
    const alice = await api.signUp();
    const [first, second, third] = [
      await create(alice, receiver),
      await create(alice, receiver),
      await create(alice, receiver),
    ];
    await api.execute(
      `insert into webhook_deliveries (webhook_id, user_id, message_id, event, envelope_id, at, next_attempt_at, created_at)
         with recursive n(i) as (select 1 union all select i + 1 from n where i < 1200)
         select webhooks.id, user_id, hex(randomblob(16)), 'request.deleted', i, '${START}', '${START}', '${START}' from webhooks, n`,
    );
    await api.execute(
      `insert into webhook_snapshots (envelope_id, user_id, data, created_at) select distinct envelope_id, ${alice.id}, '{}', '${START}' from webhook_deliveries`,
    );
    const waiting = () =>
      api.select(
        "select webhook_id as id, count(*) as count from webhook_deliveries where status = 'pending' group by 1",
      );
    await alice.patch(`/api/webhooks/${first.id}`, { enabled: false });
    expect(await waiting()).toEqual([
      { id: second.id, count: 1200 },
      { id: third.id, count: 1200 },
    ]);
    await endAll(alice);
    await alice.patch(`/api/webhooks/${second.id}`, { enabled: true });
    expect(await waiting()).not.toContainEqual({ id: second.id, count: expect.anything() });
    await api.runJobs(after(7200));
    await api.finishBackgroundWork();
    expect([await waiting(), await api.select("select * from webhook_snapshots")]).toEqual([[], []]);
    expect(receiver.requests).toEqual([]);
    expect((await alice.delete(`/api/webhooks/${second.id}`)).status).toBe(204);
    const left = "select distinct webhook_id as id, status, failure from webhook_deliveries order by 1";
    const ended = { status: "failed", failure: "switched_off" };
    expect(await api.select(left)).toEqual([
      { id: first.id, ...ended },
      { id: third.id, ...ended },
    ]);
  });

  test("no test delivery stays queued for a webhook that is switched off concurrently", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, receiver);
    for (let round = 0; round < 5; round++) {
      await alice.patch(`/api/webhooks/${id}`, { enabled: true });
      const [tested] = await Promise.all([
        alice.post(`/api/webhooks/${id}/test`),
        alice.patch(`/api/webhooks/${id}`, { enabled: false }),
      ]);
      expect([tested.status, tested.body.code]).toBeOneOf([
        [201, undefined],
        [409, "webhook_off"],
      ]);
      await api.finishBackgroundWork();
      expect(await api.select("select id from webhook_deliveries where status = 'pending'")).toEqual([]);
    }
  });

  test("deliveries are deleted after 30 days", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, receiver);
    const { id: envelope } = await sendEnvelope(alice);
    await alice.delete(`/api/requests/${envelope}`);
    await api.finishBackgroundWork();
    expect((await alice.get(`/api/webhooks/${id}/deliveries?limit=1`)).body).toHaveLength(1);
    for (const days of [29, 31, 32]) await api.runJobs(after(days * DAY));
    expect(await api.select("select * from webhook_deliveries")).toEqual([]);
  });

  test("of a webhook, the latest thousand deliveries stay, and the latest ten thousand that wait", async () => {
    const alice = await api.signUp();
    const { id } = await create(alice, receiver);
    const add = (count: number, status: string) =>
      api.execute(
        `insert into webhook_deliveries (webhook_id, user_id, message_id, event, at, status, created_at) select ${id}, user_id, hex(randomblob(16)), 'webhook.test', '${START}', '${status}', '${START}'
         from webhooks, (with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n) where webhooks.id = ${id}`,
      );
    await add(1200, "delivered");
    await add(9900, "pending");
    await add(300, "delivered");
    const counts = () =>
      api.select("select status, count(*) as n from webhook_deliveries group by status order by status");
    await api.runJobs(after(60 * 60));
    expect(await counts()).toEqual([
      { status: "delivered", n: 300 },
      { status: "pending", n: 9700 },
    ]);
  });
});

describeApi("addresses of webhooks", (api) => {
  const add = async (url: string) =>
    (await api.signUp()).post("/api/webhooks", { url, events: ["request.sent"] });

  test.each([
    "http://example.com/",
    "ftp://example.com/",
    "https://user:password@example.com/",
    "https://localhost/",
    "https://printer/",
    "https://metadata.google.internal/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://10.1.2.3/",
    "https://172.31.0.1/",
    "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://100.64.0.1/",
    "https://0.0.0.0/",
    "https://255.255.255.255/",
    "https://[::1]/",
    "https://[::]/",
    "https://[fe80::1]/",
    "https://[fd00::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "not a url",
    "",
    `https://example.com/${"x".repeat(2000)}`,
  ])("%s is rejected", async (url) => {
    const { status, body } = await add(url);
    expect([status, body.issues[0].path]).toEqual([400, "url"]);
  });

  const PUBLIC = ["https://example.com/in?x=1", "https://[2606:4700::1111]:8443/", "https://93.184.216.34/"];
  test.each(PUBLIC)("%s is accepted", async (url) => {
    const { status, body } = await add(url);
    expect([status, body.url]).toEqual([201, url]);
  });
});
