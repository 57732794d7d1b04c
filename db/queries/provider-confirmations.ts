import { and, eq, gt } from "drizzle-orm";
import { type Database, runBatch } from "../client";
import { challenges } from "../schema";
import type { ProviderConfirmation } from "../schema/second-factors";
import { hasRows } from "./query-helpers";

export type { ProviderConfirmation, ProviderProfile } from "../schema/second-factors";

const ofSession = (userId: number, sid: string) =>
  and(eq(challenges.userId, userId), eq(challenges.sid, sid), eq(challenges.kind, "provider"));

/** Stores what the session's user has to confirm, instead of what it was before. */
export async function replaceProviderConfirmation(
  db: Database,
  userId: number,
  sid: string,
  confirmation: ProviderConfirmation,
  times: { tokenHash: string; createdAt: string; expiresAt: string },
): Promise<void> {
  await runBatch(db, [
    db.delete(challenges).where(ofSession(userId, sid)),
    db
      .insert(challenges)
      .values({ ...times, userId, sid, kind: "provider", providerConfirmation: confirmation }),
  ]);
}

export async function findProviderConfirmation(
  db: Database,
  userId: number,
  sid: string,
  now: string,
): Promise<(ProviderConfirmation & { id: string }) | undefined> {
  const [row] = await db
    .select({ id: challenges.tokenHash, confirmation: challenges.providerConfirmation })
    .from(challenges)
    .where(and(ofSession(userId, sid), gt(challenges.expiresAt, now)));
  return row?.confirmation ? { ...row.confirmation, id: row.id } : undefined;
}

/** Claims what was confirmed. @returns whether this call is the only one to have it */
export const claimProviderConfirmation = (db: Database, userId: number, sid: string, id: string) =>
  hasRows(
    db
      .delete(challenges)
      .where(and(ofSession(userId, sid), eq(challenges.tokenHash, id)))
      .returning({ id: challenges.tokenHash }),
  );
