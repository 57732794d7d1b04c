import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The id that this database shares with its file store. One row, written once both are known to belong together. */
export const instance = sqliteTable("instance", {
  /** Always 1. */
  row: integer().primaryKey(),
  id: text().notNull(),
});
