import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PauseReason } from "../../worker/contract/series";
import type { IfOpen, SeriesUnit, Weekend } from "../../worker/contract/series-days";
import { id, partOf, timestamp, updatedBy } from "./columns";
import { users } from "./users";
import { workspaces } from "./workspaces";

/** Requests that are sent again and again: each occurrence creates a bulk send. */
export const series = sqliteTable(
  "series",
  {
    id: id(),
    workspaceId: partOf(() => workspaces.id),
    /** The account that it is sent under; null once that has left, which pauses it. */
    userId: integer().references(() => users.id, { onDelete: "set null" }),
    /** Whom its envelopes are assigned to; null for the account of `userId`. */
    assigneeId: integer().references(() => users.id, { onDelete: "set null" }),
    /** The client address of the call, for the events of the envelopes. */
    address: text().notNull(),
    name: text().notNull(),
    /** What all envelopes have in common, as the call validated it. */
    envelope: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    every: integer().notNull(),
    unit: text().$type<SeriesUnit>().notNull(),
    startOn: text().notNull(),
    sendHour: integer().notNull(),
    weekend: text().$type<Weekend>().notNull(),
    endOn: text(),
    times: integer(),
    ifOpen: text().$type<IfOpen>().notNull(),
    /** The number of the occurrence on `startOn`; not 1 once the days were changed. */
    startNumber: integer().notNull().default(1),
    nextNumber: integer().notNull().default(1),
    /** The day of the next occurrence, and when it is due; null if there is none. */
    nextOn: text(),
    /** Null while it is paused. */
    dueAt: timestamp(),
    /** Since when a sending limit has kept the next occurrence from being sent. */
    limitedSince: timestamp(),
    paused: text().$type<PauseReason>(),
    pausedAt: timestamp(),
    /** Of its envelope and its recipients; they count in the quota of `userId`. */
    textBytes: integer().notNull().default(0),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    updatedBy: updatedBy(),
  },
  (t) => [
    index("series_due").on(t.dueAt, t.id).where(sql`due_at is not null`),
    index("series_workspace").on(t.workspaceId),
    index("series_user").on(t.userId),
    index("series_assignee").on(t.assigneeId),
  ],
);

/** Whom each occurrence is sent to. */
export const seriesRecipients = sqliteTable(
  "series_recipients",
  {
    id: id(),
    seriesId: partOf(() => series.id),
    /** Not a foreign key: who was a contact and is none any more fails, rather than gets what an old row says. */
    contactId: integer(),
    /** As the call validated it. */
    recipient: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  },
  (t) => [
    index("series_recipients_series").on(t.seriesId),
    index("series_recipients_contact").on(t.contactId).where(sql`contact_id is not null`),
  ],
);
