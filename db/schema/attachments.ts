import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, partOf, timestamp } from "./columns";
import { bulkSends, envelopeDocuments } from "./envelopes";
import { series } from "./series";
import { templates } from "./templates";
import { workspaces } from "./workspaces";

/** Forms that recipients download and fill in. */
export const attachments = sqliteTable(
  "attachments",
  {
    id: id(),
    workspaceId: partOf(() => workspaces.id),
    /** The file's key in the store. An envelope that moves to another workspace gets rows there with the same files. */
    filePath: text().notNull(),
    fileName: text().notNull(),
    fileSize: integer().notNull(),
    mimeType: text().notNull(),
    sha256: text().notNull(),
    createdAt: timestamp().notNull(),
    /** When it was created, last taken off an entry, or last seen on one: what is on none a while later is deleted. */
    releasedAt: timestamp().notNull(),
  },
  (t) => [
    index("attachments_workspace").on(t.workspaceId, t.fileSize),
    index("attachments_file").on(t.filePath),
    index("attachments_released").on(t.releasedAt),
  ],
);

/** What has attachments in its entries. One that is in none of these rows is deleted after a while. */
export const attachmentUses = sqliteTable(
  "attachment_uses",
  {
    attachmentId: integer()
      .notNull()
      .references(() => attachments.id),
    envelopeDocumentId: integer().references(() => envelopeDocuments.id, { onDelete: "cascade" }),
    templateId: integer().references(() => templates.id, { onDelete: "cascade" }),
    bulkId: integer().references(() => bulkSends.id, { onDelete: "cascade" }),
    seriesId: integer().references(() => series.id, { onDelete: "cascade" }),
  },
  (t) => [
    index("attachment_uses_attachment").on(t.attachmentId),
    index("attachment_uses_document").on(t.envelopeDocumentId),
    index("attachment_uses_template").on(t.templateId),
    index("attachment_uses_bulk").on(t.bulkId),
    index("attachment_uses_series").on(t.seriesId).where(sql`series_id is not null`),
  ],
);
