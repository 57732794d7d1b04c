import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { WebhookEvent } from "../../worker/contract/envelope-events";
import type { DELIVERY_STATUSES, WebhookFailure } from "../../worker/contract/webhooks";
import { apiTokens } from "./api-tokens";
import { flag, id, indexedText, partOf, timestamp } from "./columns";
import { users } from "./users";
import { workspaces } from "./workspaces";

/** URLs that are notified of an account's events. */
export const webhooks = sqliteTable(
  "webhooks",
  {
    id: id(),
    userId: partOf(() => users.id),
    /** Only its events; null for those of all workspaces. */
    workspaceId: integer().references(() => workspaces.id, { onDelete: "cascade" }),
    url: text().notNull(),
    events: text({ mode: "json" }).$type<WebhookEvent[]>().notNull(),
    description: text(),
    /** `whsec_` and a key in base64. Not hashed, because each message is signed with it. */
    secret: text().notNull(),
    /** The secret before the last rotation, which also signs until then. */
    previousSecret: text(),
    previousSecretUntil: timestamp(),
    /** Who created it or last changed its address. Not a foreign key, as below. */
    madeBy: integer(),
    /** Who was shown the secret; null if they are gone, so that whoever switches it on needs another secret. */
    secretSeenBy: integer(),
    enabled: flag().notNull().default(true),
    /**
     * The API token that made it, or last changed its address, switched it on or replaced its secret: it ends with that
     * token. Null if a signed-in user did.
     */
    apiTokenId: integer().references(() => apiTokens.id, { onDelete: "set null" }),
    /** Consecutive failed attempts, and since when. */
    failures: integer().notNull().default(0),
    failingSince: timestamp(),
    /** Consecutive slow attempts. */
    slowTries: integer().notNull().default(0),
    /** No delivery is attempted before this time. */
    pausedUntil: timestamp(),
    /** The last event before the webhook was created. */
    sinceEventId: integer().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (t) => [
    index("webhooks_user").on(t.userId),
    index("webhooks_workspace").on(t.workspaceId),
    index("webhooks_token").on(t.apiTokenId).where(sql`api_token_id is not null`),
    index("webhooks_enabled").on(t.enabled, t.pausedUntil),
  ],
);

/** Each event for each webhook: the outbox of the webhooks, and their history. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    id: id(),
    webhookId: partOf(() => webhooks.id),
    userId: partOf(() => users.id),
    /** The same for each attempt, so that a receiver recognises a duplicate. */
    messageId: text().notNull().unique(),
    event: text().$type<WebhookEvent | "webhook.test">().notNull(),
    /** Null for a test. Not a foreign key, because a deletion is an event too. */
    envelopeId: integer(),
    notificationId: integer(),
    fileDeliveryId: integer(),
    documentId: integer(),
    /** The time of the event. */
    at: timestamp().notNull(),
    status: indexedText().$type<(typeof DELIVERY_STATUSES)[number]>().notNull().default("pending"),
    attempts: integer().notNull().default(0),
    nextAttemptAt: timestamp(),
    claimedBy: text(),
    claimedUntil: timestamp(),
    statusCode: integer(),
    durationMs: integer(),
    /** The beginning of the last response. */
    response: text(),
    failure: text().$type<WebhookFailure>(),
    createdAt: timestamp().notNull(),
  },
  (t) => [
    index("webhook_deliveries_webhook").on(t.webhookId, t.id),
    index("webhook_deliveries_user").on(t.userId),
    // Claims read this index alone, to find the first that is due among thousands that are not.
    index("webhook_deliveries_due")
      .on(t.webhookId, t.id, t.nextAttemptAt, t.claimedUntil, t.envelopeId)
      .where(sql`status = 'pending'`),
    index("webhook_deliveries_envelope").on(t.envelopeId, t.webhookId, t.status),
    index("webhook_deliveries_created").on(t.createdAt),
  ],
);

/** The last event for which deliveries were created: one row. */
export const webhookCursors = sqliteTable("webhook_cursors", {
  id: integer().primaryKey(),
  eventId: integer().notNull(),
});

/** Deleted envelopes as they were, while a delivery refers to them: a long one only with its workspace, and its text in parts. */
export const webhookSnapshots = sqliteTable(
  "webhook_snapshots",
  {
    envelopeId: integer().primaryKey(),
    userId: partOf(() => users.id),
    data: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    createdAt: timestamp().notNull(),
  },
  (t) => [index("webhook_snapshots_user").on(t.userId), index("webhook_snapshots_created").on(t.createdAt)],
);

export const webhookSnapshotParts = sqliteTable(
  "webhook_snapshot_parts",
  {
    envelopeId: partOf(() => webhookSnapshots.envelopeId),
    part: integer().notNull(),
    text: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.envelopeId, t.part] })],
);
