import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "./columns";

/** The number of attempts in the current window. */
export const rateLimits = sqliteTable(
  "rate_limits",
  { key: text().primaryKey(), count: integer().notNull(), resetAt: moment().notNull() },
  (t) => [index("rate_limits_reset").on(t.resetAt)],
);
