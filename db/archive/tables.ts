import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  contacts,
  documents,
  envelopeEvents,
  identities,
  integrations,
  jobRuns,
  notifications,
  passwordResets,
  rateLimits,
  removedFiles,
  requestDocuments,
  requests,
  sessions,
  submissions,
  templates,
  users,
  workspaces,
} from "../schema";

/**
 * Every table that moves house, each after those it points to. Sign-ins, counters and
 * files about to go stay behind: they belong to the old address.
 */
export const MOVED_TABLES: Readonly<Record<string, SQLiteTable>> = {
  users,
  identities,
  passwordResets,
  workspaces,
  contacts,
  templates,
  integrations,
  requests,
  requestDocuments,
  documents,
  submissions,
  envelopeEvents,
  notifications,
};

export const LEFT_TABLES: Readonly<Record<string, SQLiteTable>> = {
  sessions,
  rateLimits,
  jobRuns,
  removedFiles,
};
