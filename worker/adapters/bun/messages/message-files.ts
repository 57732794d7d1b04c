import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../../ports/clock";
import type { Logger } from "../../../ports/logger";
import { DeliveryError, type Mailer } from "../../../ports/mailer";
import type { SmsSender } from "../../../ports/sms-sender";
import { writeDurably } from "../files/durable-file";
import { mimeMail } from "./mime-mail";

export type MailFolder = {
  /** Writes a message to a new file and returns its path. @throws DeliveryError */
  add(extension: "eml" | "txt", bytes: Uint8Array): Promise<string>;
};

/** Stores messages that cannot be sent in `mail/` under `folder`, with names sorted by time. */
export async function openMailFolder(
  folder: string,
  clock: Clock,
  requireSpace: (bytes: number) => Promise<void> = async () => {},
): Promise<MailFolder> {
  const path = join(folder, "mail");
  await mkdir(path, { recursive: true });
  return {
    async add(extension, bytes) {
      const time = clock.now().toISOString().replaceAll(":", "-");
      const name = `${time}-${crypto.randomUUID().slice(0, 8)}.${extension}`;
      const write = async () => {
        await requireSpace(bytes.byteLength);
        await writeDurably(path, name, bytes);
      };
      await write().catch((error: unknown) => {
        throw new DeliveryError(`${path} could not be written to: ${error}`, { permanent: false });
      });
      return join(path, name);
    },
  };
}

/** The first link in a text, for the developer's log. */
function firstLink(text: string): string | undefined {
  return /https?:\/\/[^\s<>"]+/.exec(text)?.[0];
}

/** Writes each mail as an `.eml` file and logs its link. Used when no mail server is configured. */
export function createEmlMailer(folder: MailFolder, log: Logger): Mailer {
  return {
    localOnly: true,
    async send(mail) {
      // Loaded by the first mail: it is a seventh of a server's start.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
      const { message } = await transport.sendMail(mimeMail(mail));
      if (!Buffer.isBuffer(message)) throw new Error("The mail was not built in memory");
      const file = await folder.add("eml", message);
      log.info("mail written", { file, link: firstLink(mail.text) });
    },
  };
}

/** Writes each text message as a `.txt` file next to the mails. Used when no SMS gateway is configured. */
export function createTextFileSmsSender(folder: MailFolder, log: Logger): SmsSender {
  return {
    async send(sms) {
      const file = await folder.add("txt", new TextEncoder().encode(`To: ${sms.to}\n\n${sms.text}\n`));
      log.info("sms written", { file, link: firstLink(sms.text) });
    },
  };
}
