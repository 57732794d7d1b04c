import { requireBareAddress } from "../../../worker/adapters/shared/mailbox";
import type { Mail, Mailer } from "../../../worker/ports/mailer";

/** For tests: collects sent mails in order. While `failWith` is set, deliveries fail with it, or only those to `failTo`. */
export type MemoryMailer = Mailer & {
  localOnly: boolean;
  sent: Mail[];
  failWith: Error | null;
  failTo?: string | undefined;
};

export function createMemoryMailer(): MemoryMailer {
  const mailer: MemoryMailer = {
    localOnly: false,
    sent: [],
    failWith: null,
    async send(mail) {
      requireBareAddress(mail.to);
      if (mailer.failWith && mail.to === (mailer.failTo ?? mail.to)) throw mailer.failWith;
      mailer.sent.push(mail);
    },
  };
  return mailer;
}
