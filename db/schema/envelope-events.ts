import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { id, moment } from "./columns";
import { envelopes } from "./envelopes";
import { users } from "./users";

/**
 * Who did what to an envelope, when and from where: rows that are only ever added, each in the batch of the change
 * it tells of, and that go with their envelope alone.
 */
export const envelopeEvents = sqliteTable(
  "envelope_events",
  {
    id: id(),
    envelopeId: integer("request_id")
      .notNull()
      .references(() => envelopes.id, { onDelete: "cascade" }),
    /** The account that did it; null for the recipient and for the schedule. */
    userId: integer().references(() => users.id, { onDelete: "cascade" }),
    kind: text().$type<EnvelopeEventKind>().notNull(),
    actor: text().$type<EnvelopeActor>().notNull(),
    /** Where it came from, as rate limits count addresses; null for the service. */
    address: text(),
    /** What the kind leaves open: the document downloaded, the day the envelope was extended to. */
    detail: text(),
    at: moment().notNull(),
  },
  (t) => [
    index("envelope_events_request").on(t.envelopeId),
    index("envelope_events_user").on(t.userId),
    uniqueIndex("envelope_events_opened").on(t.envelopeId).where(sql`kind = 'opened'`),
  ],
);

/** The service is what time starts: expiry, and the deletion of files. */
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
  | "reminded"
  | "resent"
  | "files_deleted"
  | "infected";
