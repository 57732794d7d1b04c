import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { RetentionDays } from "../../worker/contract/options";
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
    /** Days after completion until files are deleted; null keeps them. */
    retentionDays: integer().$type<RetentionDays>(),
    /** Names the files of ZIP archives; null for the default rule. */
    fileNameRule: text(),
  },
  (t) => [
    index("workspaces_user").on(t.userId),
    index("workspaces_retaining").on(t.retentionDays).where(sql`retention_days is not null`),
  ],
);
