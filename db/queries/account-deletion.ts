import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { envelopes, users } from "../schema";
import { deleteApiTokens } from "./api-tokens";
import { insertAvatarDeletion, insertSubmissionDeletions } from "./file-deletions";
import { deleteInvitationsBy, leaveAllWorkspaces, requireOtherOwners, workspacesOfOne } from "./membership";
import { deleteSessions } from "./sessions";
import { listed } from "./statements";
import { insertUploadDeletions, uploadsOf } from "./uploads";
import { deletePasswordResets, type UserChanges, updateUser } from "./users";

/** Statements that end every access to an account, and set the columns that say why. */
export function closeUser(
  db: Database,
  userId: number,
  why: Pick<UserChanges, "disabledAt" | "deletedAt">,
): Statement[] {
  return [
    requireOtherOwners(db, userId),
    updateUser(db, userId, why),
    ...deleteInvitationsBy(db, userId),
    deleteSessions(db, userId),
    deletePasswordResets(db, userId),
    ...deleteApiTokens(db, userId),
  ];
}

/**
 * Statements that delete the account and, by cascade, all its rows, and record its files for deletion. Shared workspaces
 * stay; without another owner they fail, see `isMemberKept`.
 */
export function deleteUser(db: Database, userId: number, now: string): Statement[] {
  return [
    ...leaveAllWorkspaces(db, userId, now),
    insertAvatarDeletion(db, userId, now),
    db.delete(users).where(eq(users.id, userId)),
  ];
}

/** Accounts that were deleted, but whose rows are still there. */
export const listDeletedUsers = (db: Database, limit: number) =>
  db.select({ id: users.id }).from(users).where(isNotNull(users.deletedAt)).limit(limit);

const isDeletedWith = (db: Database, userId: number) =>
  inArray(envelopes.workspaceId, workspacesOfOne(db, userId));

/** Some of the envelopes that are deleted with the account. */
export const listOwnEnvelopes = (db: Database, userId: number, limit: number) =>
  db.select({ id: envelopes.id }).from(envelopes).where(isDeletedWith(db, userId)).limit(limit);

/** The statements that delete these of them, and record their files for deletion. */
export function deleteOwnEnvelopes(
  db: Database,
  userId: number,
  { ids, now }: { ids: readonly number[]; now: string },
): Statement[] {
  const chosen = and(sql`${envelopes.id} in ${listed(ids)}`, isDeletedWith(db, userId));
  return [
    insertSubmissionDeletions(db, chosen, now),
    insertUploadDeletions(db, uploadsOf(db, chosen), now),
    db.delete(envelopes).where(chosen),
  ];
}
