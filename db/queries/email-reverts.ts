import { and, eq, exists, gt, gte, inArray, isNull, ne, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { emailReverts, passwordResets, signInLinks, users } from "../schema";
import type { Condition } from "./guard";
import { equals, valuesOf } from "./query-helpers";
import { NO_PENDING_EMAIL } from "./users";

export type EmailRevert = typeof emailReverts.$inferSelect;

export function insertEmailRevert(db: Database, revert: typeof emailReverts.$inferInsert): Statement {
  return db.insert(emailReverts).values(revert);
}

const valid = (tokenHash: string, now: string) =>
  and(eq(emailReverts.tokenHash, tokenHash), gt(emailReverts.expiresAt, now));

/** The change that a link undoes; undefined if the link is unknown, used or expired. */
export const findEmailRevert = (db: Database, tokenHash: string, now: string) =>
  db.select().from(emailReverts).where(valid(tokenHash, now)).get();

export const canRevert = (tokenHash: string, now: string): Condition =>
  exists(
    valuesOf(
      emailReverts.id,
      and(valid(tokenHash, now), inArray(emailReverts.userId, valuesOf(users.id, isNull(users.disabledAt)))),
    ),
  );

/** Whether the owner of this address can still undo a change of the account's address. */
export async function isRevertible(
  db: Database,
  userId: number,
  email: string,
  now: string,
): Promise<boolean> {
  const found = await db
    .select({ id: emailReverts.id })
    .from(emailReverts)
    .where(
      and(eq(emailReverts.userId, userId), eq(emailReverts.email, email), gt(emailReverts.expiresAt, now)),
    )
    .limit(1);
  return found.length > 0;
}

/** The statement that voids the account's links, or those from this one on. */
export function deleteEmailReverts(db: Database, userId: number, since?: EmailRevert): Statement {
  return db
    .delete(emailReverts)
    .where(and(eq(emailReverts.userId, userId), since && gte(emailReverts.id, since.id)));
}

/** The statement that voids the account's links, unless its owner has verified the address that they would undo. */
export function deleteUnprovenReverts(db: Database, userId: number): Statement {
  const unproven = valuesOf(users.id, and(eq(users.id, userId), eq(users.verifiedByOwner, false)));
  return db.delete(emailReverts).where(inArray(emailReverts.userId, unproven));
}

/**
 * Statements that remove an address from another account that has not proved it, and void every link mailed to it. That
 * account keeps its session and can choose another address.
 */
export function releaseUnprovedEmail(db: Database, userId: number, email: string): Statement[] {
  const claim = and(equals(users, { email, verifiedByOwner: false }), ne(users.id, userId));
  const claimant = valuesOf(users.id, claim);
  return [
    db.delete(passwordResets).where(eq(passwordResets.userId, sql`(${claimant})`)),
    db.delete(signInLinks).where(eq(signInLinks.userId, sql`(${claimant})`)),
    db
      .update(users)
      .set({
        // Nobody can have registered it before.
        email: sql`'released-' || lower(hex(randomblob(16))) || '@address.invalid'`,
        isVerified: false,
        ...NO_PENDING_EMAIL,
      })
      .where(claim),
  ];
}
