import type { NotificationContext } from "../../../db/queries/notification-context";
import type { Notification } from "../../../db/queries/notifications";
import { INVITATION_DAYS } from "../../contract/administration";
import { DAY_MS, HOUR_MS } from "../../lib/durations";
import { isExpired } from "../../lib/expiration";

const LINK_LIFE_MS = {
  verification: 24 * HOUR_MS,
  password_reset: HOUR_MS,
  account_invitation: INVITATION_DAYS * DAY_MS,
};

/** Notices to an account about its envelopes and webhooks. They go to the address that it has when they are sent. */
const FOR_ACCOUNT: readonly Notification["kind"][] = [
  "submission",
  "expired",
  "infected",
  "deletion",
  "webhook_off",
];

export const isForAccount = (kind: Notification["kind"]) => FOR_ACCOUNT.includes(kind);

/** Notices to the account about changes made before it was disabled. */
const TO_DISABLED = new Set<Notification["kind"]>(["password_changed", "email_changed", "provider_linked"]);

/**
 * Why a queued notification must no longer be sent, or null. Between queueing and sending, the envelope may have been
 * completed, expired or readdressed, and a link may have expired.
 */
export function outdatedReason(
  { kind, channel, recipient, createdAt, envelopeId }: Notification,
  { envelope, user, announced }: NotificationContext,
  now: Date,
): string | null {
  if (kind === "account_deleted") return null;
  if (kind === "account_invitation")
    return isOver(createdAt, LINK_LIFE_MS.account_invitation, now) ? "Its link has expired" : null;
  if (!user || (envelopeId !== null && !envelope)) return "It no longer exists";
  if (user.disabledAt !== null && !TO_DISABLED.has(kind)) return "The account is disabled";
  switch (kind) {
    case "invitation":
    case "update":
    case "reminder":
    case "returned":
    case "expiring": {
      if (!envelope) return "It no longer exists";
      if (envelope.status === "completed") return "The envelope was already completed";
      if (isExpired(envelope, now)) return "The envelope had already expired";
      const address = channel === "email" ? envelope.customerEmail : envelope.recipientPhone;
      return address === recipient ? null : "The envelope has a different address now";
    }
    case "expired":
      return envelope?.status === "expired" ? null : "The envelope is no longer expired";
    case "deletion":
      return announced.length > 0 ? null : "The files stay, or are already deleted";
    case "verification":
      if (user.isVerified || user.email !== recipient) return "The address is already confirmed";
      return isOver(createdAt, LINK_LIFE_MS.verification, now) ? "Its link has expired" : null;
    case "password_reset":
      if (user.email !== recipient) return "The account has a different address now";
      return isOver(createdAt, LINK_LIFE_MS.password_reset, now) ? "Its link has expired" : null;
    default:
      return null;
  }
}

const isOver = (since: string, life: number, now: Date) => now.getTime() - Date.parse(since) >= life;
