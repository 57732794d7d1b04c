import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DocumentEntry } from "../../worker/contract/documents";
import { id, moment } from "./columns";
import { users } from "./users";
import { workspaces } from "./workspaces";

/** A requested document of a template. One that was stored before a field existed lacks that field. */
export type StoredDocumentEntry = Partial<DocumentEntry> & Pick<DocumentEntry, "name">;

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
    fields: text({ mode: "json" }).$type<StoredDocumentEntry[]>().notNull(),
    createdAt: moment().notNull(),
  },
  (t) => [index("templates_user").on(t.userId), index("templates_workspace").on(t.workspaceId, t.userId)],
);
