import { sql } from "drizzle-orm";
import { envelopes, uploads } from "../schema";
import { jsonRows } from "./json-row";

/** The envelope's uploaded files that are not submitted yet. */
export const stagedFiles = jsonRows(
  {
    rowId: uploads.rowId,
    id: uploads.id,
    requestDocumentId: uploads.requestDocumentId,
    fileName: uploads.fileName,
    fileSize: uploads.fileSize,
    offset: uploads.offset,
    completedAt: uploads.completedAt,
  },
  sql`${uploads} where ${uploads.envelopeId} = ${envelopes.id}`,
  ({ rowId }) => rowId,
);
