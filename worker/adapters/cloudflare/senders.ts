import type { SendEmail } from "@cloudflare/workers-types";
import type { Variables } from "../../config";
import { DeliveryError, type Mailer } from "../../ports/mailer";
import type { SmsSender } from "../../ports/sms-sender";
import { parseMailbox, requireBareAddress, singleLine, unsubscribeHeaders } from "../shared/mailbox";
import { createResendMailer } from "../shared/resend-mailer";
import { configuredSmsSender } from "../shared/twilio-sms-sender";
import type { Bindings } from "./bindings";

/** Mail through Resend if it has a key, otherwise through the binding; text messages through Twilio. */
export function openSenders(
  variables: Variables,
  { MAIL }: Pick<Bindings, "MAIL">,
): { mailer: Mailer; smsSender: SmsSender } {
  const { RESEND_API_KEY, RESEND_API_URL } = variables;
  return {
    mailer: RESEND_API_KEY
      ? createResendMailer({ apiKey: RESEND_API_KEY, url: RESEND_API_URL })
      : MAIL
        ? createSendEmailMailer(MAIL)
        : unsetMailer,
    smsSender: configuredSmsSender(variables) ?? unsetSmsSender,
  };
}

/** Reported as an outage, so that messages of the last two days are sent once the setting exists. */
const unset = (setting: string) => async () => {
  throw new DeliveryError(`Sending is not configured: set ${setting}`, {
    permanent: false,
    outage: true,
    unset: true,
  });
};

/** Used if no mail can be sent: the notification stores the reason. */
export const unsetMailer: Mailer = {
  localOnly: true,
  send: unset("RESEND_API_KEY, or bind MAIL (see README)"),
};

/** Used if no text message can be sent: the notification stores the reason. */
export const unsetSmsSender: SmsSender = {
  send: unset("TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM"),
};

/** Cloudflare error codes for messages that no retry makes acceptable. */
const PERMANENT = /E_(?:VALIDATION|FIELD|HEADER|RECIPIENT_SUPPRESSED|CONTENT_TOO_LARGE)/;

/** Sends mail through the account's `send_email` binding. */
export function createSendEmailMailer(binding: SendEmail): Mailer {
  return {
    async send(mail) {
      const { name, address } = parseMailbox(mail.from);
      const to = requireBareAddress(mail.to);
      const replyTo = mail.replyTo && requireBareAddress(mail.replyTo);
      await binding
        .send({
          from: name ? { name, email: address } : address,
          to,
          ...(replyTo && { replyTo }),
          subject: singleLine(mail.subject),
          text: mail.text,
          html: mail.html,
          attachments: mail.images.map(({ contentId, fileName, mimeType, base64 }) => ({
            disposition: "inline" as const,
            contentId,
            filename: fileName,
            type: mimeType,
            content: base64,
          })),
          // Cloudflare sets the Message-ID itself; this header still identifies a duplicate delivery.
          headers: {
            "X-Entity-Ref-ID": mail.messageId,
            // Cloudflare rejects the whole mail if the URL is not https.
            ...(mail.unsubscribeUrl?.startsWith("https:") && unsubscribeHeaders(mail)),
          },
        })
        .catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          const permanent = isPermanent(error);
          throw new DeliveryError(`The mail binding rejected the message: ${reason}`, {
            permanent,
            outage: !permanent,
            answered: permanent,
          });
        });
    },
  };
}

function isPermanent(error: unknown): boolean {
  return error instanceof Error && PERMANENT.test(`${"code" in error ? error.code : ""} ${error.message}`);
}
