import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TokenScope } from "../../worker/contract/options";
import { id, partOf, timestamp } from "./columns";
import { users } from "./users";
import { workspaces } from "./workspaces";

/** Tokens with which a user's own programs call the API. */
export const apiTokens = sqliteTable(
  "api_tokens",
  {
    id: id(),
    userId: partOf(() => users.id),
    name: text().notNull(),
    scope: text().$type<TokenScope>().notNull(),
    /** The SHA-256 of the token, so that the database contains no usable token. */
    tokenHash: text().notNull().unique(),
    /** The beginning of the token, by which its owner recognises it. */
    prefix: text().notNull(),
    createdAt: timestamp().notNull(),
    expiresAt: timestamp(),
    /** Rounded to the hour. */
    lastUsedAt: timestamp(),
    /** The only workspace that it may use, and with which it ends; null for all of the account's. */
    workspaceId: integer().references(() => workspaces.id, { onDelete: "cascade" }),
  },
  (t) => [
    index("api_tokens_user").on(t.userId),
    index("api_tokens_workspace").on(t.workspaceId).where(sql`workspace_id is not null`),
  ],
);
