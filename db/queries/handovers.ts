import { and, eq, exists, inArray, ne, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import {
  contacts,
  envelopes,
  envelopeWatchers,
  invitations,
  notifications,
  templates,
  templateUses,
  users,
  webhookDeliveries,
  webhooks,
  workspaceMembers,
  workspaces,
} from "../schema";
import { assigneeIn } from "./members";
import type { MemberKey } from "./people";
import { equals, valuesOf } from "./query-helpers";
import { lookAgain } from "./scheduled-envelopes";

/**
 * The owner of longest standing except this account, an enabled one if there is any. NULL without another owner, or with
 * `enabled` without an enabled one.
 */
export const nextOwner = (
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

/** Whether nothing was reassigned because its new assignee is no member or owner of the workspace. */
export const isAssigneeRejected = (error: unknown) => violates(error, "not null", envelopes.userId);

export const assigneeOf = (envelopeId: SQLiteColumn | number) =>
  sql<number>`(select envelope.user_id from ${envelopes} as envelope where envelope.id = ${envelopeId})`;

/** Statements that assign what is assigned to a member, or some of it, to somebody else: another member, or the next owner. */
export function reassign(
  db: Database,
  key: MemberKey,
  assigneeId: number | undefined,
  limit?: number,
): Statement[] {
  const { workspaceId, userId } = key;
  const to =
    assigneeId === undefined || assigneeId === userId
      ? nextOwner(workspaceId, userId)
      : assigneeIn(workspaceId, assigneeId);
  const all = and(eq(envelopes.workspaceId, workspaceId), eq(envelopes.userId, userId));
  const theirs =
    limit === undefined
      ? all
      : sql`${envelopes.id} in (select some.id from ${envelopes} as some where some.workspace_id = ${workspaceId} and some.user_id = ${userId} order by some.id limit ${limit})`;
  return [
    ...assignMessages(db, theirs, to),
    db
      .update(envelopes)
      .set({ ...lookAgain, userId: to })
      .where(theirs),
  ];
}

/**
 * The statements that pass on the assignee's messages about these envelopes. Must precede the change of the envelopes'
 * assignee. Who gets the notice of a submission as a watcher does not get it twice.
 */
export function assignMessages(db: Database, which: SQL | undefined, to: SQL<number>): Statement[] {
  const ids = valuesOf(envelopes.id, which);
  const theirs = and(
    inArray(notifications.envelopeId, ids),
    eq(notifications.userId, assigneeOf(notifications.envelopeId)),
  );
  const known = alias(notifications, "known");
  // Looked up at once, not for each of the notices, of which an envelope may have thousands.
  const watched = sql`(${notifications.envelopeId}, ${notifications.createdAt}) in (select ${known.envelopeId}, ${known.createdAt} from ${notifications} as known
    where ${known.envelopeId} in ${ids} and ${known.kind} = 'submission' and ${known.userId} = ${to})`;
  return [
    db
      .delete(notifications)
      .where(and(theirs, isWaitingNotice, sql`${notifications.userId} <> ${to}`, watched)),
    db.update(notifications).set({ userId: to }).where(theirs),
  ];
}

const isWaitingNotice = equals(notifications, { kind: "submission", status: "queued" });

/** The statement that deletes notices of submissions that were not sent yet. */
export const deleteWaitingNotices = (db: Database, which: SQL | undefined): Statement =>
  db.delete(notifications).where(and(which, isWaitingNotice));

/** The statements that end what an account watches, in one workspace or in all. Notices to others stay. */
export function stopWatching(db: Database, userId: number, workspaceId?: number): Statement[] {
  const here = workspaceId === undefined ? undefined : eq(envelopes.workspaceId, workspaceId);
  const envelope = (id: SQLiteColumn, which?: SQL) =>
    exists(valuesOf(envelopes.id, and(eq(envelopes.id, id), here, which)));
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

/** The same for some of what a member watches and is not assigned to them. */
export function stopWatchingSome(
  db: Database,
  { workspaceId, userId }: MemberKey,
  limit: number,
): Statement[] {
  const some = sql`(select watched.envelope_id from ${envelopeWatchers} as watched cross join ${envelopes} as envelope on envelope.id = watched.envelope_id
    where watched.user_id = ${userId} and envelope.workspace_id = ${workspaceId} and envelope.user_id <> ${userId} limit ${limit})`;
  return [
    deleteWaitingNotices(db, and(eq(notifications.userId, userId), inArray(notifications.envelopeId, some))),
    db
      .delete(envelopeWatchers)
      .where(and(eq(envelopeWatchers.userId, userId), inArray(envelopeWatchers.envelopeId, some))),
  ];
}

/**
 * The statements that pass on the webhooks of a workspace, or of all, to the next owner, when an account owns them no
 * more. One that an API token has set still ends with the token, which may be in the wrong hands.
 */
export function passOnWebhooks(db: Database, userId: number, workspaceId?: number): Statement[] {
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
    // Of somebody who keeps an account there may be very many: they are passed on when that is deleted.
    ...(workspaceId === undefined
      ? [db.update(webhookDeliveries).set({ userId: accountOf }).where(eq(webhookDeliveries.userId, userId))]
      : []),
  ];
}

/**
 * The statements that pass on a member's contacts and templates of a workspace, or of all, to its next owner, and the
 * uses of templates to the envelopes' assignees: of each, all or some. Must follow the change of the assignees.
 */
export function passOnEntries(
  db: Database,
  { workspaceId, userId }: Partial<MemberKey> & { userId: number },
  limit = -1,
): Statement[] {
  const some = (table: typeof contacts | typeof templates | typeof templateUses, where: SQL | undefined) =>
    sql`${table.id} in (select ${table.id} from ${table} where ${and(eq(table.userId, userId), where)} limit ${limit})`;
  const theirs = (table: typeof contacts | typeof templates) =>
    // The plus makes SQLite read what is theirs instead of the whole workspace.
    some(table, workspaceId === undefined ? undefined : eq(sql`+${table.workspaceId}`, workspaceId));
  const used = valuesOf(
    envelopes.id,
    and(
      eq(envelopes.id, templateUses.envelopeId),
      ne(envelopes.userId, userId),
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
      .where(some(templateUses, exists(used))),
  ];
}

/**
 * Statements that end the invitations of somebody who may invite no more: to a workspace, to the instance (null), or all of
 * them.
 */
export const deleteInvitationsBy = (db: Database, userId: number, workspaceId?: number | null): Statement[] =>
  deleteInvitations(
    db,
    equals(invitations, { invitedBy: userId, ...(workspaceId !== undefined && { workspaceId }) }),
  );

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
          equals(notifications, { kind: "workspace_invitation", status: "queued" }),
          exists(valuesOf(invitations.id, invited)),
        ),
      ),
    db.delete(invitations).where(which),
  ];
}
