import { and, eq, gt, gte, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { ownerReverts, users, workspaceMembers, workspaces } from "../schema";
import { expireEarlierTokens, isMember, isOpenWorkspace, type Member } from "./members";
import type { MemberKey } from "./people";
import { equals, valuesOf } from "./query-helpers";

type NewOwnerRevert = Pick<typeof ownerReverts.$inferInsert, "tokenHash" | "createdAt" | "expiresAt">;

/** The statement that stores a link for a member while the condition about their membership `me` holds. */
const insertLink = (
  db: Database,
  { workspaceId, userId }: MemberKey,
  actorId: number | null,
  { tokenHash, createdAt, expiresAt }: NewOwnerRevert,
  condition: SQL,
): Statement =>
  db.insert(ownerReverts).select(
    // All columns in table order, as `insert … select` requires.
    sql`select null, ${tokenHash}, me.workspace_id, me.user_id, ${actorId}, me.created_at, ${createdAt}, ${expiresAt} from ${workspaceMembers} as me where me.workspace_id = ${workspaceId} and me.user_id = ${userId} and ${condition}`,
  );

/**
 * The statements that store a link for an owner whom the caller removes or demotes, in place of those that others have made
 * for them; must precede that. Whom others have demoted is an owner for as long as that link works. Stores none for who is no
 * owner, nor if the caller has made one for them since `unlessSince`, nor if they became a member at `unlessFrom` or later.
 */
export function insertOwnerRevert(
  db: Database,
  caller: Member,
  key: MemberKey,
  link: NewOwnerRevert,
  { unlessSince, unlessFrom }: { unlessSince?: string; unlessFrom?: string } = {},
): Statement[] {
  const { workspaceId, userId } = key;
  const { tokenHash, createdAt } = link;
  const earlier = (which: SQL) =>
    sql`exists (select 1 from ${ownerReverts} as earlier where earlier.workspace_id = ${workspaceId} and earlier.user_id = ${userId} and ${which})`;
  const isOwner = sql`(me.role = 'owner' or ${earlier(sql`earlier.actor_id is not ${caller.userId} and earlier.expires_at > ${createdAt}`)})`;
  const again =
    unlessSince === undefined
      ? sql`0`
      : earlier(sql`earlier.actor_id = ${caller.userId} and earlier.created_at > ${unlessSince}`);
  const isSenior = unlessFrom === undefined ? sql`1` : sql`me.created_at < ${unlessFrom}`;
  const { workspaceId: where, userId: whom, actorId } = ownerReverts;
  return [
    insertLink(
      ...([db, key, caller.userId, link] as const),
      sql`${isOwner} and ${isSenior} and me.user_id <> ${caller.userId} and not ${again}`,
    ),
    db
      .delete(ownerReverts)
      .where(
        and(
          ...[eq(where, workspaceId), eq(whom, userId)],
          ...[sql`${actorId} is not ${caller.userId}`, hasOwnerRevert(tokenHash)],
        ),
      ),
  ];
}

/** Whether the batch has stored a link with this hash. */
export const hasOwnerRevert = (tokenHash: string): SQL =>
  sql`exists (select 1 from ${ownerReverts} as made where made.token_hash = ${tokenHash})`;

/** The link's token if the batch has stored it, otherwise null. */
export const tokenByRevert = (tokenHash: string, token: string): SQL<string | null> =>
  sql`iif(${hasOwnerRevert(tokenHash)}, ${token}, null)`;

/** One payload if the batch has stored the link, otherwise the other one. */
export const payloadByRevert = <Payload>(tokenHash: string, stored: Payload, otherwise: Payload) =>
  sql<Payload>`iif(${hasOwnerRevert(tokenHash)}, ${JSON.stringify(stored)}, ${JSON.stringify(otherwise)})`;

/** Whether a link works: its workspace is there, and the account of its owner is enabled. */
const isValid = (tokenHash: string, now: string) =>
  and(
    eq(ownerReverts.tokenHash, tokenHash),
    gt(ownerReverts.expiresAt, now),
    isOpenWorkspace(ownerReverts.workspaceId),
    sql`exists (select 1 from ${users} as former where former.id = ${ownerReverts.userId} and former.disabled_at is null)`,
  );

/** What a link undoes, and the workspace's name; undefined if it is unknown, used or expired, or see `isValid`. */
export async function findOwnerRevert(db: Database, tokenHash: string, now: string) {
  const { id, workspaceId, userId, actorId, memberSince, createdAt } = ownerReverts;
  return db
    .select({ id, workspaceId, userId, actorId, memberSince, createdAt, workspace: workspaces.name })
    .from(ownerReverts)
    .innerJoin(workspaces, eq(workspaces.id, workspaceId))
    .where(isValid(tokenHash, now))
    .get();
}

export type OwnerRevert = NonNullable<Awaited<ReturnType<typeof findOwnerRevert>>>;

/** The statements that make the former owner an owner again. Fail if the link was used meanwhile, see `isRevertVoid`. */
export function restoreOwner(
  db: Database,
  { workspaceId, userId: formerId, memberSince }: OwnerRevert,
  { tokenHash, now }: { tokenHash: string; now: string },
): Statement[] {
  const userId = sql<number>`(${valuesOf(ownerReverts.userId, isValid(tokenHash, now))})`;
  return [
    expireEarlierTokens(db, formerId, workspaceId, now),
    db
      .insert(workspaceMembers)
      .values({ workspaceId, userId, role: "owner", createdAt: memberSince })
      .onConflictDoUpdate({
        target: [workspaceMembers.workspaceId, workspaceMembers.userId],
        // Who has joined again since is of no less standing.
        set: { role: "owner", createdAt: memberSince },
      }),
  ];
}

/** Whether nobody was made an owner again, because the link was used, or is not valid any more. */
export const isRevertVoid = (error: unknown) => violates(error, "not null", workspaceMembers.userId);

/**
 * The statement that voids a link, and those that whoever had removed or demoted the owner has got since: of two who remove
 * each other, the one who was removed first stays. Links of whoever has been a member for longer remain.
 */
export function deleteOwnerRevert(
  db: Database,
  { id, workspaceId, actorId, memberSince, createdAt }: OwnerRevert,
): Statement {
  const theirs =
    actorId === null
      ? undefined
      : and(
          equals(ownerReverts, { workspaceId, userId: actorId }),
          gte(ownerReverts.createdAt, createdAt),
          gte(ownerReverts.memberSince, memberSince),
        );
  return db.delete(ownerReverts).where(or(eq(ownerReverts.id, id), theirs));
}

/**
 * The statements for a caller who leaves the workspace, or gives up their role, by themselves, which they must precede: the
 * links that were mailed end. One is stored that nobody knows, for `listLostWorkspaces`: it may have been somebody else.
 */
export const withdrawOwnerReverts = (
  db: Database,
  caller: Member,
  workspaceId: number,
  link: NewOwnerRevert,
): Statement[] => {
  const key = { workspaceId, userId: caller.userId };
  const own = equals(ownerReverts, key);
  const isOwner = sql`(me.role = 'owner' or exists (select 1 from ${ownerReverts} where ${own} and ${ownerReverts.expiresAt} > ${link.createdAt}))`;
  return [
    insertLink(db, key, null, link, isOwner),
    db.delete(ownerReverts).where(and(own, ne(ownerReverts.tokenHash, link.tokenHash))),
  ];
};

/** Whose number nobody can raise much: each takes another owner. */
const LOST_AT_ONCE = 100;

/**
 * The workspaces in which an account is no owner any more that it has left, or whose role it has given up, by itself, after
 * that time; with `since`, also those where others ended that from then on. Each by the id of its link.
 */
export const listLostWorkspaces = (
  db: Database,
  userId: number,
  { after, since }: { after: string; since: string | undefined },
) =>
  db
    .select({ id: ownerReverts.id, workspace: workspaces.name })
    .from(ownerReverts)
    .innerJoin(workspaces, eq(workspaces.id, ownerReverts.workspaceId))
    .where(
      and(
        eq(ownerReverts.userId, userId),
        // Not by the end of the link, which each renewal puts off.
        gt(ownerReverts.createdAt, after),
        isOpenWorkspace(ownerReverts.workspaceId),
        sql`not ${isMember(ownerReverts.workspaceId, { userId, role: "owner" })}`,
        or(
          isNull(ownerReverts.actorId),
          since === undefined ? undefined : gte(ownerReverts.createdAt, since),
        ),
      ),
    )
    .limit(LOST_AT_ONCE);

/** The statement that gives such a link another token. */
export const renewOwnerRevert = (
  db: Database,
  userId: number,
  id: number,
  fields: Pick<NewOwnerRevert, "tokenHash" | "expiresAt">,
): Statement => db.update(ownerReverts).set(fields).where(equals(ownerReverts, { id, userId }));
