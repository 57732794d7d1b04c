import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, customType, integer, text } from "drizzle-orm/sqlite-core";

/** Ids are never reused, so that an old link or log line never refers to a different row. */
export const id = () => integer().primaryKey({ autoIncrement: true });

/** The id of a row that this one is deleted with. */
export const partOf = (parent: () => AnySQLiteColumn) =>
  integer().notNull().references(parent, { onDelete: "cascade" });

/** A timestamp as ISO 8601 in UTC: sorts as text and needs no conversion for the browser. */
export const timestamp = () => text();

/**
 * A text that the condition of a partial index names. Its values are written into the SQL: SQLite prepares a statement again
 * at each run if it compares such a column with a parameter, which takes longer than running it.
 */
export const indexedText = customType<{ data: string }>({
  dataType: () => "text",
  toDriver: (value) => sql.raw(`'${value.replaceAll("'", "''")}'`),
});

export const flag = () => integer({ mode: "boolean" });

/**
 * The account that last changed the row; null for the recipient and rows of earlier versions. Not a foreign
 * key: the name of whoever is gone is in `former_users`.
 */
export const updatedBy = () => integer();
