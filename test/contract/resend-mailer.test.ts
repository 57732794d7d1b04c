import { afterAll, beforeEach, expect, test } from "bun:test";
import { parseMailbox } from "../../worker/adapters/shared/mailbox";
import { createResendMailer } from "../../worker/adapters/shared/resend-mailer";
import { startGateway } from "../support/servers/http-gateway";
import { failureOf, inLowerCase, mailerSuite, SAMPLE_MAIL } from "./mailer-suite";

const gateway = startGateway();
const mailer = createResendMailer({ apiKey: "re_key", url: `${gateway.url}/` });
const accept = gateway.respond;

afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.respond = accept;
  gateway.requests.length = 0;
});

mailerSuite("Resend", async () => ({
  mailer,
  async received() {
    return gateway.requests.splice(0).map((request) => {
      const { from, to, reply_to, headers, attachments, ...content } = JSON.parse(request.body);
      return {
        ...content,
        recipients: to,
        from: parseMailbox(from),
        replyTo: reply_to,
        images: attachments.map((image: Record<string, string>) => ({
          contentId: image.content_id,
          mimeType: image.content_type,
          inline: image.content_id !== undefined,
          base64: image.content,
        })),
        messageId: headers["Message-ID"],
        headers: inLowerCase(headers),
      };
    });
  },
  close: () => {},
}));

test("each mail goes to /emails with the key, and with the message id as its idempotency key", async () => {
  await mailer.send(SAMPLE_MAIL);
  const [request] = gateway.requests;
  expect(request).toMatchObject({ method: "POST", path: "/emails" });
  expect(request?.headers.get("authorization")).toBe("Bearer re_key");
  expect(request?.headers.get("idempotency-key")).toBe(SAMPLE_MAIL.messageId);
});

test("a rejected mail fails permanently; a busy, failing or misconfigured gateway is retried", async () => {
  for (const [status, permanent, outage] of [
    [422, true, false],
    [400, true, false],
    [401, false, false],
    [409, false, false],
    [429, false, false],
    [500, false, true],
  ] as const) {
    gateway.respond = () => Response.json({ message: "no" }, { status });
    const failure = await failureOf(mailer.send(SAMPLE_MAIL));
    expect(failure.options).toEqual({ permanent, outage, answered: !outage });
    expect(failure.message).toContain(`answered ${status}`);
  }
});

test("a gateway's Retry-After is respected", async () => {
  gateway.respond = () => new Response(null, { status: 429, headers: { "Retry-After": "30" } });
  expect((await failureOf(mailer.send(SAMPLE_MAIL))).options).toMatchObject({
    permanent: false,
    outage: false,
    retryAfterSeconds: 30,
  });
});

test("an unreachable gateway is retried", async () => {
  const gone = startGateway();
  await gone.stop();
  const lost = createResendMailer({ apiKey: "re_key", url: gone.url });
  expect((await failureOf(lost.send(SAMPLE_MAIL))).options).toEqual({ permanent: false, outage: true });
});

test("a redirect is not followed, because the key would go with it", async () => {
  const elsewhere = startGateway();
  gateway.respond = () => Response.redirect(`${elsewhere.url}/emails`, 307);
  await failureOf(mailer.send(SAMPLE_MAIL));
  expect(elsewhere.requests).toEqual([]);
  await elsewhere.stop();
});
