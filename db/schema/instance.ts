import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { partOf, timestamp } from "./columns";
import { users } from "./users";

/** The hour in which each hourly job last ran, in any process. */
export const jobRuns = sqliteTable("job_runs", {
  job: text().primaryKey(),
  /** For example `2026-03-14T09`. */
  hour: text().notNull(),
});

/** The number of attempts in the current window. */
export const rateLimits = sqliteTable(
  "rate_limits",
  { key: text().primaryKey(), count: integer().notNull(), resetAt: timestamp().notNull() },
  (t) => [index("rate_limits_reset").on(t.resetAt)],
);

/** What the first call with an `Idempotency-Key` has created, or how it was rejected, for repeated calls. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    userId: partOf(() => users.id),
    key: text().notNull(),
    /** SHA-256 of method, path and body. */
    requestHash: text().notNull(),
    /** The recorded rejection. Earlier versions recorded every response. */
    status: integer(),
    body: text(),
    /** When the call began. */
    createdAt: timestamp().notNull(),
    /** The request id of the call; empty in rows of earlier versions. */
    claimedBy: text().notNull().default(""),
    /** Identifies what the call has created, for its route. Written by the batch that creates it. */
    resource: text(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] }), index("idempotency_keys_created").on(t.createdAt)],
);

/** The id that this database shares with its file store. One row, written once both are known to belong together. */
export const instance = sqliteTable("instance", {
  /** Always 1. */
  row: integer().primaryKey(),
  id: text().notNull(),
  /** The ids of the instances whose archives it was restored from, and those that it had before: its backups follow theirs. */
  earlierIds: text({ mode: "json" }).$type<string[]>().notNull().default([]),
});
