import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TokenScope } from "../../worker/contract/options";
import { id, moment } from "./columns";
import { users } from "./users";

/** Tokens with which a user's own programs call the API. */
export const apiTokens = sqliteTable(
  "api_tokens",
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text().notNull(),
    scope: text().$type<TokenScope>().notNull(),
    /** The SHA-256 of the token, so that the database contains no usable token. */
    tokenHash: text().notNull().unique(),
    /** The beginning of the token, by which its owner recognises it. */
    prefix: text().notNull(),
    createdAt: moment().notNull(),
    expiresAt: moment(),
    /** Rounded to the hour. */
    lastUsedAt: moment(),
  },
  (t) => [index("api_tokens_user").on(t.userId)],
);
