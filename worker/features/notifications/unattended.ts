import type { Notification } from "../../../db/queries/notifications";
import type { Dependencies } from "../../dependencies";
import { sendingRules } from "../../lib/rate-rules";
import { recipientKey } from "../../lib/recipient-key";
import type { RateVerdict } from "../../ports/rate-limiter";

/**
 * Counts a message to a recipient that no user has just requested: a scheduled reminder, a notice, a receipt. If the
 * hourly limit for the recipient is reached, it waits for the next hour. Messages that a user sends are counted in the
 * request.
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

/** The key under which messages from one account to one recipient are counted. */
export const recipientSubject = (userId: number, recipient: string) => `${userId}:${recipientKey(recipient)}`;
