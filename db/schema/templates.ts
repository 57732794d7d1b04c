import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DocumentEntry } from "../../worker/contract/documents";
import type { Language, NotificationPreference, ReminderFrequency } from "../../worker/contract/options";
import { id, partOf, timestamp, updatedBy } from "./columns";
import { users } from "./users";
import { workspaces } from "./workspaces";

/** A requested document of a template. One that was stored before a field existed lacks that field. */
export type StoredDocumentEntry = Partial<DocumentEntry> & Pick<DocumentEntry, "name">;

export const templates = sqliteTable(
  "templates",
  {
    id: id(),
    userId: partOf(() => users.id),
    workspaceId: partOf(() => workspaces.id),
    name: text().notNull(),
    description: text(),
    fields: text({ mode: "json" }).$type<StoredDocumentEntry[]>().notNull(),
    createdAt: timestamp().notNull(),
    /** The default is that of the migration, which then fills it in. */
    updatedAt: timestamp().notNull().default("1970-01-01T00:00:00.000Z"),
    updatedBy: updatedBy(),
    /** What an envelope from this template starts with; null leaves it to the wizard. */
    subject: text(),
    message: text(),
    language: text().$type<Language>(),
    notificationPreference: text().$type<NotificationPreference>(),
    reminderFrequency: text().$type<ReminderFrequency>(),
    reminderDays: text({ mode: "json" }).$type<number[]>(),
    /** Days from the day of sending to the due date, and to the last day of the link. */
    dueInDays: integer(),
    expiresInDays: integer(),
    /** What lists sort by, see `textKey`, and the folded name, which `filter` reads; null until they are filled. */
    nameKey: text(),
    filterText: text(),
  },
  (t) => [
    index("templates_user").on(t.userId),
    index("templates_in_workspace").on(t.workspaceId),
    index("templates_name").on(t.workspaceId, t.nameKey),
    index("templates_unfilled").on(t.id).where(sql`filter_text is null`),
    index("templates_updated_by").on(t.updatedBy).where(sql`updated_by is not null`),
  ],
);
