import { and, eq, exists, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client";
import { sessions, users } from "../schema";

/** The state of the account that a change was decided on. */
type AccountState = {
  password?: string;
  email?: string;
  isVerified?: boolean;
  /** The session that asks for the change. */
  sid?: string;
};

/**
 * The account's id as a subquery, while the account is enabled and its state is unchanged. Otherwise it yields NULL, so
 * a row that requires its owner fails the whole batch: no change is based on outdated state.
 */
export function unchangedAccount(db: Database, userId: number, state: AccountState): SQL<number> {
  const { password, email, isVerified, sid } = state;
  const account = db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.id, userId),
        isNull(users.disabledAt),
        password === undefined ? undefined : eq(users.password, password),
        email === undefined ? undefined : eq(users.email, email),
        isVerified === undefined ? undefined : eq(users.isVerified, isVerified),
        sid === undefined ? undefined : exists(ownSession(db, userId, sid)),
      ),
    );
  return sql<number>`(${account})`;
}

const ownSession = (db: Database, userId: number, sid: string) =>
  db
    .select({ sid: sessions.sid })
    .from(sessions)
    .where(and(eq(sessions.sid, sid), eq(sessions.userId, userId)));
