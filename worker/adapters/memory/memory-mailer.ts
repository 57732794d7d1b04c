import type { Mail, Mailer } from "../../ports/mailer";
import { requireBareAddress } from "../shared/mailbox";

/** For tests: collects sent mails in order. While `failWith` is set, deliveries fail with it. */
export type MemoryMailer = Mailer & { sent: Mail[]; failWith: Error | null };

export function createMemoryMailer(): MemoryMailer {
  const mailer: MemoryMailer = {
    sent: [],
    failWith: null,
    async send(mail) {
      requireBareAddress(mail.to);
      if (mailer.failWith) throw mailer.failWith;
      mailer.sent.push(mail);
    },
  };
  return mailer;
}
