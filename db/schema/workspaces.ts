import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, moment } from "./columns";
import { users } from "./users";

export const workspaces = sqliteTable(
  "workspaces",
  {
    id: id(),
    name: text().notNull(),
    description: text(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (t) => [index("workspaces_user").on(t.userId)],
);
