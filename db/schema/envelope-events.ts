import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { id, moment } from "./columns";
import { envelopes } from "./envelopes";
import { users } from "./users";

/**
 * The audit log of an envelope: who did what, when and from where. Rows are only ever added, in the batch of the
 * change itself, and are deleted with their envelope.
 */
export const envelopeEvents = sqliteTable(
  "envelope_events",
  {
    id: id(),
    envelopeId: integer("request_id")
      .notNull()
      .references(() => envelopes.id, { onDelete: "cascade" }),
    /** The account that acted; null for the recipient and the service. */
    userId: integer().references(() => users.id, { onDelete: "cascade" }),
    kind: text().$type<EnvelopeEventKind>().notNull(),
    actor: text().$type<EnvelopeActor>().notNull(),
    /** The client address, in the form that rate limits count; null for the service. */
    address: text(),
    /** Details of the event, such as the downloaded document or the new expiration date. */
    detail: text(),
    at: moment().notNull(),
  },
  (t) => [
    index("envelope_events_request").on(t.envelopeId),
    index("envelope_events_user").on(t.userId),
    uniqueIndex("envelope_events_opened").on(t.envelopeId).where(sql`kind = 'opened'`),
  ],
);

/** `service` means scheduled jobs: expiry and file deletion. */
export type EnvelopeActor = "requestor" | "recipient" | "service";

export type EnvelopeEventKind =
  | "created"
  | "sent"
  | "updated"
  | "opened"
  | "submitted"
  | "expired"
  | "extended"
  | "downloaded"
  | "accepted"
  | "returned"
  | "undone"
  | "reminded"
  | "resent"
  | "files_deleted"
  | "infected";
