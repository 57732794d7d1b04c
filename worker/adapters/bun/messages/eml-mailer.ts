import { createTransport } from "nodemailer";
import type { Logger } from "../../../ports/logger";
import type { Mailer } from "../../../ports/mailer";
import { firstLink, type MailFolder } from "./mail-folder";
import { mimeMail } from "./mime-mail";

/** Writes each mail as an `.eml` file and logs its link. Used when no mail server is configured. */
export function createEmlMailer(folder: MailFolder, log: Logger): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    localOnly: true,
    async send(mail) {
      const { message } = await transport.sendMail(mimeMail(mail));
      if (!Buffer.isBuffer(message)) throw new Error("The mail was not built in memory");
      const file = await folder.add("eml", message);
      log.info("mail written", { to: mail.to, subject: mail.subject, file, link: firstLink(mail.text) });
    },
  };
}
