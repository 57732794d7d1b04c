import { findSender, listUnsubscribed, updateUnsubscribed } from "../../../db/queries/unsubscribe-links";
import type { User } from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { hashOfRecipient, type Message } from "./message-limits";

/** Since when the recipients with these addresses do not want mails from the account; the others are not in it. */
export type Unsubscribed = ReadonlyMap<string, string>;

/** An account whose mails recipients may have stopped. */
export type MailSender = Pick<User, "id" | "hasUnsubscribers">;

/** Which of the addresses do not want mails from the account. */
export async function findUnsubscribed(
  { db }: Pick<Dependencies, "db">,
  { id, hasUnsubscribers }: MailSender,
  addresses: readonly (string | null)[],
): Promise<Unsubscribed> {
  const found = new Map<string, string>();
  if (!hasUnsubscribers) return found;
  const times = await listUnsubscribed(db, id);
  for (const address of new Set(addresses)) {
    const at = address && times.get(await hashOfRecipient(address));
    if (at) found.set(address, at);
  }
  return found;
}

/**
 * Rejects messages that would all be mails to somebody who does not want them. Those to be sent beside others are
 * cancelled when they are due.
 * @throws AppError `recipient_unsubscribed`
 */
export async function requireReachable(
  deps: Dependencies,
  user: MailSender,
  messages: readonly Message[],
): Promise<void> {
  const mails = messages.filter(({ channel }) => channel === "email");
  const [mail] = mails;
  if (!mail || mails.length < messages.length) return;
  const unsubscribed = await findUnsubscribed(deps, user, [mail.recipient]);
  if (unsubscribed.has(mail.recipient))
    throw appError("recipient_unsubscribed", { params: { recipient: mail.recipient } });
}

/** The account whose mails the link stops, as the recipient sees it. @throws AppError `invalid_token` with status 404 */
export async function requireSender({ db }: Dependencies, token: string) {
  const row = await findSender(db, token);
  if (!row) throw appError("invalid_token", { status: 404 });
  const { unsubscribedAt, brandName, ...sender } = row;
  return { sender, brandName, unsubscribedAt };
}

/** Stops the mails of the link's sender to its recipient, or allows them again. @throws AppError like `requireSender` */
export async function setUnsubscribed(deps: Dependencies, token: string, unsubscribed: boolean) {
  const at = unsubscribed ? deps.clock.now().toISOString() : null;
  await updateUnsubscribed(deps.db, token, at);
  const current = await requireSender(deps, token);
  deps.log.info(unsubscribed ? "mails stopped" : "mails allowed again");
  return current;
}
