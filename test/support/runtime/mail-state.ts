import { DeliveryError } from "../../../worker/ports/mailer";
import type { MemoryMailer } from "../memory/memory-mailer";

/** For whom a server in the state `drops` drops the connection. */
export const DROPPED = "dropped@example.com";

/** `unset` is an instance without a mail server: a mail is only written to a folder. */
export type MailState = "works" | "unset" | "down" | "drops" | "rejects";

const DOWN = new DeliveryError("connection refused", { permanent: false, outage: true });
const FAILURES: Record<MailState, DeliveryError | null> = {
  works: null,
  unset: null,
  down: DOWN,
  drops: DOWN,
  rejects: new DeliveryError("550 no such user", { permanent: true }),
};

export function setMailState(mailer: MemoryMailer, state: MailState): void {
  mailer.localOnly = state === "unset";
  mailer.failWith = FAILURES[state];
  mailer.failTo = state === "drops" ? DROPPED : undefined;
}
