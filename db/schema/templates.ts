import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, moment } from "./columns";
import { users } from "./users";
import { workspaces } from "./workspaces";

/** What is asked for, as a person lists it. */
export type DocumentEntry = {
  name: string;
  description: string | null;
  required: boolean;
  allowedFileTypes: string[];
  /** Whether it takes several files. Absent in templates from before there was the choice. */
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
