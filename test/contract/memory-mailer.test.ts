import { createMemoryMailer } from "../../worker/adapters/memory/memory-mailer";
import { parseMailbox, singleLine } from "../../worker/adapters/shared/mailbox";
import { mailerSuite } from "./mailer-suite";

mailerSuite("memory", async () => {
  const mailer = createMemoryMailer();
  return {
    mailer,
    received: async () =>
      mailer.sent.splice(0).map(({ from, to, subject, ...mail }) => ({
        ...mail,
        recipients: [to],
        from: parseMailbox(from),
        subject: singleLine(subject),
        images: mail.images.map(({ fileName: _name, ...image }) => ({ ...image, inline: true })),
        headerNames: [],
      })),
    close: () => {},
  };
});
