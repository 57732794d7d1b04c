import { and, eq, exists, gt, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { notifications, passwordResets, users } from "../schema";
import { ownSession } from "./account-guards";
import type { Condition } from "./guard";
import { notificationColumns } from "./notifications";
import { hasRows, valuesOf } from "./query-helpers";
import { NO_PENDING_EMAIL, type User, type UserChanges, updateUser, VERIFIED } from "./users";

/**
 * The statement that changes the account's address: once it is confirmed or, if the current one was never verified, at
 * once, unproved. `verification` is the link to confirm it.
 * @param keepsProved whether an address that is proved stays as well: without a mail server, nobody could confirm another
 */
export function updateEmail(
  db: Database,
  userId: number,
  { email, ...changes }: UserChanges & { email: string },
  verification: Pick<User, "verificationToken" | "verificationExpiry">,
  { keepsProved }: { keepsProved: boolean },
): Statement {
  const stays = sql`(${users.isVerified} or (${keepsProved} and ${users.verifiedByOwner}))`;
  return db
    .update(users)
    .set({
      ...changes,
      ...NO_PENDING_EMAIL,
      ...verification,
      email: sql`case when ${stays} then ${users.email} else ${email} end`,
      verifiedByOwner: sql`${stays} and ${users.verifiedByOwner}`,
      pendingEmail: email,
    })
    .where(eq(users.id, userId));
}

const validVerification = (tokenHash: string, now: string) =>
  and(eq(users.verificationToken, tokenHash), gt(users.verificationExpiry, now));

/** The account of a link to confirm an address; undefined if the link is unknown, used or expired. */
export const findUserByVerification = (db: Database, tokenHash: string, now: string) =>
  db.select().from(users).where(validVerification(tokenHash, now)).get();

/** A link to confirm an address, used from a session of its account, or from elsewhere. */
type Verification = { tokenHash: string; sid: string | undefined; now: string };

/**
 * Marks the account's address as verified and, from a session, as proved. A changed address is verified from a session
 * only. Until the address is proved, the link goes on working in a session.
 * @returns false unless the link and the session are still valid
 */
export function verifyUser(
  db: Database,
  userId: number,
  { tokenHash, sid, now }: Verification,
): Promise<boolean> {
  const allowed = sid === undefined ? isNull(users.pendingEmail) : exists(ownSession(sid));
  return hasRows(
    db
      .update(users)
      .set(
        sid === undefined
          ? {
              isVerified: true,
              verificationToken: sql`case when not ${users.verifiedByOwner} then ${users.verificationToken} end`,
            }
          : VERIFIED,
      )
      .where(and(eq(users.id, userId), validVerification(tokenHash, now), allowed))
      .returning({ id: users.id }),
  );
}

/** Whether the account's pending address can be confirmed by this link and session. */
export const canConfirm = (tokenHash: string, sid: string, now: string): Condition =>
  exists(
    valuesOf(
      users.id,
      and(validVerification(tokenHash, now), isNotNull(users.pendingEmail), exists(ownSession(sid))),
    ),
  );

/** Statements that replace the account's address with its pending one, and void the links mailed to the old one. */
export function confirmPendingEmail(db: Database, userId: number, email: string): Statement[] {
  return [
    updateUser(db, userId, { email, ...VERIFIED }),
    db.delete(passwordResets).where(eq(passwordResets.userId, userId)),
  ];
}

/**
 * Statements that take an address from the account that waits for its confirmation, because somebody else now signs up
 * with it. That account keeps its own address, and is notified there. An account that has no other address keeps it.
 */
export function releasePendingEmail(db: Database, email: string, now: string): Statement[] {
  return [...release(db, eq(users.pendingEmail, email), now)];
}

/** The same by the link of `email_claimed`. @returns the account; undefined unless the link is still valid */
export async function releaseByToken(
  db: Database,
  tokenHash: string,
  now: string,
): Promise<number | undefined> {
  const valid = and(eq(users.releaseToken, tokenHash), gt(users.releaseExpiry, now));
  const [, rows] = await db.batch(release(db, valid, now));
  return rows[0]?.id;
}

function release(db: Database, account: SQL | undefined, now: string) {
  const where = and(account, ne(users.email, users.pendingEmail));
  const notices = db
    .select(
      notificationColumns({
        kind: "email_released",
        payload: { address: users.pendingEmail },
        dedupeKey: sql`'email_released:' || lower(hex(randomblob(16)))`,
        now,
      }),
    )
    .from(users)
    .where(where);
  return [
    db.insert(notifications).select(notices),
    db.update(users).set(NO_PENDING_EMAIL).where(where).returning({ id: users.id }),
  ] as const;
}
