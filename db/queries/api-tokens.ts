import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { type Database, runBatch, runBatchAndRead, type Statement } from "../client";
import { violates } from "../errors";
import { apiTokens, users } from "../schema";
import { isUnchanged } from "./account-guards";
import { stopBulkSends } from "./bulk-sends";
import { onlyWhile } from "./guard";
import { isMember } from "./members";
import { equals, pick, prepared } from "./query-helpers";
import { updateLastSeen } from "./users";
import { switchOffTokenWebhooks } from "./webhooks";

export type ApiToken = typeof apiTokens.$inferSelect;
type NewApiToken = Pick<
  ApiToken,
  "name" | "scope" | "tokenHash" | "prefix" | "createdAt" | "expiresAt" | "workspaceId"
>;

export const listApiTokens = (db: Database, userId: number) =>
  db.select().from(apiTokens).where(eq(apiTokens.userId, userId)).orderBy(desc(apiTokens.id));

/**
 * Creates a token, if the requesting session still exists.
 * @returns the token's row; undefined if the account already has `max` tokens or is no member of the token's workspace
 */
export async function insertApiToken(
  db: Database,
  userId: number,
  token: NewApiToken,
  { sid, max }: { sid: string; max: number },
): Promise<ApiToken | undefined> {
  const { name, scope, tokenHash, prefix, createdAt, expiresAt, workspaceId } = token;
  const ofOwnWorkspace = workspaceId === null ? sql`1` : isMember(workspaceId, { userId, role: "viewer" });
  const count = sql`(select count(*) from ${apiTokens} where ${apiTokens.userId} = ${userId})`;
  return db
    .insert(apiTokens)
    .select(
      sql`select null, ${onlyWhile(isUnchanged(db, userId, { sid }), userId)}, ${name}, ${scope}, ${tokenHash}, ${prefix}, ${createdAt}, ${expiresAt}, null, ${workspaceId} where ${count} < ${max} and ${ofOwnWorkspace}`,
    )
    .returning()
    .get();
}

export const countApiTokens = (db: Database, userId: number): Promise<number> =>
  db.$count(apiTokens, eq(apiTokens.userId, userId));

/** Whether a token was rejected because the session has ended. */
export const isTokenRejected = (error: unknown) => violates(error, "not null", apiTokens.userId);

/** Ends what the account's token may do, before it is deleted in parts. */
export const expireApiToken = (db: Database, userId: number, id: number, now: string): Statement =>
  db.update(apiTokens).set({ expiresAt: now }).where(equals(apiTokens, { userId, id }));

/** Revokes a token, and ends the webhooks and bulk sends that it has made. @returns whether the token existed */
export async function deleteApiToken(
  db: Database,
  userId: number,
  id: number,
  now: string,
): Promise<boolean> {
  const deletion = db
    .delete(apiTokens)
    .where(and(eq(apiTokens.userId, userId), eq(apiTokens.id, id)))
    .returning({ id: apiTokens.id });
  const ended = [
    ...switchOffTokenWebhooks(db, userId, id),
    ...stopBulkSends(db, "bulk_send_stopped", now, { userId, apiTokenId: id }),
  ];
  const rows = await runBatchAndRead(db, ended, deletion);
  return rows.length > 0;
}

/** The statements that revoke every token of the account, and switch off the webhooks that end with them. */
export function deleteApiTokens(db: Database, userId: number): Statement[] {
  return [...switchOffTokenWebhooks(db, userId), db.delete(apiTokens).where(eq(apiTokens.userId, userId))];
}

const tokenQuery = prepared((db) =>
  db
    .select({
      ...pick(apiTokens, "id", "scope", "lastUsedAt", "workspaceId"),
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
export const findApiToken = (db: Database, tokenHash: string, now: string) =>
  tokenQuery(db).get({ tokenHash, now });

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
