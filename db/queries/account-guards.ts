import { and, eq, exists, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client";
import { sessions, users } from "../schema";

/** What a change of an account was decided on. */
type AccountState = {
  password?: string;
  email?: string;
  isVerified?: boolean;
  /** The session that asks for the change. */
  sid?: string;
};

/**
 * The account's id as a subquery while it is enabled and all of this still holds. Else it yields NULL, so that a row that requires its
 * owner fails the whole batch: nothing is changed on the ground of what is no longer true.
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
