import { and, eq, exists, gt, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { invitations } from "../schema";

const valid = (db: Database, email: string, now: string) =>
  db
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(eq(invitations.email, email), gt(invitations.expiresAt, now)));

/** Whether the address is invited, as a condition of `insertUser`. */
export const isInvited = (db: Database, email: string, now: string): SQL => exists(valid(db, email, now));

/** What never holds, as a condition of `insertUser`. */
export const NEVER: SQL = sql`0`;

/** The statement that ends the address's invitation, which is of use only once. */
export function deleteInvitation(db: Database, email: string): Statement {
  return db.delete(invitations).where(eq(invitations.email, email));
}
