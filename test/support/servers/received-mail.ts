import PostalMime from "postal-mime";
import type { ReceivedMail } from "../../contract/mailer-suite";

/** Parses a mail's source. `recipients` are those of the envelope if there was one. */
export async function parseMail(source: Uint8Array, recipients?: string[]): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(source);
  return {
    recipients: recipients ?? (mail.to ?? []).map(({ address }) => address ?? ""),
    from: { name: mail.from?.name ?? "", address: mail.from?.address ?? "" },
    replyTo: mail.replyTo?.[0]?.address,
    subject: mail.subject ?? "",
    text: mail.text ?? "",
    html: mail.html ?? "",
    images: mail.attachments.map(({ contentId = "", mimeType, disposition, content }) => ({
      contentId: contentId.replace(/^<|>$/g, ""),
      mimeType,
      inline: disposition === "inline",
      base64: Buffer.from(content as ArrayBuffer).toString("base64"),
    })),
    messageId: mail.messageId ?? "",
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
  };
}
