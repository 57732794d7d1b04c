import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "./columns";

/** Files whose rows are gone: written in the same batch, and deleted once the store has removed the file. */
export const fileDeletions = sqliteTable("removed_files", {
  /** The file's name in the store. */
  key: text().primaryKey(),
  removedAt: moment().notNull(),
  /** What the store knows an unfinished upload by; null for a file that was complete. */
  storeState: text(),
});
