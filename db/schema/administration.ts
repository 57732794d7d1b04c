import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { AuditAction } from "../../worker/contract/audit-actions";
import type { Role } from "../../worker/contract/options";
import { apiTokens } from "./api-tokens";
import { flag, id, timestamp } from "./columns";
import { users } from "./users";
import { workspaces } from "./workspaces";

/**
 * Single-use links, stored as SHA-256 of their token: an administrator's to create an account, a workspace's to become a
 * member. Using one verifies the address it was mailed to.
 */
export const invitations = sqliteTable(
  "invitations",
  {
    id: id(),
    tokenHash: text().notNull().unique(),
    email: text().notNull(),
    createdAt: timestamp().notNull(),
    expiresAt: timestamp().notNull(),
    /** Who invited; null for a command, or after that account was deleted, which voids the invitation of a workspace. */
    invitedBy: integer().references(() => users.id, { onDelete: "set null" }),
    /** The workspace to join, and as what; null for an administrator's invitation. */
    workspaceId: integer().references(() => workspaces.id, { onDelete: "cascade" }),
    role: text().$type<Role>(),
    /** The API token that made it: it ends with that token. Null if a signed-in user did. */
    apiTokenId: integer().references(() => apiTokens.id, { onDelete: "cascade" }),
    /** Whether nobody invited: the address asked for it, because its domain may sign up. */
    isRequested: flag().notNull().default(false),
  },
  (t) => [
    uniqueIndex("invitations_address").on(
      t.email,
      sql`(case when workspace_id is null then 0 else workspace_id end)`,
    ),
    index("invitations_workspace").on(t.workspaceId),
    index("invitations_expires").on(t.expiresAt),
    index("invitations_invited_by").on(t.invitedBy),
    index("invitations_token").on(t.apiTokenId).where(sql`api_token_id is not null`),
  ],
);

/**
 * What administrators and operator commands have done. Triggers reject every change of a row. Columns repeat what they
 * refer to, because accounts are deleted and entries are not.
 */
export const auditEntries = sqliteTable("audit_entries", {
  id: id(),
  createdAt: timestamp().notNull(),
  action: text().$type<AuditAction>().notNull(),
  /** The administrator's address, or "command". NULL fails the batch: the role was lost meanwhile. */
  actor: text().notNull(),
  actorId: integer(),
  /** The client's address; null for a command. */
  address: text(),
  /** The address of the account or invitation. NULL fails the batch: it no longer exists. */
  subject: text().notNull(),
  subjectId: integer(),
  detail: text({ mode: "json" }).$type<Record<string, string | number | null>>().notNull(),
});
