import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, partOf, id as rowId, timestamp } from "./columns";
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
    envelopeId: partOf(() => envelopes.id),
    envelopeDocumentId: partOf(() => envelopeDocuments.id),
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
    scanDueAt: timestamp(),
    createdAt: timestamp().notNull(),
    /** When the last byte arrived. The upload expires a fixed time later. */
    lastByteAt: timestamp().notNull(),
    /** When the complete file was stored, checked and scanned. */
    completedAt: timestamp(),
    /** The request that currently writes the file, and until when it may. */
    lockedBy: text(),
    lockedUntil: timestamp(),
  },
  (t) => [
    index("uploads_envelope").on(t.envelopeId, t.envelopeDocumentId),
    index("uploads_envelope_document").on(t.envelopeDocumentId),
    index("uploads_last_byte").on(t.lastByteAt),
  ],
);

/**
 * Files to be deleted from the store. Written in the batch that deletes their rows, and removed once the store has
 * deleted them.
 */
export const fileDeletions = sqliteTable("file_deletions", {
  /** The file's key in the store. */
  key: text().primaryKey(),
  removedAt: timestamp().notNull(),
  /** The store's id of an unfinished upload; null for a complete file. */
  storeState: text(),
});

/**
 * Running uploads. A lease exists before the first byte is stored and is deleted in the batch that records the files,
 * so a stored file that neither a row nor a lease references can never be recorded any more.
 */
export const uploadLeases = sqliteTable(
  "upload_leases",
  {
    /** Random. */
    id: text().primaryKey(),
    /** A prefix of the keys of its files: an upload's id, or empty for every key. */
    keyPrefix: text().notNull(),
    /** The envelope and the account that the files are for. No foreign keys: the upload ends by itself. */
    envelopeId: integer(),
    userId: integer(),
    /** What it counts towards the quotas: the bytes received, and some that are expected. */
    bytes: integer().notNull(),
    /** Increases while the upload runs. A lease that stops increasing belongs to a dead process. */
    heartbeat: integer().notNull(),
    /** Set before its files are removed; from then on nothing can be recorded under it. */
    revoked: flag().notNull().default(false),
  },
  (t) => [
    index("upload_leases_key_prefix").on(t.keyPrefix),
    index("upload_leases_envelope").on(t.envelopeId),
    index("upload_leases_user").on(t.userId),
  ],
);
