import { integer, text } from "drizzle-orm/sqlite-core";

/** Ids are never used twice, so that an old link or log line cannot come to mean another row. */
export const id = () => integer().primaryKey({ autoIncrement: true });

/** A moment, as ISO 8601 in UTC: sorts as text and is sent to the browser as it is. */
export const moment = () => text();

export const flag = () => integer({ mode: "boolean" });
