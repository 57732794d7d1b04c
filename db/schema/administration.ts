import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AuditAction } from "../../worker/contract/administration";
import { id, moment } from "./columns";
import { users } from "./users";

/**
 * Single-use links to create an account, stored as SHA-256 of their token. Using one verifies the address it was mailed
 * to.
 */
export const invitations = sqliteTable(
  "invitations",
  {
    id: id(),
    tokenHash: text().notNull().unique(),
    email: text().notNull().unique(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
    /** The administrator who invited; null for a command, or after that account was deleted. */
    invitedBy: integer().references(() => users.id, { onDelete: "set null" }),
  },
  (t) => [index("invitations_expires").on(t.expiresAt), index("invitations_invited_by").on(t.invitedBy)],
);

/**
 * What administrators and operator commands have done. Triggers reject every change of a row. Columns repeat what they
 * refer to, because accounts are deleted and entries are not.
 */
export const auditEntries = sqliteTable("audit_log", {
  id: id(),
  createdAt: moment().notNull(),
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
