import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { type Database, runBatch, type Statement } from "../client";
import { violates } from "../errors";
import { apiTokens, users } from "../schema";
import { unchangedAccount } from "./account-guards";
import { prepared } from "./prepared";
import { updateLastSeen } from "./users";

export type ApiToken = typeof apiTokens.$inferSelect;
type NewApiToken = Pick<ApiToken, "name" | "scope" | "tokenHash" | "prefix" | "createdAt" | "expiresAt">;

/** The account's tokens, newest first. */
export async function listApiTokens(db: Database, userId: number): Promise<ApiToken[]> {
  return db.query.apiTokens.findMany({ where: eq(apiTokens.userId, userId), orderBy: desc(apiTokens.id) });
}

/**
 * Creates a token, if the requesting session still exists.
 * @returns the token's row; undefined if the account already has `max` tokens
 */
export async function insertApiToken(
  db: Database,
  userId: number,
  token: NewApiToken,
  { sid, max }: { sid: string; max: number },
): Promise<ApiToken | undefined> {
  const { name, scope, tokenHash, prefix, createdAt, expiresAt } = token;
  const count = sql`(select count(*) from ${apiTokens} where ${apiTokens.userId} = ${userId})`;
  const [row] = await db
    .insert(apiTokens)
    .select(
      sql`select null, ${unchangedAccount(db, userId, { sid })}, ${name}, ${scope}, ${tokenHash}, ${prefix}, ${createdAt}, ${expiresAt}, null where ${count} < ${max}`,
    )
    .returning();
  return row;
}

/** Whether a token was rejected because the session has ended. */
export const isTokenRejected = (error: unknown) => violates(error, "not null", apiTokens.userId);

/** @returns whether the token existed */
export async function deleteApiToken(db: Database, userId: number, id: number): Promise<boolean> {
  const rows = await db
    .delete(apiTokens)
    .where(and(eq(apiTokens.userId, userId), eq(apiTokens.id, id)))
    .returning({ id: apiTokens.id });
  return rows.length > 0;
}

/** The statement that revokes every token of the account. */
export function deleteApiTokens(db: Database, userId: number): Statement {
  return db.delete(apiTokens).where(eq(apiTokens.userId, userId));
}

const tokenQuery = prepared((db) =>
  db
    .select({
      id: apiTokens.id,
      scope: apiTokens.scope,
      lastUsedAt: apiTokens.lastUsedAt,
      user: users,
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(
      and(
        eq(apiTokens.tokenHash, sql.placeholder("tokenHash")),
        or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, sql.placeholder("now"))),
        isNull(users.disabledAt),
      ),
    )
    .prepare(),
);

/** The token with this hash and its user. The token itself is the scope. */
export async function findApiToken(db: Database, tokenHash: string, now: string) {
  const [row] = await tokenQuery(db).all({ tokenHash, now });
  return row;
}

/** Records in which hour the token was last used. */
export async function updateApiTokenUse(
  db: Database,
  userId: number,
  id: number,
  usedAt: string,
): Promise<void> {
  await runBatch(db, [
    db
      .update(apiTokens)
      .set({ lastUsedAt: usedAt })
      .where(and(eq(apiTokens.userId, userId), eq(apiTokens.id, id))),
    updateLastSeen(db, userId, usedAt),
  ]);
}
