import { afterAll, beforeEach, expect, test } from "bun:test";
import { createTwilioSmsSender } from "../../worker/adapters/shared/twilio-sms-sender";
import { startGateway } from "../support/servers/http-gateway";
import { failureOf } from "./mailer-suite";

const gateway = startGateway();
const accept = gateway.respond;
const sender = createTwilioSmsSender({
  accountSid: "AC123",
  authToken: "secret",
  from: "+15550001111",
  url: gateway.url,
});
const sms = { to: "+15551234567", text: "Ada asks for 2 documents – https://example.com/submit/abc" };

afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.respond = accept;
  gateway.requests.length = 0;
});

test("a text message is posted as a form to the account's messages, with its credentials", async () => {
  await sender.send(sms);
  const [request] = gateway.requests;
  expect(request).toMatchObject({ method: "POST", path: "/2010-04-01/Accounts/AC123/Messages.json" });
  expect(request?.headers.get("authorization")).toBe(`Basic ${btoa("AC123:secret")}`);
  expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
    To: sms.to,
    From: "+15550001111",
    Body: sms.text,
  });
});

test("a rejected number fails permanently; a busy or failing gateway is retried", async () => {
  for (const [status, permanent] of [
    [400, true],
    [401, false],
    [429, false],
    [503, false],
  ] as const) {
    gateway.respond = () => Response.json({ code: 21211 }, { status });
    expect((await failureOf(sender.send(sms))).options.permanent).toBe(permanent);
  }
});

test("what a gateway's proxy answers, or a broken connection, may mean that the message was accepted", async () => {
  for (const [status, unclear] of [
    [502, true],
    [504, true],
    [500, undefined],
    [429, undefined],
  ] as const) {
    gateway.respond = () => new Response(null, { status });
    const { options } = await failureOf(sender.send(sms));
    expect([status, options.unclear, options.retryAfterSeconds]).toEqual([
      status,
      unclear,
      unclear && 15 * 60,
    ]);
  }
  const closed = createTwilioSmsSender({
    accountSid: "AC123",
    authToken: "secret",
    from: "+15550001111",
    url: "http://127.0.0.1:1",
  });
  const { options } = await failureOf(closed.send(sms));
  expect([options.outage, options.unclear]).toEqual([true, undefined]);
});

test("a gateway's Retry-After is respected", async () => {
  gateway.respond = () => new Response(null, { status: 429, headers: { "Retry-After": "7" } });
  expect((await failureOf(sender.send(sms))).options.retryAfterSeconds).toBe(7);
});
