import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  apiTokens,
  auditEntries,
  contacts,
  emailReverts,
  envelopeDocuments,
  envelopeEvents,
  envelopes,
  fileDeletions,
  idempotencyKeys,
  identities,
  integrations,
  invitations,
  jobRuns,
  notifications,
  passwordResets,
  rateLimits,
  sessions,
  submissions,
  templates,
  templateUses,
  uploadLeases,
  uploads,
  users,
  webhookCursors,
  webhookDeliveries,
  webhookSnapshots,
  webhooks,
  workspaces,
} from "../schema";

/**
 * Every table in an archive, by its name there, each after the tables it references. Sessions, counters, uploads and
 * pending file deletions are left out: they belong to the exported instance.
 */
export const ARCHIVED_TABLES: Readonly<Record<string, SQLiteTable>> = {
  users,
  identities,
  emailReverts,
  passwordResets,
  apiTokens,
  invitations,
  auditEntries,
  workspaces,
  webhooks,
  contacts,
  templates,
  integrations,
  requests: envelopes,
  requestDocuments: envelopeDocuments,
  documents: templateUses,
  submissions,
  envelopeEvents,
  notifications,
};

export const EXCLUDED_TABLES: Readonly<Record<string, SQLiteTable>> = {
  sessions,
  rateLimits,
  webhookCursors,
  webhookDeliveries,
  webhookSnapshots,
  idempotencyKeys,
  jobRuns,
  fileDeletions,
  uploadLeases,
  uploads,
};
