import { and, eq, gt, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { signInLinks } from "../schema";

/** Statements that replace the account's link by another one. */
export function replaceSignInLink(
  db: Database,
  userId: number,
  link: { tokenHash: string; userId: SQL<number>; createdAt: string; expiresAt: string },
): Statement[] {
  return [db.delete(signInLinks).where(eq(signInLinks.userId, userId)), db.insert(signInLinks).values(link)];
}

/** Whether the account has changed since it was read, so that it got no link. */
export const isLinkRejected = (error: unknown) => violates(error, "not null", signInLinks.userId);

/** Uses up the link. @returns the id of its account; undefined if it is unknown, used or has expired */
export async function claimSignInLink(
  db: Database,
  tokenHash: string,
  now: string,
): Promise<number | undefined> {
  const [used] = await db
    .delete(signInLinks)
    .where(and(eq(signInLinks.tokenHash, tokenHash), gt(signInLinks.expiresAt, now)))
    .returning({ userId: signInLinks.userId });
  return used?.userId;
}
