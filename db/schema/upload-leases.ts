import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag } from "./columns";

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
    /** What it counts towards the quotas: the bytes announced, or those received if they are more. */
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
