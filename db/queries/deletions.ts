import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import {
  apiTokens,
  envelopeEvents,
  envelopes,
  envelopeTexts,
  invitations,
  notifications,
  users,
  workspaceMembers,
  workspaces,
} from "../schema";
import { deleteApiTokens } from "./api-tokens";
import { stopBulkSends } from "./bulk-sends";
import { insertAvatarDeletion, insertSubmissionDeletions } from "./file-deletions";
import { deleteInvitations, deleteInvitationsBy } from "./handovers";
import type { Member } from "./members";
import {
  deleteWorkspaces,
  dissolveWorkspace,
  leaveAllWorkspaces,
  requireOtherOwners,
  workspacesOfOne,
} from "./membership";
import { listed } from "./query-helpers";
import { stopSeries } from "./series";
import { deleteSessions } from "./sessions";
import { insertUploadDeletions, uploadsOf } from "./uploads";
import { deletePasswordResets, deleteSignInLinks, type UserChanges, updateUser } from "./users";
import { switchOffKnownWebhooks } from "./webhooks";

/** Statements that end every access to an account, and set the columns that say why. */
export function closeUser(
  db: Database,
  userId: number,
  why: Pick<UserChanges, "deletedAt"> & { disabledAt: string },
): Statement[] {
  return [
    requireOtherOwners(db, userId),
    ...switchOffKnownWebhooks(db, userId, { now: why.disabledAt }),
    updateUser(db, userId, why),
    ...deleteInvitationsBy(db, userId),
    deleteSessions(db, userId),
    deletePasswordResets(db, userId),
    deleteSignInLinks(db, userId),
    ...deleteApiTokens(db, userId),
    ...stopBulkSends(db, "bulk_send_stopped", why.disabledAt, { userId }),
    ...stopSeries(db, userId, why.disabledAt),
  ];
}

/**
 * Statements that delete the account and, by cascade, all its rows, and record its files for deletion. Shared workspaces
 * stay; without another owner they fail, see `isMemberKept`.
 */
export function deleteUser(db: Database, userId: number, now: string): Statement[] {
  return [
    ...leaveAllWorkspaces(db, userId, now),
    ...deleteInvitationsBy(db, userId),
    insertAvatarDeletion(db, userId, now),
    db.delete(users).where(eq(users.id, userId)),
  ];
}

/**
 * The statements that delete a workspace, and record its files for deletion. Members without another workspace get a new
 * one. Fails if the caller is no owner or has no other workspace, see `isMemberKept`.
 */
export const deleteWorkspace = (db: Database, caller: Member, id: number, now: string): Statement[] => [
  ...dissolveWorkspace(db, caller, id, now),
  ...deleteClosedWorkspace(db, id, now),
];

/** The same, but the workspace's rows stay: nobody has access to them, and it is marked as deleted. */
export const closeWorkspace = (db: Database, caller: Member, id: number, now: string): Statement[] => [
  ...dissolveWorkspace(db, caller, id, now),
  db.update(workspaces).set({ deletedAt: now }).where(eq(workspaces.id, id)),
  db.delete(apiTokens).where(eq(apiTokens.workspaceId, id)),
  ...deleteInvitations(db, eq(invitations.workspaceId, id)),
  db.delete(workspaceMembers).where(eq(workspaceMembers.workspaceId, id)),
];

/** The statements that delete the rows of a workspace, whoever calls. */
export const deleteClosedWorkspace = (db: Database, id: number, now: string): Statement[] =>
  deleteWorkspaces(db, sql`(${id})`, now);

/** An account that was deleted, but whose rows are still there; any of them, since one that fails must not hold up others. */
export const findDeletedUser = (db: Database) =>
  db.select({ id: users.id }).from(users).where(isNotNull(users.deletedAt)).orderBy(ANY).limit(1);

/** The same for workspaces. */
export const findDeletedWorkspace = (db: Database) =>
  db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(isNotNull(workspaces.deletedAt), isNull(workspaces.setAsideAt)))
    .orderBy(ANY)
    .limit(1);

const ANY = sql`random()`;

/** The envelopes that are deleted with an account or a workspace. */
export type DeletedEnvelopes = SQL;

export const envelopesOfUser = (userId: number): DeletedEnvelopes =>
  sql`${envelopes.workspaceId} in ${workspacesOfOne(userId)}`;

export const envelopesOfWorkspace = (id: number): DeletedEnvelopes => eq(envelopes.workspaceId, id);

/** What a row of an envelope's takes, in bytes of the search index. */
const ROW_BYTES = 2;
const rowsIn = (table: string) =>
  sql`(select count(*) from ${sql.raw(table)} as part where part.envelope_id = "envelopes"."id")`;

/** Events, and messages, of an envelope that are counted. It may have ten thousand of each. */
const COUNTED = 2000;
const countedIn = (table: string) =>
  sql`(select count(*) from (select 1 from ${sql.raw(table)} as part where part.envelope_id = "envelopes"."id" limit ${COUNTED}))`;

/**
 * Some of these envelopes, with the work of deleting them: most is that of their texts in the search index, and of some the
 * thousands of their files, answers and deliveries. `rows` are their events and messages.
 */
export const listEnvelopes = (db: Database, which: DeletedEnvelopes, limit: number) =>
  db
    .select({
      id: envelopes.id,
      bytes: sql<number>`ifnull(octet_length(${envelopeTexts.texts}), 0) + ${ROW_BYTES} * (${rowsIn("submissions")} + ${rowsIn("answers")} + ${rowsIn("file_deliveries")})`,
      rows: sql<number>`${countedIn("envelope_events")} + ${countedIn("notifications")}`,
    })
    .from(envelopes)
    .leftJoin(envelopeTexts, eq(envelopeTexts.id, envelopes.id))
    .where(which)
    .limit(limit);

/** The statements that delete so many events, and messages, of these of them. */
export const deleteSomeRows = (
  db: Database,
  which: DeletedEnvelopes,
  { ids, limit }: { ids: readonly number[]; limit: number },
): Statement[] =>
  [envelopeEvents, notifications].map((table) => {
    const theirs = sql`select ${envelopes.id} from ${envelopes} where ${envelopes.id} in ${listed(ids)} and ${which}`;
    return db
      .delete(table)
      .where(
        sql`${table.id} in (select ${table.id} from ${table} where ${table.envelopeId} in (${theirs}) limit ${limit})`,
      );
  });

/** The statements that delete these of them, and record their files for deletion. */
export function deleteEnvelopes(
  db: Database,
  which: DeletedEnvelopes,
  { ids, now }: { ids: readonly number[]; now: string },
): Statement[] {
  const chosen = and(sql`${envelopes.id} in ${listed(ids)}`, which);
  return [
    insertSubmissionDeletions(db, chosen, now),
    insertUploadDeletions(db, uploadsOf(chosen), now),
    db.delete(envelopes).where(chosen),
  ];
}
