import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, moment } from "./columns";
import { users } from "./users";
import { workspaces } from "./workspaces";

/** One requested document, as entered in a form. */
export type DocumentEntry = {
  name: string;
  description: string | null;
  required: boolean;
  allowedFileTypes: string[];
  /** Whether the document accepts several files. Missing in older templates. */
  multiple?: boolean;
};

export const templates = sqliteTable(
  "templates",
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    workspaceId: integer()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    name: text().notNull(),
    description: text(),
    fields: text({ mode: "json" }).$type<DocumentEntry[]>().notNull(),
    createdAt: moment().notNull(),
  },
  (t) => [index("templates_user").on(t.userId), index("templates_workspace").on(t.workspaceId, t.userId)],
);
