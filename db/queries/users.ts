import { and, eq, exists, gt, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { AccountWay } from "../../worker/contract/audit-actions";
import type { DocumentType, UsageType } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import {
  challenges,
  emailReverts,
  invitations,
  ownerReverts,
  passwordResets,
  rememberedDevices,
  sessions,
  signInLinks,
  totp,
  users,
} from "../schema";
import { type Condition, onlyWhile } from "./guard";
import { hasRows, prepared, valuesOf } from "./query-helpers";

export type User = typeof users.$inferSelect;
export type NewUser = Omit<typeof users.$inferInsert, "way"> & { way?: AccountWay | SQL<AccountWay> };
export type UserChanges = Partial<Omit<typeof users.$inferInsert, "id">>;

const findUser = (db: Database, which: SQL) =>
  db
    .select()
    .from(users)
    .where(and(which, isNull(users.deletedAt)))
    .get();

export const findUserByEmail = (db: Database, email: string) => findUser(db, eq(users.email, email));

/** The account that signs in with this address: its own one, or the one that replaces it once it is confirmed. */
export async function findUserBySignInEmail(db: Database, email: string): Promise<User | undefined> {
  const found = await db
    .select()
    .from(users)
    .where(and(or(eq(users.email, email), eq(users.pendingEmail, email)), isNull(users.deletedAt)));
  return found.find((user) => user.email === email) ?? found[0];
}

const userById = prepared((db) =>
  db
    .select()
    .from(users)
    .where(and(eq(users.id, sql.placeholder("userId")), isNull(users.deletedAt)))
    .prepare(),
);

export const findUserById = (db: Database, userId: number): Promise<User | undefined> =>
  userById(db).get({ userId });

export const hasUsers = (db: Database) => hasRows(db.select({ id: users.id }).from(users).limit(1));

const noUsers = sql<boolean>`not exists (select 1 from ${users} where ${users.deletedAt} is null)`;

/** The condition for the first account, and that for any further one, to be passed to `insertUser`. */
export const isFirstAccount: SQL = noUsers;
export const isFurtherAccount: SQL = sql`not ${noUsers}`;
/** The condition of `insertUser` that never holds. */
export const isNoAccount: SQL = sql`false`;

/**
 * The statement that creates an account; the first one is an administrator, whose address needs no proof. With `condition`, it fails unless the
 * condition holds in the batch.
 */
export function insertUser(db: Database, { email, ...user }: NewUser, condition?: SQL): Statement {
  const { isAdministrator = noUsers, verifiedByOwner = noUsers } = user;
  return db
    .insert(users)
    .values({ ...user, email: onlyWhile(condition, email), isAdministrator, verifiedByOwner });
}

/** The id of the account that an earlier statement of the batch creates, for `newAccount`: without it, that one fails. */
export const createdUserId = (email: string) =>
  sql<number>`(select ${users.id} from ${users} where ${users.email} = ${email})`;

export type CreatedUserId = ReturnType<typeof createdUserId>;

/** Whether an account was not created because the condition of `insertUser` did not hold. */
export const isSignUpRejected = (error: unknown) => violates(error, "not null", users.email);

/** Whether an account was not created or updated because the e-mail address is taken. */
export const isEmailTaken = (error: unknown) =>
  violates(error, "unique", users.email) || violates(error, "unique", users.pendingEmail);

/** The columns of an account whose address is not about to change. Links mailed to the new address end. */
export const NO_PENDING_EMAIL = {
  pendingEmail: null,
  verificationToken: null,
  verificationExpiry: null,
  releaseToken: null,
  releaseExpiry: null,
};

/** The columns of an address that was verified, and proved to be that of the account's owner. */
export const VERIFIED = { isVerified: true, verifiedByOwner: true, ...NO_PENDING_EMAIL };

/** Stores the answers; missing ones get the default, unless they were answered before. */
export const completeUserOnboarding = (
  db: Database,
  userId: number,
  answers: { usageType: UsageType | null; documentType: DocumentType | null },
  defaults: { usageType: UsageType; documentType: DocumentType },
) =>
  db
    .update(users)
    .set({
      onboardingCompleted: true,
      usageType: sql`coalesce(${answers.usageType}, ${users.usageType}, ${defaults.usageType})`,
      documentType: sql`coalesce(${answers.documentType}, ${users.documentType}, ${defaults.documentType})`,
    })
    .where(eq(users.id, userId))
    .returning()
    .get();

/** A single statement, to be used in a batch. */
export function updateUser(db: Database, userId: number, changes: UserChanges) {
  return db.update(users).set(changes).where(eq(users.id, userId)).returning();
}

/** The statement that records when the account was last used. Sessions and tokens do so once an hour. */
export function updateLastSeen(db: Database, userId: number | SQL<number>, lastSeenAt: string): Statement {
  return db.update(users).set({ lastSeenAt }).where(eq(users.id, userId));
}

/** The statement that stores a reset link. With `unchanged`, it fails unless that is true, see `isResetRejected`. */
export function insertPasswordReset(
  db: Database,
  reset: { tokenHash: string; userId: number | SQL<number>; expiresAt: string },
  unchanged?: Condition,
): Statement {
  return db.insert(passwordResets).values({ ...reset, userId: onlyWhile(unchanged, reset.userId) });
}

/** Whether a password reset failed because the account has changed since. */
export const isResetRejected = (error: unknown) => violates(error, "not null", passwordResets.userId);

const validReset = (tokenHash: string, now: string) =>
  and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.expiresAt, now));

/** The account of a reset link; undefined if the link is unknown, used or expired. */
export async function findPasswordResetOwner(
  db: Database,
  tokenHash: string,
  now: string,
): Promise<number | undefined> {
  const [row] = await db.select().from(passwordResets).where(validReset(tokenHash, now));
  return row?.userId;
}

/** Whether the link is the account's, and unused. */
export const isOpenReset = (userId: number, tokenHash: string, now: string): Condition =>
  exists(valuesOf(passwordResets.userId, and(validReset(tokenHash, now), eq(passwordResets.userId, userId))));

export function deletePasswordResets(db: Database, userId: number) {
  return db.delete(passwordResets).where(eq(passwordResets.userId, userId));
}

/** Ends the operator's link, which signs in without the password. */
export const deleteSignInLinks = (db: Database, userId: number): Statement =>
  db.delete(signInLinks).where(eq(signInLinks.userId, userId));

/** Expired sessions, devices, challenges and links, and authenticator apps that were never confirmed. */
export const expiredSignIns = (now: string): [table: SQLiteTable, which: SQL | undefined][] => [
  [challenges, lt(challenges.expiresAt, now)],
  [rememberedDevices, lt(rememberedDevices.expiresAt, now)],
  [signInLinks, lt(signInLinks.expiresAt, now)],
  [totp, and(isNull(totp.confirmedAt), lt(totp.pendingExpiresAt, now))],
  [sessions, lt(sessions.expire, now)],
  [passwordResets, lt(passwordResets.expiresAt, now)],
  [emailReverts, lt(emailReverts.expiresAt, now)],
  [ownerReverts, lt(ownerReverts.expiresAt, now)],
  [invitations, lt(invitations.expiresAt, now)],
];

/** Statements that replace the account's link by another one. They fail unless it is unchanged, see `isLinkRejected`. */
export function replaceSignInLink(
  db: Database,
  link: { tokenHash: string; userId: number; createdAt: string; expiresAt: string },
  unchanged: Condition,
): Statement[] {
  const { userId } = link;
  return [
    deleteSignInLinks(db, userId),
    db.insert(signInLinks).values({ ...link, userId: onlyWhile(unchanged, userId) }),
  ];
}

/** Whether the account has changed since it was read, so that it got no link. */
export const isLinkRejected = (error: unknown) => violates(error, "not null", signInLinks.userId);

/** Uses up the link. @returns its account, with its password then; undefined if it is unknown, used or has expired */
export async function claimSignInLink(
  db: Database,
  tokenHash: string,
  now: string,
): Promise<{ userId: number; password: string } | undefined> {
  const [used] = await db
    .delete(signInLinks)
    .where(and(eq(signInLinks.tokenHash, tokenHash), gt(signInLinks.expiresAt, now)))
    .returning({
      userId: signInLinks.userId,
      password: sql<string>`(select account.password from ${users} as account where account.id = sign_in_links.user_id)`,
    });
  return used;
}
