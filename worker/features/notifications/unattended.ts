import type { Notification } from "../../../db/queries/notifications";
import type { Dependencies } from "../../dependencies";
import { sendingRules } from "../../lib/rate-rules";
import { recipientKey } from "../../lib/recipient-key";
import type { RateVerdict } from "../../ports/rate-limiter";

/**
 * Counts a message to a recipient that nobody is waiting for: a scheduled reminder, a notice, a receipt. Where the
 * recipient has had as many as one account may send in an hour, it waits for the next one. What a person sends was
 * counted when it was asked for.
 */
export async function countUnattended(
  { config, rateLimiter }: Dependencies,
  { userId, kind, dedupeKey, attempts, recipient }: Notification,
): Promise<RateVerdict> {
  const scheduled = kind === "reminder" && dedupeKey.startsWith("reminder:");
  const counts = scheduled || kind === "expiring" || kind === "receipt";
  if (!counts || attempts > 1 || userId === null) return { allowed: true };
  return rateLimiter.hit(sendingRules(config).messagesToRecipient, recipientSubject(userId, recipient));
}

/** What messages from one account to one recipient are counted under. */
export const recipientSubject = (userId: number, recipient: string) => `${userId}:${recipientKey(recipient)}`;
