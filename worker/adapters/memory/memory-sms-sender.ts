import type { Sms, SmsSender } from "../../ports/sms-sender";

/** For tests: keeps what was sent, in order; `failWith` makes the next deliveries fail until it is null. */
export type MemorySmsSender = SmsSender & { sent: Sms[]; failWith: Error | null };

export function createMemorySmsSender(): MemorySmsSender {
  const sender: MemorySmsSender = {
    sent: [],
    failWith: null,
    async send(sms) {
      if (sender.failWith) throw sender.failWith;
      sender.sent.push(sms);
    },
  };
  return sender;
}
