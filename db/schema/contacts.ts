import { sql } from "drizzle-orm";
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Language } from "../../worker/contract/options";
import { id, partOf, timestamp, updatedBy } from "./columns";
import { users } from "./users";
import { workspaces } from "./workspaces";

export const contacts = sqliteTable(
  "contacts",
  {
    id: id(),
    /** The account that it counts for: who created it or, once they have left the workspace, an owner. */
    userId: partOf(() => users.id),
    workspaceId: partOf(() => workspaces.id),
    firstName: text().notNull(),
    lastName: text(),
    email: text(),
    phone: text(),
    company: text(),
    notes: text(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    updatedBy: updatedBy(),
    /** In which the contact gets messages; null if it is not known. */
    language: text().$type<Language>(),
    /** The groups that it belongs to, by their names. */
    tags: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    /** Where its files are delivered to: the value of `{clientFolder}`; null for its company or name. */
    folder: text(),
    /** What lists sort by, see `textKey`, and the folded name, address and company, which `filter` reads; null until they are filled. */
    nameKey: text(),
    filterText: text(),
  },
  (t) => [
    index("contacts_user").on(t.userId),
    index("contacts_in_workspace").on(t.workspaceId),
    index("contacts_name").on(t.workspaceId, t.nameKey),
    // An import matches those of a workspace by it.
    index("contacts_email").on(t.workspaceId, sql`lower("email")`),
    index("contacts_tagged").on(t.workspaceId, t.id).where(sql`tags <> '[]'`),
    index("contacts_unfilled").on(t.id).where(sql`filter_text is null`),
    index("contacts_updated_by").on(t.updatedBy).where(sql`updated_by is not null`),
  ],
);
