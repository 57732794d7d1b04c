import type { Sms, SmsSender } from "../../../worker/ports/sms-sender";

/** For tests: collects sent messages in order. While `failWith` is set, deliveries fail with it. */
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
