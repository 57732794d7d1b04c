import { and, eq, exists, inArray, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountRemoval } from "../../worker/contract/administration";
import type { Role } from "../../worker/contract/options";
import { FIRST_WORKSPACE } from "../../worker/contract/product";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import {
  contacts,
  envelopeEvents,
  envelopes,
  envelopeWatchers,
  formerUsers,
  notifications,
  templates,
  templateUses,
  users,
  workspaceMembers,
  workspaces,
} from "../schema";
import { insertAttachmentDeletions } from "./attachments";
import { insertLogoDeletions } from "./brands";
import { insertSubmissionDeletions } from "./file-deletions";
import { all, onlyWhile } from "./guard";
import {
  assigneeOf,
  deleteInvitationsBy,
  nextOwner,
  passOnEntries,
  passOnWebhooks,
  reassign,
  stopWatching,
  stopWatchingSome,
} from "./handovers";
import { deleteInvitationsTo } from "./invitations";
import { hasEnabledOwner, insertFirstOwners, isMember, type Member } from "./members";
import { isInWorkspace, isRow, type MemberKey } from "./people";
import { equals, hasRows, valuesOf } from "./query-helpers";
import { bytesIn } from "./quotas";
import { lookAgain } from "./scheduled-envelopes";
import { leaveSeries } from "./series";
import { insertUploadDeletions, uploadsOf } from "./uploads";
import { switchOffKnownWebhooks } from "./webhooks";
import { changedRole, fullName, insertActivities, insertActivity, personTarget } from "./workspace-activity";

/**
 * The statement that gives a member a role, or checks that they may be removed. Unless the caller has the role that they
 * ask for and an enabled owner remains, the role becomes NULL, which violates NOT NULL: the whole batch fails, see
 * `isMemberKept`.
 */
export function guardMember(db: Database, caller: Member, key: MemberKey, role?: Role): Statement {
  const remains =
    role === "owner"
      ? sql`1`
      : sql`(${workspaceMembers.role} <> 'owner' or ${nextOwner(key.workspaceId, key.userId, { enabled: true })} is not null)`;
  const changed = role === undefined ? sql`${workspaceMembers.role}` : sql`${role}`;
  return db
    .update(workspaceMembers)
    .set({
      role: onlyWhile(and(isMember(key.workspaceId, caller), remains), changed),
    })
    .where(isRow(key));
}

/** Envelopes that one batch reassigns, and other rows of a member that one batch passes on. */
const REASSIGNED_AT_ONCE = 300;

/** Whether so much is assigned to a member that it is to be reassigned in parts, before they are removed or made a viewer. */
export async function isAssignedMuch(
  db: Database,
  caller: Member,
  { workspaceId, userId }: MemberKey,
): Promise<boolean> {
  const rows = await db
    .select({ id: envelopes.id })
    .from(envelopes)
    .where(and(equals(envelopes, { workspaceId, userId }), isMember(workspaceId, caller)))
    .limit(REASSIGNED_AT_ONCE);
  return rows.length === REASSIGNED_AT_ONCE;
}

/** The statements that reassign some of a member's envelopes. They fail as the removal does. */
export const reassignSome = (
  db: Database,
  caller: Member,
  key: MemberKey,
  assigneeId: number,
): Statement[] => [guardMember(db, caller, key), ...reassign(db, key, assigneeId, REASSIGNED_AT_ONCE)];

/** Whether a member watches or has so much else that it is to be passed on in parts, once their envelopes are. */
const hasManyRows = (workspaceId: SQL | number, userId: number): SQL => {
  const many = (rows: SQL) =>
    sql`(select 1 from ${rows} limit 1 offset ${REASSIGNED_AT_ONCE - 1}) is not null`;
  const ofOthers = sql`cross join ${envelopes} as envelope on envelope.id = own.envelope_id and envelope.workspace_id = ${workspaceId} and envelope.user_id <> ${userId} where own.user_id = ${userId}`;
  return sql`(${many(sql`${contacts} as own where +own.workspace_id = ${workspaceId} and own.user_id = ${userId}`)}
    or ${many(sql`${templateUses} as own ${ofOthers}`)} or ${many(sql`${envelopeWatchers} as own ${ofOthers}`)})`;
};

/** The same of a member who is to be removed. */
export const hasManyOtherRows = (db: Database, caller: Member, { workspaceId, userId }: MemberKey) =>
  hasRows(
    db
      .select({ id: workspaces.id })
      .from(workspaces)
      .where(
        all(eq(workspaces.id, workspaceId), isMember(workspaceId, caller), hasManyRows(workspaceId, userId)),
      ),
  );

const passOnSomeRows = (db: Database, key: MemberKey) => [
  ...stopWatchingSome(db, key, REASSIGNED_AT_ONCE),
  ...passOnEntries(db, key, REASSIGNED_AT_ONCE),
];

/** The statements that pass on some of it. They fail as the removal does. */
export const passOnSomeRowsOf = (db: Database, caller: Member, key: MemberKey): Statement[] => [
  guardMember(db, caller, key),
  ...passOnSomeRows(db, key),
];

/** Whether a member kept their role because the caller's has changed, or because they are the last owner. */
export const isMemberKept = (error: unknown) => violates(error, "not null", workspaceMembers.role);

/** The statements that change a member's role. What was assigned to a viewer goes to the caller or the next owner. */
export function updateMemberRole(
  db: Database,
  caller: Member,
  key: MemberKey,
  { role, now }: { role: Role; now: string },
): Statement[] {
  const { workspaceId, userId } = key;
  const isChange = sql`exists (select 1 from ${workspaceMembers} where ${isRow(key)} and ${workspaceMembers.role} <> ${role})`;
  return [
    insertActivity(
      db,
      caller,
      {
        ...{ workspaceId, type: "member.role_changed", target: personTarget(userId), now },
        detail: changedRole(
          sql`(select ${workspaceMembers.role} from ${workspaceMembers} where ${isRow(key)})`,
          role,
        ),
      },
      isChange,
    ),
    guardMember(db, caller, key, role),
    ...(role === "viewer"
      ? [...reassign(db, key, caller.userId), ...leaveSeries(db, userId, now, workspaceId)]
      : []),
    ...(role === "owner"
      ? []
      : [
          ...deleteInvitationsBy(db, userId, workspaceId),
          ...deleteInvitationsTo(db, userId, workspaceId),
          ...switchOffKnownWebhooks(db, userId, { workspaceId, now }),
          ...passOnWebhooks(db, userId, workspaceId),
        ]),
  ];
}

/**
 * The statements that remove a member, or let them leave. What was assigned to them goes to `assignTo`, else to the
 * caller or, if they leave, to the next owner. Who has no workspace any more gets a new one.
 */
export function deleteMember(
  db: Database,
  caller: Member,
  key: MemberKey,
  { assignTo, now }: { assignTo: number | undefined; now: string },
): Statement[] {
  const { workspaceId, userId } = key;
  const type = caller.userId === userId ? "member.left" : "member.removed";
  return [
    insertActivity(db, caller, { workspaceId, type, target: personTarget(userId), now }, isInWorkspace(key)),
    guardMember(db, caller, key),
    ...stopWatching(db, userId, workspaceId),
    ...reassign(db, key, assignTo ?? caller.userId),
    db
      .update(workspaces)
      .set({ userId: nextOwner(workspaceId, userId) })
      .where(and(eq(workspaces.id, workspaceId), eq(workspaces.userId, userId))),
    ...passOnEntries(db, key),
    ...leaveSeries(db, userId, now, workspaceId),
    ...switchOffKnownWebhooks(db, userId, { workspaceId, now }),
    ...passOnWebhooks(db, userId, workspaceId),
    db.delete(workspaceMembers).where(isRow(key)),
    ...deleteInvitationsBy(db, userId, workspaceId),
    ...deleteInvitationsTo(db, userId, workspaceId),
    ...insertWorkspaceIfNone(db, userId, now),
  ];
}

function insertWorkspaceIfNone(db: Database, userId: number, now: string): Statement[] {
  const any = sql`exists (select 1 from ${workspaceMembers} as left_ where left_.user_id = ${users.id})`;
  return insertWorkspaces(db, sql`select ${userId}`, any, now);
}

/** The statements that create a first workspace for these accounts, except those with another one. */
export const insertWorkspaces = (db: Database, accounts: SQL, hasOther: SQL, now: string): Statement[] => [
  db.run(
    sql`insert into ${workspaces} (name, user_id, created_at, updated_at) select ${FIRST_WORKSPACE}, ${users.id}, ${now}, ${now} from ${users} where ${users.id} in (${accounts}) and not ${hasOther}`,
  ),
  insertFirstOwners(db, accounts),
];

/**
 * The statements that precede the end of a workspace: members without another workspace get a new one. Fail if the caller
 * is no owner or has no other workspace, see `isMemberKept`.
 */
export function dissolveWorkspace(db: Database, caller: Member, id: number, now: string): Statement[] {
  const { userId } = caller;
  const other = (account: SQLiteColumn | number) =>
    sql`exists (select 1 from ${workspaceMembers} as elsewhere where elsewhere.user_id = ${account} and elsewhere.workspace_id <> ${id})`;
  const memberIds = sql`select here.user_id from ${workspaceMembers} as here where here.workspace_id = ${id}`;
  return [
    // Fails also if the caller was removed meanwhile: an update would find no row.
    db
      .insert(workspaceMembers)
      .select(
        sql`select ${id}, ${userId}, ${onlyWhile(all(isMember(id, caller), other(userId)), "owner")}, ${now} where 1`,
      )
      .onConflictDoNothing(),
    ...insertWorkspaces(db, memberIds, other(users.id), now),
  ];
}

/** The statements that delete these workspaces and, by cascade, all their rows, and record their files for deletion. */
export function deleteWorkspaces(db: Database, ids: SQL, now: string): Statement[] {
  const theirs = sql`${envelopes.workspaceId} in ${ids}`;
  const which = sql`${workspaces.id} in ${ids}`;
  const theirTemplates = valuesOf(templates.id, sql`${templates.workspaceId} in ${ids}`);
  return [
    insertSubmissionDeletions(db, theirs, now),
    insertLogoDeletions(db, which, now),
    insertAttachmentDeletions(db, ({ workspaceId }) => sql`${workspaceId} in ${ids}`, now),
    insertUploadDeletions(db, uploadsOf(theirs), now),
    // Templates of earlier versions may be used by envelopes of other workspaces.
    db.delete(templateUses).where(inArray(templateUses.templateId, theirTemplates)),
    db.delete(workspaces).where(which),
  ];
}

/** Whether the workspace of the column has a member other than this account. */
const isShared = (workspaceId: SQLiteColumn | SQL, userId: number) =>
  sql`exists (select 1 from ${workspaceMembers} as other where other.workspace_id = ${workspaceId} and other.user_id <> ${userId})`;

const ownedAlone = (userId: number) =>
  and(
    equals(workspaceMembers, { userId, role: "owner" }),
    isShared(workspaceMembers.workspaceId, userId),
    sql`${nextOwner(workspaceMembers.workspaceId, userId, { enabled: true })} is null`,
  );

/** The statement that fails if a workspace with other members would have no enabled owner without this account. */
export const requireOtherOwners = (db: Database, userId: number): Statement =>
  db.update(workspaceMembers).set({ role: sql`null` }).where(ownedAlone(userId));

/** The shared workspaces that would have no enabled owner without this account. */
export const listOwnedAlone = (db: Database, userId: number) =>
  db
    .select({ id: workspaces.id, name: workspaces.name })
    .from(workspaceMembers)
    .innerJoin(workspaces, eq(workspaces.id, workspaceMembers.workspaceId))
    .where(ownedAlone(userId));

/** The ids of the workspaces without another member, and of those that are being deleted: they go with the account. */
export const workspacesOfOne = (userId: number): SQL =>
  sql`(select me.workspace_id from ${workspaceMembers} as me where me.user_id = ${userId} and not ${isShared(sql`me.workspace_id`, userId)}
    union all select ended.id from ${workspaces} as ended where ended.user_id = ${userId} and ended.deleted_at is not null)`;

/** The ids of the workspaces that stay when the account is deleted: the next owner takes over what was the account's. */
const workspacesThatStay = (userId: number): SQL =>
  sql`(select me.workspace_id from ${workspaceMembers} as me where me.user_id = ${userId} and ${isShared(sql`me.workspace_id`, userId)})`;

/** A workspace that stays, if the account has more in such workspaces than one batch is to pass on. */
export async function findMuchAssigned(db: Database, userId: number): Promise<number | undefined> {
  const rows = await db
    .select({ workspaceId: envelopes.workspaceId })
    .from(envelopes)
    .where(and(eq(envelopes.userId, userId), sql`${envelopes.workspaceId} in ${workspacesThatStay(userId)}`))
    .limit(REASSIGNED_AT_ONCE);
  if (rows.length === REASSIGNED_AT_ONCE) return rows[0]?.workspaceId;
  const staying = sql`${workspaces.id} in ${workspacesThatStay(userId)}`;
  const [other] = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(staying, hasManyRows(sql`${workspaces.id}`, userId)))
    .limit(1);
  return other?.id;
}

/** The statements that pass on some of it to the workspace's next owner. */
export const passOnSome = (db: Database, userId: number, workspaceId: number): Statement[] => [
  ...reassign(db, { workspaceId, userId }, undefined, REASSIGNED_AT_ONCE),
  ...passOnSomeRows(db, { workspaceId, userId }),
];

/** What is deleted with an account and what stays with whom, as a JSON object, before the account is deleted. */
export function accountRemoval(userId: number): SQL {
  const [gone, kept] = [workspacesOfOne(userId), workspacesThatStay(userId)];
  const count = (ids: SQL) =>
    sql`(select count(*) from ${envelopes} as there where there.workspace_id in ${ids})`;
  return sql`json_object('workspaces', (select count(*) from ${gone}), 'envelopes', ${count(gone)}, 'storageBytes', ${bytesIn(gone)} + (select coalesce(avatar_size, 0) from ${users} as gone where gone.id = ${userId}),
    'keptWorkspaces', (select count(*) from ${kept}), 'keptEnvelopes', ${count(kept)}, 'keptBytes', ${bytesIn(kept)},
    'keptBy', (select group_concat(distinct heir.email) from ${workspaces} join ${users} as heir on heir.id = ${nextOwner(workspaces.id, userId)} where ${workspaces.id} in ${kept}))`;
}

/** The same, read. */
export async function readAccountRemoval(db: Database, userId: number): Promise<AccountRemoval> {
  const [row] = await db.all<{ removal: string }>(sql`select ${accountRemoval(userId)} as removal`);
  return JSON.parse(row?.removal ?? "{}");
}

/**
 * The statements that end an account's part in workspaces, before it is deleted: those without another member go with
 * their files; in the others, the next owner takes over what was the account's, and its names stay.
 */
export function leaveAllWorkspaces(db: Database, userId: number, now: string): Statement[] {
  const acted = or(
    exists(valuesOf(envelopeEvents.id, eq(envelopeEvents.actorId, userId))),
    exists(valuesOf(contacts.id, eq(contacts.updatedBy, userId))),
    exists(valuesOf(templates.id, eq(templates.updatedBy, userId))),
    exists(valuesOf(envelopes.id, eq(envelopes.createdBy, userId))),
  );
  return [
    requireOtherOwners(db, userId),
    ...deleteInvitationsTo(db, userId),
    ...deleteWorkspaces(db, workspacesOfOne(userId), now),
    insertActivities(
      db,
      { userId },
      { type: "member.left", now },
      sql`select me.workspace_id, ${personTarget(userId)} as target, '{}' as detail from ${workspaceMembers} as me where me.user_id = ${userId}`,
    ),
    db
      .update(workspaces)
      .set({ userId: nextOwner(workspaces.id, userId) })
      .where(eq(workspaces.userId, userId)),
    ...stopWatching(db, userId),
    db
      .update(envelopes)
      .set({ ...lookAgain, userId: nextOwner(envelopes.workspaceId, userId) })
      .where(eq(envelopes.userId, userId)),
    ...passOnEntries(db, { userId }),
    ...leaveSeries(db, userId, now),
    db
      .update(notifications)
      .set({ userId: assigneeOf(notifications.envelopeId) })
      .where(and(eq(notifications.userId, userId), sql`${notifications.envelopeId} is not null`)),
    ...switchOffKnownWebhooks(db, userId, { now }),
    ...passOnWebhooks(db, userId),
    db
      .insert(formerUsers)
      .select(
        sql`select ${users.id}, ${users.firstName}, ${users.lastName}, case when ${fullName("users")} is null then ${users.email} end from ${users} where ${users.id} = ${userId} and ${acted}`,
      ),
  ];
}

/** The first workspaces that have an enabled member and no enabled owner. */
export const listOwnerless = (db: Database, limit: number) =>
  db
    .select({ id: workspaces.id, name: workspaces.name })
    .from(workspaces)
    .where(
      sql`not ${hasEnabledOwner(workspaces.id)} and exists (select 1 from ${workspaceMembers} as me join ${users} as person on person.id = me.user_id where me.workspace_id = ${workspaces.id} and person.disabled_at is null)`,
    )
    .orderBy(workspaces.id)
    .limit(limit);
