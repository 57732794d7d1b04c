import type { SendMailOptions } from "nodemailer";
import type { Mail } from "../../../ports/mailer";
import { parseMailbox, requireBareAddress, singleLine, unsubscribeHeaders } from "../../shared/mailbox";

/**
 * Converts a mail for nodemailer. The envelope is explicit and addresses are structured, so that no header text can
 * add a recipient.
 */
export function mimeMail(mail: Mail): SendMailOptions {
  const from = parseMailbox(mail.from);
  const to = requireBareAddress(mail.to);
  return {
    envelope: { from: from.address, to: [to] },
    from,
    to: { name: "", address: to },
    ...(mail.replyTo && { replyTo: { name: "", address: requireBareAddress(mail.replyTo) } }),
    subject: singleLine(mail.subject),
    text: mail.text,
    html: mail.html,
    // With a content id they become part of a multipart/related body rather than attachments.
    attachments: mail.images.map(({ contentId, fileName, mimeType, base64 }) => ({
      cid: contentId,
      filename: fileName,
      contentType: mimeType,
      content: base64,
      encoding: "base64",
      contentDisposition: "inline" as const,
    })),
    messageId: mail.messageId,
    headers: { "Auto-Submitted": "auto-generated", ...unsubscribeHeaders(mail) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
