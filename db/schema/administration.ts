import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AuditAction } from "../../worker/contract/administration";
import { id, moment } from "./columns";
import { users } from "./users";

/** Single-use links to make an account, stored as SHA-256 of their token. The mail verifies its address. */
export const invitations = sqliteTable(
  "invitations",
  {
    id: id(),
    tokenHash: text().notNull().unique(),
    email: text().notNull().unique(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
    /** The administrator who invited; null for a command, or once that account is gone. */
    invitedBy: integer().references(() => users.id, { onDelete: "set null" }),
  },
  (t) => [index("invitations_expires").on(t.expiresAt), index("invitations_invited_by").on(t.invitedBy)],
);

/**
 * What administrators and operator commands have done. Triggers refuse every change of a row; its columns repeat what
 * they name, because accounts are deleted and entries are not.
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
  /** The address of the account or invitation. NULL fails the batch: it is gone. */
  subject: text().notNull(),
  subjectId: integer(),
  detail: text({ mode: "json" }).$type<Record<string, string | number | null>>().notNull(),
});
