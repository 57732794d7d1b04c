import { and, eq, getTableColumns, gt, isNull, ne, sql } from "drizzle-orm";
import { LIMITS, SERVER_LIMITS } from "../../worker/contract/limits";
import type { SignInMethod } from "../../worker/contract/options";
import { type Database, runBatch, type Statement } from "../client";
import { violates } from "../errors";
import { type SessionData, sessions, users } from "../schema";
import { type Condition, onlyWhile } from "./guard";
import { asColumn, jsonRow } from "./json-row";
import { hasRows, pick, prepared } from "./query-helpers";
import { updateLastSeen } from "./users";

export type { SessionData };

const sessionQuery = prepared((db) =>
  db
    .select({
      session: asColumn(
        jsonRow({
          user: jsonRow(getTableColumns(users)),
          ...pick(sessions, "sess", "expire", "authenticatedAt", "method"),
        }),
      ),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.sid, sql.placeholder("sid")),
        gt(sessions.expire, sql.placeholder("now")),
        isNull(users.disabledAt),
      ),
    )
    .limit(1)
    .prepare(),
);

export async function findSession(db: Database, sid: string, now: string) {
  const [row] = await sessionQuery(db).all({ sid, now });
  return row?.session;
}

/**
 * Begins a session in a batch with `statements`, and ends the oldest ones of an account that has too many. Fails if the
 * credentials changed since they were checked, see `isSignInOutdated`.
 */
export function insertSession(
  db: Database,
  {
    userId,
    unchanged,
    ...session
  }: {
    sid: string;
    userId: number;
    unchanged: Condition;
    sess: SessionData;
    expire: string;
    method: SignInMethod;
    authenticatedAt: string;
  },
  statements: Statement[] = [],
): Promise<void> {
  return runBatch(db, [
    db.insert(sessions).values({ ...session, userId: onlyWhile(unchanged, userId) }),
    deleteOldestSessions(db, userId),
    updateLastSeen(db, userId, session.sess.usedAt),
    ...statements,
  ]);
}

/** The rows of one account are in the order of their sign-ins. */
function deleteOldestSessions(db: Database, userId: number) {
  const surplus = sql`(select rowid from ${sessions} where ${sessions.userId} = ${userId} order by rowid desc limit 1 offset ${SERVER_LIMITS.sessionsPerAccount})`;
  return db.delete(sessions).where(and(eq(sessions.userId, userId), sql`rowid <= ${surplus}`));
}

/** Whether a session was rejected because the credentials changed since they were checked. */
export const isSignInOutdated = (error: unknown) => violates(error, "not null", sessions.userId);

export function updateSession(
  db: Database,
  userId: number,
  sid: string,
  changes: { sess: SessionData; expire: string },
): Promise<void> {
  return runBatch(db, [
    db.update(sessions).set(changes).where(eq(sessions.sid, sid)),
    updateLastSeen(db, userId, changes.sess.usedAt),
  ]);
}

/** Records that the session's user has confirmed that it is them, if `unchanged` is true. @returns whether it was */
export const updateAuthentication = (
  db: Database,
  { userId, sid, at }: { userId: number; sid: string; at: string },
  unchanged: Condition,
) =>
  hasRows(
    db
      .update(sessions)
      .set({ authenticatedAt: at })
      .where(and(eq(sessions.sid, sid), eq(sessions.userId, userId), unchanged))
      .returning({ sid: sessions.sid }),
  );

/** The account's valid sessions, or the one with this public id. Above the limit, those of the latest sign-ins. */
export async function listSessions(db: Database, userId: number, { now, id }: { now: string; id?: string }) {
  const withId = id === undefined ? undefined : eq(sql`${sessions.sess} ->> 'id'`, id);
  return db
    .select({ sid: sessions.sid, sess: sessions.sess })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expire, now), withId))
    .orderBy(sql`${sessions}.rowid desc`)
    .limit(LIMITS.pageMax);
}

export function deleteSession(db: Database, sid: string) {
  return db.delete(sessions).where(eq(sessions.sid, sid));
}

/** Deletes the account's sessions, except the given one. */
export function deleteSessions(db: Database, userId: number, keep?: string) {
  return db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), keep === undefined ? undefined : ne(sessions.sid, keep)));
}
