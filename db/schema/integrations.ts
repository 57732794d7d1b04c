import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { id, moment } from "./columns";
import { users } from "./users";

export const integrations = sqliteTable(
  "integrations",
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    type: text().$type<"crm" | "esignature" | "hr">().notNull(),
    name: text().notNull(),
    status: text().$type<"connected" | "disconnected">().notNull().default("disconnected"),
    config: text({ mode: "json" }).$type<Record<string, unknown>>().notNull().default({}),
    createdAt: moment().notNull(),
  },
  (t) => [index("integrations_user").on(t.userId)],
);
