import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DeliveryFailure } from "../../worker/contract/notifications";
import { id, moment } from "./columns";
import { envelopes } from "./envelopes";
import { users } from "./users";

/**
 * The outbox. A row is written in the same batch as the change it reports. Senders claim rows first, so that two
 * processes never send the same one.
 */
export const notifications = sqliteTable(
  "notifications",
  {
    id: id(),
    /** The account on whose behalf it is sent; null if no account is involved. */
    userId: integer().references(() => users.id, { onDelete: "cascade" }),
    envelopeId: integer("request_id").references(() => envelopes.id, { onDelete: "cascade" }),
    kind: text().$type<NotificationKind>().notNull(),
    channel: text().$type<"email" | "sms">().notNull(),
    recipient: text().notNull(),
    /** Values for the text that are not in other rows. Cleared once sent, because they may contain a token. */
    payload: text({ mode: "json" }).$type<NotificationPayload>().notNull(),
    /** Unique per event, so that the same message is never queued twice. */
    dedupeKey: text().notNull().unique(),
    status: text().$type<"queued" | "sent" | "failed" | "cancelled">().notNull().default("queued"),
    attempts: integer().notNull().default(0),
    nextAttemptAt: moment().notNull(),
    claimedBy: text(),
    claimedUntil: moment(),
    /** The provider's error text. For the operator only, because it may name hosts. */
    lastError: text(),
    /** The kind of failure, safe to show to anybody. */
    failure: text().$type<DeliveryFailure>(),
    createdAt: moment().notNull(),
    sentAt: moment(),
  },
  (t) => [
    index("notifications_due").on(t.status, t.nextAttemptAt),
    index("notifications_request").on(t.envelopeId),
    index("notifications_user").on(t.userId),
    index("notifications_account").on(t.createdAt).where(sql`request_id is null`),
  ],
);

export type NotificationKind =
  | "invitation"
  | "update"
  | "reminder"
  | "returned"
  | "submission"
  | "receipt"
  | "expiring"
  | "expired"
  | "deletion"
  | "infected"
  | "verification"
  | "password_reset"
  | "password_changed"
  | "email_changed"
  | "provider_linked"
  | "account_deleted"
  | "webhook_off"
  | "account_invitation"
  | "support";

export type NotificationPayload = Record<string, string | number | null>;
