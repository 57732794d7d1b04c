import { mergeWaiting } from "../../../db/queries/notification-claims";
import type { Notification } from "../../../db/queries/notifications";
import type { User } from "../../../db/queries/users";
import { isForRecipient, NOTIFICATION_KINDS } from "../../contract/notifications";
import type { Dependencies } from "../../dependencies";
import { hashToken } from "../../lib/tokens";
import { RATE_RULES } from "../rate-limits/rate-rules";
import { KINDS } from "./notification-kinds";

type Proof = Pick<User, "isVerified" | "verifiedByOwner">;

/** Whether the mail must not go to the account's address, because it may be somebody else's. */
export function isWithheld(
  { config, mailer }: Dependencies,
  { kind, payload }: Pick<Notification, "kind" | "payload">,
  user: Proof | undefined,
): boolean {
  if (isForRecipient(kind) || mailer.localOnly || !config.limitsRates) return false;
  const { needs } = KINDS[kind];
  if (needs === "nothing") return false;
  // To an address that the account no longer has when the mail is sent.
  if (NOTIFICATION_KINDS[kind].payload.some((key) => key === "unproved"))
    return payload.unproved !== undefined;
  return user !== undefined && !user.verifiedByOwner && !(needs === "verified" && user.isVerified);
}

/**
 * Lets one mail of a merged kind to an address pass in an hour, with the number of those that wait for the same, which it
 * replaces. A retry has passed before.
 * @returns the notification to send, or in how many seconds the next one may be
 */
export async function passGate(
  { db, clock, rateLimiter, log, takeTurn }: Dependencies,
  notification: Notification,
  recipient: string,
): Promise<Notification | { retryAfterSeconds: number }> {
  const { id, kind, attempts } = notification;
  if (isForRecipient(kind) || KINDS[kind].repeats === "each" || attempts > 1) return notification;
  const verdict = await rateLimiter.hit(RATE_RULES.accountMails, `${kind}:${await hashToken(recipient)}`);
  if (!verdict.allowed) return verdict;
  // Where attempts are not counted, each is sent.
  if (verdict.remaining === undefined) return notification;
  const payload = await mergeWaiting(db, notification, clock.now().toISOString(), takeTurn);
  if (payload?.more) log.info("notifications merged", { id, kind, more: payload.more });
  return payload ? { ...notification, payload } : notification;
}
