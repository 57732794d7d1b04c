import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "./columns";

/**
 * Files to be deleted from the store. Written in the batch that deletes their rows, and removed once the store has
 * deleted them.
 */
export const fileDeletions = sqliteTable("removed_files", {
  /** The file's key in the store. */
  key: text().primaryKey(),
  removedAt: moment().notNull(),
  /** The store's id of an unfinished upload; null for a complete file. */
  storeState: text(),
});
