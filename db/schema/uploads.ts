import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment, id as rowId } from "./columns";
import { envelopeDocuments, envelopes } from "./envelopes";

/**
 * Files that a recipient uploads and has not submitted yet, complete or not. The requestor never sees them; submitting
 * turns them into submissions.
 */
export const uploads = sqliteTable(
  "uploads",
  {
    /** Ordered by start of the upload. */
    rowId: rowId(),
    /** Random, and the last segment of the upload's URL. */
    id: text().notNull().unique(),
    envelopeId: integer()
      .notNull()
      .references(() => envelopes.id, { onDelete: "cascade" }),
    requestDocumentId: integer()
      .notNull()
      .references(() => envelopeDocuments.id, { onDelete: "cascade" }),
    /** The file name on the recipient's device. */
    fileName: text().notNull(),
    /** The total size in bytes, declared when the upload was created. */
    fileSize: integer().notNull(),
    /** The Upload-Metadata header as received. */
    metadata: text().notNull(),
    /** The file's key in the store. */
    filePath: text().notNull().unique(),
    /** The number of bytes on stable storage. */
    offset: integer().notNull().default(0),
    /** The store's own state to continue the file, such as its parts. */
    storeState: text().notNull().default(""),
    /** The first bytes in base64, until there are enough to detect the file type. */
    sample: text(),
    mimeType: text(),
    sha256: text(),
    /** When a complete file that could not be scanned is scanned next. */
    scanDueAt: moment(),
    createdAt: moment().notNull(),
    /** When the last byte arrived. The upload expires a fixed time later. */
    lastByteAt: moment().notNull(),
    /** When the complete file was stored, checked and scanned. */
    completedAt: moment(),
    /** The request that currently writes the file, and until when it may. */
    lockedBy: text(),
    lockedUntil: moment(),
  },
  (t) => [
    index("uploads_envelope").on(t.envelopeId, t.requestDocumentId),
    index("uploads_request_document").on(t.requestDocumentId),
    index("uploads_last_byte").on(t.lastByteAt),
  ],
);
