import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, moment } from "./columns";
import { users } from "./users";
import { workspaces } from "./workspaces";

export const contacts = sqliteTable(
  "contacts",
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    workspaceId: integer()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    firstName: text().notNull(),
    lastName: text(),
    email: text(),
    phone: text(),
    company: text(),
    notes: text(),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (t) => [index("contacts_user").on(t.userId), index("contacts_workspace").on(t.workspaceId, t.userId)],
);
