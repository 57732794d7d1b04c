import { and, asc, desc, eq, exists, inArray, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { ActivityTarget, ActivityType } from "../../worker/contract/members";
import type { Role } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import {
  contacts,
  envelopeEvents,
  envelopes,
  envelopeWatchers,
  formerUsers,
  invitations,
  notifications,
  templates,
  templateUses,
  users,
  webhookDeliveries,
  webhooks,
  workspaceActivity,
  workspaceMembers,
  workspaces,
} from "../schema";
import { insertLogoDeletions } from "./brands";
import { insertSubmissionDeletions } from "./file-deletions";
import { onlyWhile } from "./guard";
import { asColumn, jsonRows } from "./json-row";
import {
  assigneeIn,
  hasEnabledOwner,
  insertFirstOwners,
  isMember,
  type Member,
  workspacesOf,
} from "./members";
import { pageOf, prepared } from "./query-helpers";
import { insertUploadDeletions, uploadsOf } from "./uploads";
import { switchOffKnownWebhooks } from "./webhooks";

/** The name of the workspace of somebody who has no other. */
export const FIRST_WORKSPACE = "My Workspace";

/** A member of a workspace, by whoever changes it. */
export type MemberKey = { workspaceId: number; userId: number };

const memberColumns = {
  userId: workspaceMembers.userId,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
  avatarUrl: users.avatarUrl,
  role: workspaceMembers.role,
  joinedAt: workspaceMembers.createdAt,
};

/** The members of a workspace that match; none if the caller is no member. */
const selectMatching = (db: Database, member: Member, workspaceId: number, which?: SQL) =>
  db
    .select(memberColumns)
    .from(workspaceMembers)
    .innerJoin(users, eq(users.id, workspaceMembers.userId))
    .where(and(eq(workspaceMembers.workspaceId, workspaceId), which, isMember(workspaceId, member)));

/** The members of a workspace, those of longest standing first; none if the caller is no member. */
export const selectMembers = (db: Database, member: Member, workspaceId: number) =>
  selectMatching(db, member, workspaceId).orderBy(
    asc(workspaceMembers.createdAt),
    sql`${workspaceMembers}.rowid`,
  );

/** The stored picture with this URL, of the caller or of somebody who shares a workspace with them. */
export async function findPicture(db: Database, member: Member, avatarUrl: string) {
  return db
    .select({
      avatarUrl: users.avatarUrl,
      avatarMimeType: users.avatarMimeType,
      avatarSize: users.avatarSize,
    })
    .from(users)
    .where(
      and(
        eq(users.avatarUrl, avatarUrl),
        sql`(${users.id} = ${member.userId} or exists (select 1 from ${workspaceMembers} as theirs where theirs.user_id = ${users.id} and theirs.workspace_id in ${workspacesOf(member)}))`,
      ),
    )
    .get();
}

export async function findMember(db: Database, member: Member, key: MemberKey) {
  return selectMember(db, member, key).get();
}

/** The query of `findMember`, for the batch that changes the member. */
export const selectMember = (db: Database, member: Member, { workspaceId, userId }: MemberKey) =>
  selectMatching(db, member, workspaceId, eq(workspaceMembers.userId, userId));

/** The account of a member or owner of the workspace, to whom its envelopes can be assigned. */
export async function findAssignee(db: Database, member: Member, { workspaceId, userId }: MemberKey) {
  return db
    .select()
    .from(users)
    .where(and(eq(users.id, assigneeIn(workspaceId, userId)), isMember(workspaceId, member)))
    .get();
}

/** A person of an envelope: its assignee, or who created it. An account that is gone keeps its names. */
export type Person = Pick<typeof users.$inferSelect, "id" | "firstName" | "lastName" | "hasUnsubscribers"> & {
  email: string | null;
  isGone: boolean;
};

const idsOf = () => sql`(select value from json_each(${sql.placeholder("ids")}))`;

/** The accounts with these ids, as one row. */
const accountsById = prepared((db) =>
  db
    .select({
      accounts: asColumn(
        jsonRows(
          {
            id: users.id,
            firstName: users.firstName,
            lastName: users.lastName,
            email: users.email,
            hasUnsubscribers: users.hasUnsubscribers,
          },
          sql`${users} where ${inArray(users.id, idsOf())}`,
          ({ id }) => id,
        ),
      ),
    })
    .from(sql`(select 1)`)
    .prepare(),
);

const formerUsersById = prepared((db) =>
  db.select().from(formerUsers).where(inArray(formerUsers.id, idsOf())).prepare(),
);

/** The people with these ids: of envelopes that the caller may read. */
export async function listPeople(db: Database, ids: readonly number[]): Promise<Person[]> {
  const [found] = await accountsById(db).all({ ids: JSON.stringify(ids) });
  const people: Person[] = (found?.accounts ?? []).map((person) => ({ ...person, isGone: false }));
  if (people.length === ids.length) return people;
  const remaining = new Set(people.map(({ id }) => id));
  const missing = ids.filter((id) => !remaining.has(id));
  // After the accounts, so that one that is deleted meanwhile is found too.
  const former = await formerUsersById(db).all({ ids: JSON.stringify(missing) });
  return [...people, ...former.map((person) => ({ ...person, hasUnsubscribers: false, isGone: true }))];
}

/**
 * The owner of longest standing except this account, an enabled one if there is any. NULL without another owner, or with
 * `enabled` without an enabled one.
 */
const nextOwner = (
  workspaceId: SQLiteColumn | SQL | number,
  userId: SQLiteColumn | SQL | number,
  { enabled }: { enabled: boolean } = { enabled: false },
): SQL<number> => {
  const next = sql<number>`(select next.user_id from ${workspaceMembers} as next join ${users} as person on person.id = next.user_id
    where next.workspace_id = ${workspaceId} and next.role = 'owner' and next.user_id <> ${userId}${enabled ? sql` and person.disabled_at is null` : sql``}
    order by person.disabled_at is not null, next.created_at, next.rowid limit 1)`;
  // A workspace that is being deleted has no member any more.
  const ofRecord = sql`(select ended.user_id from ${workspaces} as ended where ended.id = ${workspaceId} and ended.deleted_at is not null and ended.user_id <> ${userId})`;
  return enabled ? next : sql<number>`coalesce(${next}, ${ofRecord})`;
};

const isRow = ({ workspaceId, userId }: MemberKey) =>
  and(eq(workspaceMembers.workspaceId, workspaceId), eq(workspaceMembers.userId, userId));

/**
 * The statement that gives a member a role, or checks that they may be removed. Unless the caller has the role that they
 * ask for and an enabled owner remains, the role becomes NULL, which violates NOT NULL: the whole batch fails, see
 * `isMemberKept`.
 */
function guardMember(db: Database, caller: Member, key: MemberKey, role?: Role): Statement {
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

/** Whether a member kept their role because the caller's has changed, or because they are the last owner. */
export const isMemberKept = (error: unknown) => violates(error, "not null", workspaceMembers.role);

/** Whether nothing was reassigned because its new assignee is no member or owner of the workspace. */
export const isAssigneeRejected = (error: unknown) => violates(error, "not null", envelopes.userId);

/** Whom the envelope is assigned to. */
export const assigneeOf = (envelopeId: SQLiteColumn | number) =>
  sql<number>`(select envelope.user_id from ${envelopes} as envelope where envelope.id = ${envelopeId})`;

/** Statements that assign what is assigned to a member to somebody else: another member, or the next owner. */
function reassign(db: Database, key: MemberKey, assigneeId: number | undefined): Statement[] {
  const { workspaceId, userId } = key;
  const to =
    assigneeId === undefined || assigneeId === userId
      ? nextOwner(workspaceId, userId)
      : assigneeIn(workspaceId, assigneeId);
  const theirs = and(eq(envelopes.workspaceId, workspaceId), eq(envelopes.userId, userId));
  return [...assignMessages(db, theirs, to), db.update(envelopes).set({ userId: to }).where(theirs)];
}

/**
 * The statements that pass on the assignee's messages about these envelopes. Must precede the change of the envelopes'
 * assignee. Who gets the notice of a submission as a watcher does not get it twice.
 */
export function assignMessages(db: Database, which: SQL | undefined, to: SQL<number>): Statement[] {
  const theirs = and(
    inArray(notifications.envelopeId, db.select({ id: envelopes.id }).from(envelopes).where(which)),
    eq(notifications.userId, assigneeOf(notifications.envelopeId)),
  );
  const watched = sql`exists (select 1 from ${notifications} as theirs where theirs.envelope_id = ${notifications.envelopeId} and theirs.kind = 'submission' and theirs.created_at = ${notifications.createdAt} and theirs.user_id = ${to} and theirs.id <> ${notifications.id})`;
  return [
    db.delete(notifications).where(and(theirs, isWaitingNotice, watched)),
    db.update(notifications).set({ userId: to }).where(theirs),
  ];
}

const isWaitingNotice = and(eq(notifications.kind, "submission"), eq(notifications.status, "queued"));

/** The statement that deletes notices of submissions that were not sent yet. */
export const deleteWaitingNotices = (db: Database, which: SQL | undefined): Statement =>
  db.delete(notifications).where(and(which, isWaitingNotice));

/** The statements that end what an account watches, in one workspace or in all. Notices to others stay. */
function stopWatching(db: Database, userId: number, workspaceId?: number): Statement[] {
  const here = workspaceId === undefined ? undefined : eq(envelopes.workspaceId, workspaceId);
  const envelope = (id: SQLiteColumn, which?: SQL) =>
    exists(
      db
        .select({ id: envelopes.id })
        .from(envelopes)
        .where(and(eq(envelopes.id, id), here, which)),
    );
  return [
    db
      .delete(envelopeWatchers)
      .where(and(eq(envelopeWatchers.userId, userId), envelope(envelopeWatchers.envelopeId))),
    deleteWaitingNotices(
      db,
      and(eq(notifications.userId, userId), envelope(notifications.envelopeId, ne(envelopes.userId, userId))),
    ),
  ];
}

/** The statement that records what the caller did, if the condition holds. */
export function insertActivity(
  db: Database,
  caller: { userId: number | SQL<number> },
  entry: { workspaceId: number | SQL<number>; type: ActivityType; target: SQL; now: string },
  condition: SQL = sql`1`,
): Statement {
  const { workspaceId, type, target, now } = entry;
  return db.insert(workspaceActivity).select(
    // All columns in table order, as `insert … select` requires.
    sql`select null, ${workspaceId}, ${type}, ${users.id}, ${NAME_OF_USER}, ${target}, ${now} from ${users} where ${users.id} = ${caller.userId} and ${condition}`,
  );
}

const fullName = (table: string) =>
  sql.raw(`nullif(trim(ifnull(${table}.first_name, '') || ' ' || ifnull(${table}.last_name, '')), '')`);
const NAME_OF_USER = sql`ifnull(${fullName("users")}, ${users.email})`;

/** Whether the account is a member of the workspace. */
export const isInWorkspace = (key: MemberKey): SQL =>
  sql`exists (select 1 from ${workspaceMembers} where ${isRow(key)})`;

/** The account's id while it is a member of the workspace, otherwise NULL. */
export const idOfMember = (key: MemberKey) =>
  sql<number>`(select ${workspaceMembers.userId} from ${workspaceMembers} where ${isRow(key)})`;

/** A person as the target of an activity. */
export const personTarget = (userId: number | SQL<number>) =>
  sql`(select json_object('id', person.id, 'name', ${fullName("person")}, 'email', person.email) from ${users} as person where person.id = ${userId})`;

/** Anything else as the target of an activity. */
export const activityTarget = (target: ActivityTarget) => sql`${JSON.stringify(target)}`;

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
      { workspaceId, type: "member.role_changed", target: personTarget(userId), now },
      isChange,
    ),
    guardMember(db, caller, key, role),
    ...(role === "viewer" ? reassign(db, key, caller.userId) : []),
    ...(role === "owner"
      ? []
      : [
          ...deleteInvitationsBy(db, userId, workspaceId),
          ...switchOffKnownWebhooks(db, userId, { workspaceId, now }),
          ...passOnWebhooks(db, userId, workspaceId),
        ]),
  ];
}

/**
 * The statements that pass on the webhooks of a workspace, or of all, to the next owner, when an account owns them no
 * more. One that an API token has set still ends with the token, which may be in the wrong hands.
 */
function passOnWebhooks(db: Database, userId: number, workspaceId?: number): Statement[] {
  const theirs = and(
    eq(webhooks.userId, userId),
    workspaceId === undefined
      ? sql`${webhooks.workspaceId} is not null`
      : eq(webhooks.workspaceId, workspaceId),
  );
  const accountOf = sql<number>`(select hook.user_id from ${webhooks} as hook where hook.id = ${webhookDeliveries.webhookId})`;
  return [
    db
      .update(webhooks)
      .set({ userId: nextOwner(webhooks.workspaceId, userId) })
      .where(theirs),
    db.update(webhookDeliveries).set({ userId: accountOf }).where(eq(webhookDeliveries.userId, userId)),
  ];
}

/**
 * The statements that pass on a member's contacts and templates of a workspace, or of all, to its next owner, and the
 * uses of templates to the envelopes' assignees. Must follow the change of the assignees.
 */
function passOnEntries(
  db: Database,
  { workspaceId, userId }: Partial<MemberKey> & { userId: number },
): Statement[] {
  const theirs = (table: typeof contacts | typeof templates) =>
    and(eq(table.userId, userId), workspaceId === undefined ? undefined : eq(table.workspaceId, workspaceId));
  const used = db
    .select({ id: envelopes.id })
    .from(envelopes)
    .where(
      and(
        eq(envelopes.id, templateUses.envelopeId),
        workspaceId === undefined ? undefined : eq(envelopes.workspaceId, workspaceId),
      ),
    );
  return [
    db
      .update(contacts)
      .set({ userId: nextOwner(contacts.workspaceId, userId) })
      .where(theirs(contacts)),
    db
      .update(templates)
      .set({ userId: nextOwner(templates.workspaceId, userId) })
      .where(theirs(templates)),
    db
      .update(templateUses)
      .set({ userId: assigneeOf(templateUses.envelopeId) })
      .where(and(eq(templateUses.userId, userId), exists(used))),
  ];
}

/** Statements that end the invitations of somebody who may invite no more: to a workspace, or all, an administrator's too. */
export function deleteInvitationsBy(db: Database, userId: number, workspaceId?: number): Statement[] {
  const workspace = workspaceId === undefined ? undefined : eq(invitations.workspaceId, workspaceId);
  return deleteInvitations(db, and(eq(invitations.invitedBy, userId), workspace));
}

/** Statements that end these invitations, and cancel mails of those to workspaces that were not sent yet. */
export function deleteInvitations(db: Database, which: SQL | undefined): Statement[] {
  const invited = and(
    which,
    eq(invitations.email, notifications.recipient),
    sql`${invitations.workspaceId} = ${notifications.payload} ->> '$.workspaceId'`,
  );
  return [
    db
      .delete(notifications)
      .where(
        and(
          eq(notifications.kind, "workspace_invitation"),
          eq(notifications.status, "queued"),
          exists(db.select({ id: invitations.id }).from(invitations).where(invited)),
        ),
      ),
    db.delete(invitations).where(which),
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
    ...switchOffKnownWebhooks(db, userId, { workspaceId, now }),
    ...passOnWebhooks(db, userId, workspaceId),
    db.delete(workspaceMembers).where(isRow(key)),
    ...deleteInvitationsBy(db, userId, workspaceId),
    ...insertWorkspaceIfNone(db, userId, now),
  ];
}

function insertWorkspaceIfNone(db: Database, userId: number, now: string): Statement[] {
  const none = sql`not exists (select 1 from ${workspaceMembers} as left_ where left_.user_id = ${users.id})`;
  return [insertWorkspaces(db, sql`${users.id} = ${userId} and ${none}`, now), insertFirstOwners(db, userId)];
}

/** The statement that creates a first workspace for the accounts that match. */
export const insertWorkspaces = (db: Database, which: SQL, now: string): Statement =>
  db.run(
    sql`insert into ${workspaces} (name, user_id, created_at, updated_at) select ${FIRST_WORKSPACE}, ${users.id}, ${now}, ${now} from ${users} where ${which}`,
  );

/**
 * The statements that precede the end of a workspace: members without another workspace get a new one. Fail if the caller
 * is no owner or has no other workspace, see `isMemberKept`.
 */
export function dissolveWorkspace(db: Database, caller: Member, id: number, now: string): Statement[] {
  const { userId } = caller;
  const other = (account: SQLiteColumn | number) =>
    sql`exists (select 1 from ${workspaceMembers} as elsewhere where elsewhere.user_id = ${account} and elsewhere.workspace_id <> ${id})`;
  const memberIds = sql`(select here.user_id from ${workspaceMembers} as here where here.workspace_id = ${id})`;
  const nobody = sql`not exists (select 1 from ${workspaceMembers} as anybody where anybody.workspace_id = ${workspaces.id})`;
  return [
    // Fails also if the caller was removed meanwhile: an update would find no row.
    db
      .insert(workspaceMembers)
      .select(
        sql`select ${id}, ${userId}, case when ${isMember(id, caller)} and ${other(userId)} then 'owner' end, ${now} where 1`,
      )
      .onConflictDoNothing(),
    insertWorkspaces(db, sql`${users.id} in ${memberIds} and not ${other(users.id)}`, now),
    db
      .insert(workspaceMembers)
      .select(
        sql`select ${workspaces.id}, ${workspaces.userId}, 'owner', ${workspaces.createdAt} from ${workspaces} where ${workspaces.userId} in ${memberIds} and ${workspaces.deletedAt} is null and ${nobody}`,
      ),
  ];
}

/** The statements that delete these workspaces and, by cascade, all their rows, and record their files for deletion. */
export function deleteWorkspaces(db: Database, ids: SQL, now: string): Statement[] {
  const theirs = sql`${envelopes.workspaceId} in ${ids}`;
  const which = sql`${workspaces.id} in ${ids}`;
  const theirTemplates = db
    .select({ id: templates.id })
    .from(templates)
    .where(sql`${templates.workspaceId} in ${ids}`);
  return [
    insertSubmissionDeletions(db, theirs, now),
    insertLogoDeletions(db, which, now),
    insertUploadDeletions(db, uploadsOf(db, theirs), now),
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
    eq(workspaceMembers.userId, userId),
    eq(workspaceMembers.role, "owner"),
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

/**
 * The statements that end an account's part in workspaces, before it is deleted: those without another member go with
 * their files; in the others, the next owner takes over what was the account's, and its names stay.
 */
export function leaveAllWorkspaces(db: Database, userId: number, now: string): Statement[] {
  const acted = or(
    exists(
      db.select({ id: envelopeEvents.id }).from(envelopeEvents).where(eq(envelopeEvents.actorId, userId)),
    ),
    exists(db.select({ id: contacts.id }).from(contacts).where(eq(contacts.updatedBy, userId))),
    exists(db.select({ id: templates.id }).from(templates).where(eq(templates.updatedBy, userId))),
    exists(db.select({ id: envelopes.id }).from(envelopes).where(eq(envelopes.createdBy, userId))),
  );
  return [
    requireOtherOwners(db, userId),
    ...deleteWorkspaces(db, workspacesOfOne(userId), now),
    db
      .insert(workspaceActivity)
      .select(
        sql`select null, me.workspace_id, 'member.left', ${users.id}, ${NAME_OF_USER}, ${personTarget(userId)}, ${now} from ${users} join ${workspaceMembers} as me on me.user_id = ${users.id} where ${users.id} = ${userId}`,
      ),
    db
      .update(workspaces)
      .set({ userId: nextOwner(workspaces.id, userId) })
      .where(eq(workspaces.userId, userId)),
    ...stopWatching(db, userId),
    db
      .update(envelopes)
      .set({ userId: nextOwner(envelopes.workspaceId, userId) })
      .where(eq(envelopes.userId, userId)),
    ...passOnEntries(db, { userId }),
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

/** The latest activity of a workspace; none if the caller is no owner. */
export async function listActivity(
  db: Database,
  member: Member,
  workspaceId: number,
  { limit, cursor }: { limit: number; cursor?: number | undefined },
) {
  const account = alias(users, "account");
  const rows = await db
    .select({
      id: workspaceActivity.id,
      type: workspaceActivity.type,
      userId: account.id,
      name: workspaceActivity.actorName,
      target: workspaceActivity.target,
      createdAt: workspaceActivity.createdAt,
    })
    .from(workspaceActivity)
    .leftJoin(account, eq(account.id, workspaceActivity.actorId))
    .where(
      and(
        eq(workspaceActivity.workspaceId, workspaceId),
        isMember(workspaceId, member),
        cursor === undefined ? undefined : lt(workspaceActivity.id, cursor),
      ),
    )
    .orderBy(desc(workspaceActivity.id))
    .limit(limit + 1);
  return pageOf(rows, limit);
}

/** The statement that deletes activity recorded before then, and all but the latest `limit` entries of each workspace. */
export function deleteOldActivity(
  db: Database,
  { before, limit }: { before: string; limit: number },
): Statement {
  const numbered = sql`select id, row_number() over (partition by workspace_id order by id desc) as nth from ${workspaceActivity}`;
  return db
    .delete(workspaceActivity)
    .where(
      or(
        lt(workspaceActivity.createdAt, before),
        sql`${workspaceActivity.id} in (select id from (${numbered}) where nth > ${limit})`,
      ),
    );
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
