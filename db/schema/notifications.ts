import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type {
  Channel,
  DeliveryFailure,
  NOTIFICATION_STATUSES,
  NotificationKind,
  NotificationPayload,
} from "../../worker/contract/notifications";
import { id, indexedText, partOf, timestamp } from "./columns";
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
    envelopeId: integer().references(() => envelopes.id, { onDelete: "cascade" }),
    kind: text().$type<NotificationKind>().notNull(),
    channel: text().$type<Channel>().notNull(),
    recipient: text().notNull(),
    /** Values for the text that are not in other rows. Cleared once sent, because they may contain a token, but for what is read later. */
    payload: text({ mode: "json" }).$type<NotificationPayload>().notNull(),
    /** Unique per event, so that the same message is never queued twice. */
    dedupeKey: text().notNull().unique(),
    status: indexedText().$type<(typeof NOTIFICATION_STATUSES)[number]>().notNull().default("queued"),
    attempts: integer().notNull().default(0),
    nextAttemptAt: timestamp().notNull(),
    claimedBy: text(),
    claimedUntil: timestamp(),
    /** The provider's error text. For the operator only, because it may name hosts. */
    lastError: text(),
    /** The kind of failure, safe to show to anybody. */
    failure: text().$type<DeliveryFailure>(),
    createdAt: timestamp().notNull(),
    sentAt: timestamp(),
  },
  (t) => [
    index("notifications_due").on(t.status, t.nextAttemptAt),
    index("notifications_waiting")
      // Not `ifnull`: drizzle-kit divides an expression at a comma.
      .on(t.channel, sql`(case when user_id is null then 0 else user_id end)`, t.nextAttemptAt)
      .where(sql`status = 'queued'`),
    index("notifications_envelope").on(t.envelopeId),
    index("notifications_user").on(t.userId),
    index("notifications_account").on(t.createdAt).where(sql`envelope_id is null`),
  ],
);

/**
 * The link by which a recipient stops the mails of an account, one for each pair. Every mail to the recipient contains
 * it, and their wish outlives the envelopes, so the address is stored as a hash.
 */
export const unsubscribeLinks = sqliteTable(
  "unsubscribe_links",
  {
    id: id(),
    userId: partOf(() => users.id),
    /** SHA-256 of the address in its canonical form. */
    recipientHash: text().notNull(),
    /** Known to the recipient only: the requestor could otherwise undo their wish. */
    token: text().notNull().unique(),
    createdAt: timestamp().notNull(),
    /** When the recipient stopped the mails; null while they are allowed. */
    unsubscribedAt: timestamp(),
  },
  (t) => [
    uniqueIndex("unsubscribe_links_recipient").on(t.userId, t.recipientHash),
    index("unsubscribe_links_stopped").on(t.userId).where(sql`unsubscribed_at is not null`),
  ],
);
