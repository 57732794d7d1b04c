import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, timestamp } from "./columns";
import { workspaces } from "./workspaces";

/** Calls that send one envelope to many recipients. */
export const bulkSends = sqliteTable(
  "bulk_sends",
  {
    id: id(),
    workspaceId: integer()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    /** The account that called. Not a foreign key: the group outlives it. */
    createdBy: integer().notNull(),
    /** The client address of the call, for the events of the envelopes. */
    address: text().notNull(),
    subject: text().notNull(),
    /** What all envelopes have in common, as the call validated it; null once all of them exist. */
    envelope: text({ mode: "json" }).$type<Record<string, unknown>>(),
    total: integer().notNull(),
    createdAt: timestamp().notNull(),
    finishedAt: timestamp(),
  },
  (t) => [
    index("bulk_sends_workspace").on(t.workspaceId),
    index("bulk_sends_unfinished").on(t.id).where(sql`finished_at is null`),
  ],
);

/** The recipients of a bulk send by their index in the call, and what became of each. */
export const bulkRecipients = sqliteTable(
  "bulk_recipients",
  {
    bulkId: integer()
      .notNull()
      .references(() => bulkSends.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    /** `waiting` until the batch that creates the envelope or records the failure. */
    state: text().$type<"waiting" | "created" | "failed">().notNull(),
    /** As the call validated it; null once the envelope exists, which has it then. */
    recipient: text({ mode: "json" }).$type<Record<string, unknown>>(),
    /** The code and the message of the failure. */
    code: text(),
    message: text(),
  },
  (t) => [primaryKey({ columns: [t.bulkId, t.position] })],
);
