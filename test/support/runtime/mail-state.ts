import { DeliveryError } from "../../../worker/ports/mailer";
import type { MemoryMailer } from "../memory/memory-mailer";

/** `unset` is an instance without a mail server: a mail is only written to a folder. */
export type MailState = "works" | "unset" | "down" | "rejects";

const FAILURES: Record<MailState, DeliveryError | null> = {
  works: null,
  unset: null,
  down: new DeliveryError("connection refused", { permanent: false, outage: true }),
  rejects: new DeliveryError("550 no such user", { permanent: true }),
};

export function setMailState(mailer: MemoryMailer, state: MailState): void {
  mailer.localOnly = state === "unset";
  mailer.failWith = FAILURES[state];
}
