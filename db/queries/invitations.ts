import { and, desc, eq, exists, gt, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { invitations, notifications, users } from "../schema";
import { isFirstAccount } from "./users";

export type Invitation = typeof invitations.$inferSelect;

const validFor = (db: Database, email: string, now: string, tokenHash?: string): SQL =>
  exists(
    db
      .select({ id: invitations.id })
      .from(invitations)
      .where(
        and(
          eq(invitations.email, email),
          gt(invitations.expiresAt, now),
          tokenHash === undefined ? undefined : eq(invitations.tokenHash, tokenHash),
        ),
      ),
  );

/** Whether the address is invited, or nobody has an account, as a condition of `insertUser`. */
export const isInvitedOrFirst = (db: Database, email: string, now: string): SQL =>
  sql`(${validFor(db, email, now)} or ${isFirstAccount})`;

/** Whether the link is that of the address's invitation, as a condition of `insertUser`. */
export const isInvitedByLink = (
  db: Database,
  email: string,
  { tokenHash, now }: { tokenHash: string; now: string },
): SQL => validFor(db, email, now, tokenHash);

/** The invitation of a link; undefined if it is unknown, used, withdrawn or expired. */
export async function findInvitation(
  db: Database,
  tokenHash: string,
  now: string,
): Promise<Invitation | undefined> {
  return db.query.invitations.findFirst({
    where: and(eq(invitations.tokenHash, tokenHash), gt(invitations.expiresAt, now)),
  });
}

/** Open invitations, the latest first. */
export async function listInvitations(db: Database, now: string) {
  return db
    .select({
      id: invitations.id,
      email: invitations.email,
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .where(gt(invitations.expiresAt, now))
    .orderBy(desc(invitations.id));
}

/** The statement that creates an invitation. It fails if the address has an account. */
export function insertInvitation(
  db: Database,
  { email, ...invitation }: Omit<typeof invitations.$inferInsert, "id">,
): Statement {
  const account = db.select({ id: users.id }).from(users).where(eq(users.email, email));
  const free = sql<string>`case when not ${exists(account)} then ${email} end`;
  return db.insert(invitations).values({ ...invitation, email: free });
}

/** Whether an invitation was not made because the address has an account. */
export const isAlreadyAccount = (error: unknown) => violates(error, "not null", invitations.email);

/** Statements that end the address's invitation, and cancel its mail if that was not sent yet. */
export function deleteInvitation(db: Database, email: string): Statement[] {
  const mail = and(
    eq(notifications.kind, "account_invitation"),
    eq(notifications.recipient, email),
    eq(notifications.status, "queued"),
  );
  return [db.delete(notifications).where(mail), db.delete(invitations).where(eq(invitations.email, email))];
}
