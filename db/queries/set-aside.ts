import { and, eq, inArray, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { FIRST_WORKSPACE } from "../../worker/contract/product";
import { type Database, runBatch, type Statement } from "../client";
import {
  apiTokens,
  contacts,
  destinations,
  envelopes,
  envelopeWatchers,
  invitations,
  ownerReverts,
  templates,
  users,
  webhooks,
  workspaceMembers,
  workspaces,
} from "../schema";
import { deleteInvitations } from "./handovers";
import { isMember } from "./members";
import { insertWorkspaces } from "./membership";
import { pick, valuesOf } from "./query-helpers";
import { lookAgain } from "./scheduled-envelopes";

/** Envelopes that get another link in one statement, during which nobody else is served. */
const PART = 100;

const ofAccount = (userId: number) => and(eq(workspaces.userId, userId), isNotNull(workspaces.setAsideAt));

/** Whether nobody has done anything with a workspace: the first one of an account, as it was created. */
const isUntouched = sql`(${workspaces.name} = ${FIRST_WORKSPACE} and ${workspaces.updatedAt} = ${workspaces.createdAt} and ${workspaces.logoUrl} is null
  and not exists (select 1 from ${envelopes} where ${envelopes.workspaceId} = ${workspaces.id})
  and not exists (select 1 from ${templates} where ${templates.workspaceId} = ${workspaces.id})
  and not exists (select 1 from ${contacts} where ${contacts.workspaceId} = ${workspaces.id})
  and not exists (select 1 from ${destinations} where ${destinations.workspaceId} = ${workspaces.id})
  and not exists (select 1 from ${workspaceMembers} as other where other.workspace_id = ${workspaces.id} and other.user_id <> ${workspaces.userId}))`;

/**
 * Statements that close what was made in an account before its address was proved, when somebody proves it who may not be
 * its maker: its workspaces lose all their members, links, API tokens, webhooks and invitations, until the owner keeps or
 * deletes them. Members without another workspace get a new one. A workspace in which nothing was done stays.
 */
export function setWorkspacesAside(db: Database, userId: number, now: string): Statement[] {
  const ids = sql`(select mine.id from ${workspaces} as mine where mine.user_id = ${userId} and mine.set_aside_at is not null)`;
  const members = sql`select here.user_id from ${workspaceMembers} as here where here.workspace_id in ${ids}`;
  const elsewhere = sql`exists (select 1 from ${workspaceMembers} as other where other.user_id = ${users.id} and other.workspace_id not in ${ids})`;
  return [
    db
      .update(workspaces)
      .set({ setAsideAt: now, deletedAt: now })
      .where(
        and(
          ...[eq(workspaces.userId, userId), isNull(workspaces.deletedAt), sql`not ${isUntouched}`],
          // Whoever is no owner any more would get it back.
          isMember(workspaces.id, { userId, role: "owner" }),
        ),
      ),
    ...insertWorkspaces(db, members, elsewhere, now),
    db.delete(apiTokens).where(inArray(apiTokens.workspaceId, ids)),
    db.delete(webhooks).where(or(inArray(webhooks.workspaceId, ids), eq(webhooks.userId, userId))),
    ...deleteInvitations(db, inArray(invitations.workspaceId, ids)),
    // An owner who was removed or demoted could return.
    db.delete(ownerReverts).where(inArray(ownerReverts.workspaceId, ids)),
    db.delete(workspaceMembers).where(inArray(workspaceMembers.workspaceId, ids)),
    db.update(users).set({ lastWorkspaceId: null }).where(eq(users.id, userId)),
    updateQuestion(db, userId),
  ];
}

/** The statement that records whether the owner has still to decide about a workspace. */
const updateQuestion = (db: Database, userId: number): Statement =>
  db
    .update(users)
    .set({ hasSetAside: sql`exists (select 1 from ${workspaces} where ${ofAccount(userId)})` })
    .where(eq(users.id, userId));

/** The account's workspaces that wait for its decision, with what is in them. */
export async function listSetAside(db: Database, userId: number) {
  const count = (table: typeof envelopes | typeof templates | typeof contacts) =>
    sql<number>`(select count(*) from ${table} as inside where inside.workspace_id = "workspaces"."id")`;
  return db
    .select({
      ...pick(workspaces, "id", "name", "createdAt"),
      envelopes: count(envelopes),
      templates: count(templates),
      contacts: count(contacts),
    })
    .from(workspaces)
    .where(ofAccount(userId))
    .orderBy(workspaces.id);
}

/** The condition under which this workspace waits for the account's decision. */
const isWaiting = (userId: number, id: number): SQL =>
  sql`exists (select 1 from ${workspaces} where ${and(ofAccount(userId), eq(workspaces.id, id))})`;

/**
 * Gives some envelopes of a workspace that waits for a decision new links, and its account as their assignee: whoever made
 * them may know the links. @returns the last one's id; undefined if there are no more
 */
export async function renewSomeLinks(
  db: Database,
  userId: number,
  { workspaceId, after }: { workspaceId: number; after: number },
): Promise<number | undefined> {
  const part = sql`(select ${envelopes.id} from ${envelopes} where ${envelopes.workspaceId} = ${workspaceId} and ${envelopes.id} > ${after} order by ${envelopes.id} limit ${sql.raw(String(PART))})`;
  const renewed = await db
    .update(envelopes)
    .set({ ...lookAgain, submissionToken: sql`lower(hex(randomblob(32)))`, userId })
    .where(and(inArray(envelopes.id, part), isWaiting(userId, workspaceId)))
    .returning({ id: envelopes.id });
  return renewed.length === 0 ? undefined : Math.max(...renewed.map(({ id }) => id));
}

/** Makes the account the only member of a workspace that waits for its decision, once its links are new. */
export async function keepWorkspace(
  db: Database,
  userId: number,
  { workspaceId, now }: { workspaceId: number; now: string },
): Promise<void> {
  const isTheirs = (table: typeof contacts | typeof templates) =>
    and(eq(table.workspaceId, workspaceId), ne(table.userId, userId), isWaiting(userId, workspaceId));
  const here = valuesOf(
    envelopes.id,
    and(eq(envelopes.workspaceId, workspaceId), isWaiting(userId, workspaceId)),
  );
  await runBatch(db, [
    db
      .delete(envelopeWatchers)
      .where(and(ne(envelopeWatchers.userId, userId), inArray(envelopeWatchers.envelopeId, here))),
    db.update(contacts).set({ userId }).where(isTheirs(contacts)),
    db.update(templates).set({ userId }).where(isTheirs(templates)),
    db
      .insert(workspaceMembers)
      .select(
        sql`select ${workspaces.id}, ${workspaces.userId}, 'owner', ${now} from ${workspaces} where ${and(ofAccount(userId), eq(workspaces.id, workspaceId))}`,
      ),
    db
      .update(workspaces)
      .set({ setAsideAt: null, deletedAt: null })
      .where(and(ofAccount(userId), eq(workspaces.id, workspaceId))),
    updateQuestion(db, userId),
  ]);
}

/** Leaves a workspace that waits for the account's decision to the job that deletes. @returns whether it was waiting */
export async function discardWorkspace(db: Database, userId: number, workspaceId: number): Promise<boolean> {
  const [discarded] = await db.batch([
    db
      .update(workspaces)
      .set({ setAsideAt: null })
      .where(and(ofAccount(userId), eq(workspaces.id, workspaceId)))
      .returning({ id: workspaces.id }),
    updateQuestion(db, userId),
  ]);
  return discarded.length > 0;
}
