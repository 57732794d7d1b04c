import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "../schema";

export type TableName = {
  [Name in keyof typeof schema]: (typeof schema)[Name] extends SQLiteTable ? Name : never;
}[keyof typeof schema];

/**
 * Which tables an archive contains, each after the tables it references, under their names here. Excluded are sessions,
 * remembered devices, counters, uploads and pending file deletions: they belong to the exported instance. A local table is
 * neither in an archive nor replaced by one: it belongs to the database and its store.
 */
const TABLES = {
  users: "archived",
  identities: "archived",
  totp: "archived",
  recoveryCodes: "archived",
  passkeys: "archived",
  emailReverts: "archived",
  passwordResets: "archived",
  signIns: "archived",
  formerUsers: "archived",
  auditEntries: "archived",
  workspaces: "archived",
  workspaceMembers: "archived",
  workspaceActivity: "archived",
  ownerReverts: "archived",
  apiTokens: "archived",
  invitations: "archived",
  webhooks: "archived",
  webhookCursors: "archived",
  webhookDeliveries: "archived",
  webhookSnapshots: "archived",
  webhookSnapshotParts: "archived",
  idempotencyKeys: "archived",
  contacts: "archived",
  templates: "archived",
  integrations: "archived",
  series: "archived",
  seriesRecipients: "archived",
  bulkSends: "archived",
  bulkRecipients: "archived",
  seriesOccurrences: "archived",
  envelopes: "archived",
  envelopeDocuments: "archived",
  renewals: "archived",
  replacedLinks: "archived",
  dueLinks: "archived",
  envelopeWatchers: "archived",
  templateUses: "archived",
  submissions: "archived",
  answers: "archived",
  attachments: "archived",
  attachmentUses: "archived",
  destinations: "archived",
  destinationFolders: "archived",
  fileDeliveries: "archived",
  envelopeEvents: "archived",
  notifications: "archived",
  unsubscribeLinks: "archived",
  scheduleNews: "archived",
  sessions: "excluded",
  challenges: "excluded",
  rememberedDevices: "excluded",
  signInLinks: "excluded",
  rateLimits: "excluded",
  jobRuns: "excluded",
  fileDeletions: "excluded",
  uploadLeases: "excluded",
  uploads: "excluded",
  envelopeTexts: "excluded",
  renamedContacts: "excluded",
  instance: "local",
} satisfies Record<TableName, "archived" | "excluded" | "local">;

const all: Record<TableName, SQLiteTable> = schema;

function tablesOf(kind: "archived" | "excluded" | "local"): Readonly<Record<string, SQLiteTable>> {
  const names = Object.keys(TABLES) as TableName[];
  return Object.fromEntries(names.filter((name) => TABLES[name] === kind).map((name) => [name, all[name]]));
}

export const ARCHIVED_TABLES = tablesOf("archived");
export const EXCLUDED_TABLES = tablesOf("excluded");
export const LOCAL_TABLES = tablesOf("local");

/** The tables whose rows reference stored files; without `uploads`, those that an archive contains. */
export const FILE_TABLES = {
  archived: [schema.users, schema.workspaces, schema.submissions, schema.attachments],
  staged: [schema.uploads],
};
