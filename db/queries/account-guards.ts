import { and, eq, exists, isNull, ne, not, sql } from "drizzle-orm";
import { alias, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { apiTokens, contacts, envelopes, sessions, templates, users, workspaces } from "../schema";
import type { Condition } from "./guard";
import { pick, valuesOf } from "./query-helpers";

const COLUMNS = {
  ...pick(users, "password", "email", "pendingEmail", "isVerified", "verifiedByOwner", "isAdministrator"),
};

/** The state of the account that a change was decided on. */
type AccountState = Partial<Pick<typeof users.$inferSelect, keyof typeof COLUMNS>> & {
  /** The session that asks for the change. */
  sid?: string;
  /** An address that no other account has. */
  freeEmail?: string;
  /** The API token that asks for it. */
  apiTokenId?: number;
};

/** Whether the account is enabled, its state unchanged and the conditions hold: no change is based on outdated state. */
export function isUnchanged(
  db: Database,
  userId: number,
  { sid, apiTokenId, freeEmail, ...columns }: AccountState,
  ...conditions: Condition[]
): Condition {
  const unchanged = Object.entries(columns).map(([name, value]) => {
    const column = COLUMNS[name as keyof typeof COLUMNS];
    // Unlike `=`, `is` compares NULL as well.
    return sql`${column} is ${sql.param(value, column)}`;
  });
  const account = valuesOf(
    users.id,
    and(
      eq(users.id, userId),
      isNull(users.disabledAt),
      ...unchanged,
      sid === undefined ? undefined : exists(ownSession(sid)),
      apiTokenId === undefined ? undefined : exists(ownApiToken(apiTokenId)),
      freeEmail === undefined ? undefined : not(exists(otherAccount(db, freeEmail))),
      ...conditions,
    ),
  );
  return exists(account);
}

/** What tells that an account may have got another owner: its password, which it may lack, its address and its proof. */
export type Ownership = Pick<
  typeof users.$inferSelect,
  "password" | "email" | "pendingEmail" | "isVerified" | "verifiedByOwner"
>;

/** The state of the account that a reset, "This wasn't me" or a takeover changes: they end what a call would store after them. */
export const ownershipOf = ({
  password,
  email,
  pendingEmail,
  isVerified,
  verifiedByOwner,
}: Ownership): Ownership => ({ password, email, pendingEmail, isVerified, verifiedByOwner });

/**
 * The statement that makes a batch fail, see `isOwnerChanged`, unless the caller's account is as it was, see `ownershipOf`, and
 * has the API token that calls.
 */
export const requireSameOwner = (
  db: Database,
  { userId, user, apiTokenId }: { userId: number; user: Ownership; apiTokenId?: number | null },
): Statement =>
  db
    .update(users)
    .set({ email: sql`null` })
    .where(
      and(
        eq(users.id, userId),
        not(isUnchanged(db, userId, { ...ownershipOf(user), ...(apiTokenId != null && { apiTokenId }) })),
      ),
    );

/** Whether a batch failed by `requireSameOwner`. */
export const isOwnerChanged = (error: unknown) => violates(error, "not null", users.email);

/** The session, if it belongs to the account of the outer query. */
export const ownSession = (sid: string) =>
  valuesOf(sessions.sid, and(eq(sessions.sid, sid), eq(sessions.userId, users.id)));

const ownApiToken = (id: number) =>
  valuesOf(apiTokens.id, and(eq(apiTokens.id, id), eq(apiTokens.userId, users.id)));

function otherAccount(db: Database, email: string) {
  const others = alias(users, "others");
  return db
    .select({ id: others.id })
    .from(others)
    .where(and(eq(others.email, email), ne(others.id, users.id)));
}

type OwnedTable = SQLiteTable & { userId: SQLiteColumn };

/**
 * Whether the account has fewer than `max` rows in the table.
 * @param counted the column that says whose row it is
 */
export const isBelowLimit = (
  table: OwnedTable,
  userId: number,
  max: number,
  counted: SQLiteColumn = table.userId,
): Condition => sql`(select count(*) from ${table} where ${counted} = ${userId}) < ${max}`;

/** Whether a row was not inserted because the account already has the maximum number of rows, see `isBelowLimit`. */
export const isAccountFull = (error: unknown) =>
  [workspaces, contacts, templates, envelopes].some(({ userId }) => violates(error, "not null", userId));
