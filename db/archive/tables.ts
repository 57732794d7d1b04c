import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  apiTokens,
  auditEntries,
  contacts,
  emailReverts,
  envelopeDocuments,
  envelopeEvents,
  envelopes,
  envelopeWatchers,
  fileDeletions,
  formerUsers,
  idempotencyKeys,
  identities,
  instance,
  integrations,
  invitations,
  jobRuns,
  notifications,
  passwordResets,
  rateLimits,
  sessions,
  signIns,
  submissions,
  templates,
  templateUses,
  unsubscribeLinks,
  uploadLeases,
  uploads,
  users,
  webhookCursors,
  webhookDeliveries,
  webhookSnapshots,
  webhooks,
  workspaceActivity,
  workspaceMembers,
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
  signIns,
  formerUsers,
  auditEntries,
  workspaces,
  workspaceMembers,
  workspaceActivity,
  apiTokens,
  invitations,
  webhooks,
  contacts,
  templates,
  integrations,
  requests: envelopes,
  requestDocuments: envelopeDocuments,
  requestWatchers: envelopeWatchers,
  documents: templateUses,
  submissions,
  envelopeEvents,
  notifications,
  unsubscribeLinks,
};

/** The tables whose rows reference stored files; without `uploads`, those that an archive contains. */
export const FILE_TABLES = { archived: [users, submissions], staged: [uploads] };

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

/** Neither in an archive nor replaced by one: it belongs to the database and its store. */
export const LOCAL_TABLES: Readonly<Record<string, SQLiteTable>> = { instance };
