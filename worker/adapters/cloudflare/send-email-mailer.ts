import type { SendEmail } from "@cloudflare/workers-types";
import { DeliveryError, type Mailer } from "../../ports/mailer";
import { parseMailbox, requireBareAddress, singleLine, unsubscribeHeaders } from "../shared/mailbox";

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
          });
        });
    },
  };
}

function isPermanent(error: unknown): boolean {
  return error instanceof Error && PERMANENT.test(`${"code" in error ? error.code : ""} ${error.message}`);
}
