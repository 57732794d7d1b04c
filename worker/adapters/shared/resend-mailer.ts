import type { Mailer } from "../../ports/mailer";
import { postToGateway } from "./http-gateway";
import { parseMailbox, requireBareAddress, singleLine, unsubscribeHeaders } from "./mailbox";

/** The key of the gateway of `bun run dev:worker` that writes mails to a folder. */
export const FOLDER_KEY = "folder";

/** Sends mail through Resend's HTTP API, or a compatible one at `url`. */
export function createResendMailer(options: { apiKey: string; url: string }): Mailer {
  const endpoint = `${options.url.replace(/\/+$/, "")}/emails`;
  return {
    localOnly: options.apiKey === FOLDER_KEY,
    async send(mail) {
      const from = parseMailbox(mail.from);
      await postToGateway("The mail gateway", endpoint, {
        idempotent: true,
        headers: {
          Authorization: `Bearer ${options.apiKey}`,
          "Content-Type": "application/json",
          // Resend treats a retry of the same notification as the first request.
          "Idempotency-Key": mail.messageId,
        },
        body: JSON.stringify({
          from: from.name ? `"${from.name.replace(/["\\]/g, "")}" <${from.address}>` : from.address,
          to: [requireBareAddress(mail.to)],
          ...(mail.replyTo && { reply_to: requireBareAddress(mail.replyTo) }),
          subject: singleLine(mail.subject),
          text: mail.text,
          html: mail.html,
          attachments: mail.images.map(({ contentId, fileName, mimeType, base64 }) => ({
            content_id: contentId,
            filename: fileName,
            content_type: mimeType,
            content: base64,
          })),
          headers: { "Message-ID": mail.messageId, ...unsubscribeHeaders(mail) },
        }),
      });
    },
  };
}
