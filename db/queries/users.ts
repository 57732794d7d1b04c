import { and, eq, gt, lt, ne, sql } from "drizzle-orm";
import type { SignInProvider } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { envelopes, identities, passwordResets, type SessionData, sessions, users } from "../schema";
import { insertAvatarDeletion, insertSubmissionDeletions } from "./file-deletions";
import { prepared } from "./prepared";
import type { ownerByEmail } from "./workspaces";

export type User = typeof users.$inferSelect;
export type NewUser = typeof users.$inferInsert;
export type { SessionData };
export type UserChanges = Partial<Omit<NewUser, "id">>;

export async function findUserByEmail(db: Database, email: string): Promise<User | undefined> {
  return db.query.users.findFirst({ where: eq(users.email, email) });
}

export async function findUserById(db: Database, userId: number): Promise<User | undefined> {
  return db.query.users.findFirst({ where: eq(users.id, userId) });
}

export async function hasUsers(db: Database): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).limit(1);
  return rows.length > 0;
}

export async function findUserByIdentity(
  db: Database,
  provider: SignInProvider,
  subject: string,
): Promise<User | undefined> {
  const [row] = await db
    .select({ user: users })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)));
  return row?.user;
}

export function insertIdentity(
  db: Database,
  identity: Omit<typeof identities.$inferInsert, "userId"> & {
    userId: number | ReturnType<typeof ownerByEmail>;
  },
): Statement {
  return db.insert(identities).values(identity);
}

export async function findUserByVerificationToken(
  db: Database,
  tokenHash: string,
): Promise<User | undefined> {
  return db.query.users.findFirst({ where: eq(users.verificationToken, tokenHash) });
}

export function insertUser(db: Database, user: NewUser): Statement {
  return db.insert(users).values(user);
}

/** Whether an account was not created or updated because the e-mail address is taken. */
export const isEmailTaken = (error: unknown) => violates(error, "unique", users.email);

/** A single statement, to be used in a batch. */
export function updateUser(db: Database, userId: number, changes: UserChanges) {
  return db.update(users).set(changes).where(eq(users.id, userId)).returning();
}

/** Statements that delete the account and, by cascade, all its rows, and record its files for deletion. */
export function deleteUser(db: Database, userId: number, now: string): Statement[] {
  return [
    insertSubmissionDeletions(db, eq(envelopes.userId, userId), now),
    insertAvatarDeletion(db, userId, now),
    db.delete(users).where(eq(users.id, userId)),
  ];
}

const sessionQuery = prepared((db) =>
  db
    .select({ user: users, sess: sessions.sess, expire: sessions.expire })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.sid, sql.placeholder("sid")), gt(sessions.expire, sql.placeholder("now"))))
    .prepare(),
);

export async function findSession(db: Database, sid: string, now: string) {
  const [row] = await sessionQuery(db).all({ sid, now });
  return row;
}

export function insertSession(
  db: Database,
  session: { sid: string; userId: number; sess: SessionData; expire: string },
) {
  const userId = sql`(select ${users.id} from ${users} where ${users.id} = ${session.userId})`;
  return db.insert(sessions).values({ ...session, userId });
}

/** Whether a session was not created because its account no longer exists. */
export const isSessionWithoutAccount = (error: unknown) => violates(error, "not null", sessions.userId);

export function updateSession(db: Database, sid: string, changes: { sess: SessionData; expire: string }) {
  return db.update(sessions).set(changes).where(eq(sessions.sid, sid));
}

/** The account's valid sessions. */
export async function listSessions(db: Database, userId: number, now: string) {
  return db
    .select({ sid: sessions.sid, sess: sessions.sess })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expire, now)));
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

export function insertPasswordReset(
  db: Database,
  reset: { tokenHash: string; userId: number; expiresAt: string },
) {
  return db.insert(passwordResets).values(reset);
}

const validReset = (tokenHash: string, now: string) =>
  and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, now));

/** The account of a reset link; undefined if the link is unknown, used or expired. */
export async function findPasswordResetOwner(
  db: Database,
  tokenHash: string,
  now: string,
): Promise<number | undefined> {
  const row = await db.query.passwordResets.findFirst({ where: validReset(tokenHash, now) });
  return row?.userId;
}

/**
 * The same as a subquery. Yields NULL once the link is used; a row that requires its owner then fails the whole batch.
 */
export const ownerByPasswordReset = (db: Database, tokenHash: string, now: string) =>
  sql<number>`(${db.select({ userId: passwordResets.userId }).from(passwordResets).where(validReset(tokenHash, now))})`;

export function deletePasswordResets(db: Database, userId: number) {
  return db.delete(passwordResets).where(eq(passwordResets.userId, userId));
}

/** Deletes expired sessions and reset links. */
export function deleteExpiredSignIns(db: Database, now: string): Statement[] {
  return [
    db.delete(sessions).where(lt(sessions.expire, now)),
    db.delete(passwordResets).where(lt(passwordResets.expiresAt, now)),
  ];
}
