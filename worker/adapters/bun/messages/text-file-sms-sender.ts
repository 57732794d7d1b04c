import type { Logger } from "../../../ports/logger";
import type { SmsSender } from "../../../ports/sms-sender";
import { firstLink, type MailFolder } from "./mail-folder";

/** Writes each text message as a `.txt` file next to the mails. Used when no SMS gateway is configured. */
export function createTextFileSmsSender(folder: MailFolder, log: Logger): SmsSender {
  return {
    async send(sms) {
      const file = await folder.add("txt", new TextEncoder().encode(`To: ${sms.to}\n\n${sms.text}\n`));
      log.info("sms written", { to: sms.to, file, link: firstLink(sms.text) });
    },
  };
}
