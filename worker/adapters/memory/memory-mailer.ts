import type { Mail, Mailer } from "../../ports/mailer";
import { requireBareAddress } from "../shared/mailbox";

/** For tests: keeps what was sent, in order; `failWith` makes the next deliveries fail until it is null. */
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
