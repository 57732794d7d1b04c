import { parseMailbox, singleLine, unsubscribeHeaders } from "../../worker/adapters/shared/mailbox";
import { createMemoryMailer } from "../support/memory/memory-mailer";
import { inLowerCase, mailerSuite } from "./mailer-suite";

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
        headers: inLowerCase(unsubscribeHeaders({ ...mail, from, to, subject })),
      })),
    close: () => {},
  };
});
