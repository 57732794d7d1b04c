import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "./columns";
import { users } from "./users";

/** The response to the first call with an `Idempotency-Key`, returned to repeated calls. */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    key: text().notNull(),
    /** SHA-256 of method, path and body. */
    requestHash: text().notNull(),
    /** Null until the response is recorded. */
    status: integer(),
    body: text(),
    /** When the call began. */
    createdAt: moment().notNull(),
    /** The request id of the call; empty in rows of earlier versions. */
    claimedBy: text().notNull().default(""),
    /** Identifies what the call has created, for its route. Written by the batch that creates it. */
    resource: text(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] }), index("idempotency_keys_created").on(t.createdAt)],
);
