import { and, gt } from "drizzle-orm";
import type { Database } from "../client";
import { challenges } from "../schema";
import { equals } from "./query-helpers";

/** Somebody who is at a provider to allow an access: the session that has to come back, and the hash of the state. */
type PendingGrant = { userId: number; sid: string; tokenHash: string };

/** Stores what the provider's callback needs, sealed. */
export async function insertPendingGrant(
  db: Database,
  grant: PendingGrant & { sealed: string; createdAt: string; expiresAt: string },
): Promise<void> {
  const { sealed: sealedCode, ...row } = grant;
  await db.insert(challenges).values({ ...row, kind: "grant", sealedCode });
}

/** Claims what the callback needs. @returns undefined if it was claimed, has expired or belongs to another session */
export async function claimPendingGrant(
  db: Database,
  { userId, sid, tokenHash }: PendingGrant,
  now: string,
): Promise<string | undefined> {
  const [row] = await db
    .delete(challenges)
    .where(and(equals(challenges, { tokenHash, userId, sid, kind: "grant" }), gt(challenges.expiresAt, now)))
    .returning({ sealed: challenges.sealedCode });
  return row?.sealed ?? undefined;
}
