import { and, gt, lt, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { challenges } from "../schema";
import { equals, hasRows } from "./query-helpers";

type NewCode = {
  userId: number;
  tokenHash: string;
  sid: string;
  codeHash: string;
  createdAt: string;
  expiresAt: string;
};

/** The statement that stores the code that was mailed to a session's user, replacing an earlier one. */
export function insertConfirmationCode(db: Database, { codeHash, ...code }: NewCode): Statement {
  const values = { ...code, kind: "reauthentication", sealedCode: codeHash, failures: 0 } as const;
  return db
    .insert(challenges)
    .values(values)
    .onConflictDoUpdate({ target: challenges.tokenHash, set: values });
}

/**
 * Counts a try before the code is compared, so that concurrent tries count as well.
 * @returns the hash of the code; undefined if there is none, or it has been tried too often
 */
export async function countConfirmationTry(
  db: Database,
  userId: number,
  tokenHash: string,
  { now, max }: { now: string; max: number },
): Promise<string | undefined> {
  const [row] = await db
    .update(challenges)
    .set({ failures: sql`${challenges.failures} + 1` })
    .where(
      and(
        equals(challenges, { tokenHash, userId, kind: "reauthentication" }),
        gt(challenges.expiresAt, now),
        lt(challenges.failures, max),
      ),
    )
    .returning({ codeHash: challenges.sealedCode });
  return row?.codeHash ?? undefined;
}

/** Claims the code. @returns whether nobody else had claimed it */
export const claimConfirmationCode = (db: Database, userId: number, tokenHash: string, codeHash: string) =>
  hasRows(
    db
      .delete(challenges)
      .where(equals(challenges, { tokenHash, userId, sealedCode: codeHash }))
      .returning({ tokenHash: challenges.tokenHash }),
  );
