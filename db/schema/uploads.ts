import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment, id as rowId } from "./columns";
import { envelopeDocuments, envelopes } from "./envelopes";

/**
 * Files that a recipient has begun to upload, finished or not, and has not submitted yet. The requestor never sees
 * them; submitting turns them into submissions.
 */
export const uploads = sqliteTable(
  "uploads",
  {
    /** In the order in which they were begun. */
    rowId: rowId(),
    /** Random, and the last part of the upload's URL. */
    id: text().notNull().unique(),
    envelopeId: integer()
      .notNull()
      .references(() => envelopes.id, { onDelete: "cascade" }),
    requestDocumentId: integer()
      .notNull()
      .references(() => envelopeDocuments.id, { onDelete: "cascade" }),
    /** The name it has on the recipient's side. */
    fileName: text().notNull(),
    /** Its bytes in all, as announced when it was begun. */
    fileSize: integer().notNull(),
    /** The Upload-Metadata header, as it was sent. */
    metadata: text().notNull(),
    /** The file's name in the store. */
    filePath: text().notNull().unique(),
    /** How many bytes are on stable storage. */
    offset: integer().notNull().default(0),
    /** What the store needs to continue the file, such as the parts that it has; its own format. */
    storeState: text().notNull().default(""),
    /** The beginning of the file in base64, until there is enough of it to tell its type. */
    sample: text(),
    mimeType: text(),
    sha256: text(),
    /** When the scanner is asked next about a file that it could not scan. */
    scanDueAt: moment(),
    createdAt: moment().notNull(),
    /** When the last byte arrived; the upload expires a fixed time after it. */
    lastByteAt: moment().notNull(),
    /** When the whole file was stored, checked and scanned. */
    completedAt: moment(),
    /** The request that writes the file now, and until when it may. */
    lockedBy: text(),
    lockedUntil: moment(),
  },
  (t) => [
    index("uploads_envelope").on(t.envelopeId, t.requestDocumentId),
    index("uploads_request_document").on(t.requestDocumentId),
    index("uploads_last_byte").on(t.lastByteAt),
  ],
);
