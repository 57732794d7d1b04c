import { expect, test } from "bun:test";
import type { EmailMessageBuilder } from "@cloudflare/workers-types";
import { createSendEmailMailer, unsetMailer, unsetSmsSender } from "../../worker/adapters/cloudflare/senders";
import { failureOf, inLowerCase, mailerSuite, SAMPLE_MAIL } from "./mailer-suite";

let sent: EmailMessageBuilder[] = [];
let failWith: Error | undefined;
const binding = {
  async send(message: unknown) {
    if (failWith) throw failWith;
    sent.push(message as EmailMessageBuilder);
    return { messageId: "<made-by-cloudflare@example.com>" };
  },
};
const mailer = createSendEmailMailer(binding);

mailerSuite("send_email binding", async () => ({
  mailer,
  async received() {
    const taken = sent;
    sent = [];
    return taken.map(
      ({ from, to, replyTo, subject, text = "", html = "", headers = {}, attachments = [] }) => ({
        recipients: [to].flat().map(String),
        from:
          typeof from === "string" ? { name: "", address: from } : { name: from.name, address: from.email },
        replyTo: typeof replyTo === "string" ? replyTo : undefined,
        subject,
        text,
        html,
        images: attachments.map(({ contentId = "", type, disposition, content }) => ({
          contentId,
          mimeType: type,
          inline: disposition === "inline",
          base64: String(content),
        })),
        messageId: headers["X-Entity-Ref-ID"] ?? "",
        headers: inLowerCase(headers),
      }),
    );
  },
  close: () => {},
}));

test("a rejected mail fails permanently; any other failure is an outage and retried", async () => {
  for (const [code, permanent] of [
    ["E_VALIDATION_ERROR", true],
    ["E_RECIPIENT_SUPPRESSED", true],
    ["E_SENDER_NOT_VERIFIED", false],
    ["E_DAILY_LIMIT_EXCEEDED", false],
    ["E_INTERNAL_SERVER_ERROR", false],
  ] as const) {
    failWith = Object.assign(new Error("no"), { code });
    expect((await failureOf(mailer.send(SAMPLE_MAIL))).options).toMatchObject({
      permanent,
      outage: !permanent,
    });
  }
  failWith = undefined;
});

test("without a binding queued mails wait, and their error says what to configure", async () => {
  const mail = await failureOf(unsetMailer.send(SAMPLE_MAIL));
  expect([mail.message, mail.options.permanent]).toEqual([expect.stringContaining("RESEND_API_KEY"), false]);
  const sms = await failureOf(unsetSmsSender.send({ to: "+15551234567", text: "Hello" }));
  expect([sms.message, sms.options.permanent]).toEqual([expect.stringContaining("TWILIO_FROM"), false]);
});

test("Cloudflare gets no List-Unsubscribe without https, which it would reject", async () => {
  sent = [];
  await mailer.send({ ...SAMPLE_MAIL, unsubscribeUrl: "http://localhost:3000/api/unsubscribe/abc" });
  expect(sent[0]?.headers).toEqual({ "X-Entity-Ref-ID": SAMPLE_MAIL.messageId });
});
