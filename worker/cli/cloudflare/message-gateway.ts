import { serve } from "bun";
import type { Mail, Mailer } from "../../ports/mailer";
import type { SmsSender } from "../../ports/sms-sender";

type Senders = { mailer: Mailer; smsSender: SmsSender };

/** A local stand-in for the gateways that a Worker sends through. */
export type MessageGateway = { url: string; stop(): Promise<void> };

/**
 * Accepts mail like Resend and text messages like Twilio, and passes them to Bun's senders: files in a folder, or a
 * mail server. A Worker under development has neither a disk nor SMTP.
 */
export function startMessageGateway({ mailer, smsSender }: Senders): MessageGateway {
  const server = serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/emails") await mailer.send(mailOf(await request.json()));
      else await smsSender.send(smsOf(new URLSearchParams(await request.text())));
      return Response.json({ id: crypto.randomUUID() }, { status: 201 });
    },
    error: (error) => new Response(error.message, { status: 502 }),
  });
  return { url: server.url.origin, stop: () => server.stop(true) };
}

type ResendMail = {
  from: string;
  to: [string];
  reply_to?: string;
  subject: string;
  text: string;
  html: string;
  attachments: { content_id: string; filename: string; content_type: string; content: string }[];
  headers: { "Message-ID": string };
};

function mailOf({ from, to: [to], reply_to, subject, text, html, attachments, headers }: ResendMail): Mail {
  const images = attachments.map(({ content_id, filename, content_type, content }) => ({
    contentId: content_id,
    fileName: filename,
    mimeType: content_type,
    base64: content,
  }));
  const mail = { from, to, subject, text, html, images, messageId: headers["Message-ID"] };
  return reply_to ? { ...mail, replyTo: reply_to } : mail;
}

const smsOf = (form: URLSearchParams) => ({ to: form.get("To") ?? "", text: form.get("Body") ?? "" });
