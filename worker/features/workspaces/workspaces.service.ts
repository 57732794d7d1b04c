import { runBatch } from "../../../db/client";
import { isAccountFull } from "../../../db/queries/account-limits";
import { updateRetention } from "../../../db/queries/retention";
import {
  findWorkspace,
  isWorkspaceMissing,
  listWorkspaces,
  updateFileNameRule,
  type Workspace,
} from "../../../db/queries/workspaces";
import type { WorkspaceChanges } from "../../contract/workspaces";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";

/**
 * The workspace for new rows: the given one, or the caller's first.
 * @throws AppError `workspace_not_found` if it is not the caller's
 */
export async function requireWorkspace(
  { db }: Dependencies,
  userId: number,
  workspaceId: number | null | undefined,
): Promise<number> {
  const workspace =
    workspaceId == null
      ? (await listWorkspaces(db, userId))[0]
      : await findWorkspace(db, userId, workspaceId);
  if (!workspace) throw appError("workspace_not_found");
  return workspace.id;
}

/** @throws AppError `workspace_not_found` */
export async function requireOwnWorkspace(
  { db }: Dependencies,
  userId: number,
  id: number,
): Promise<Workspace> {
  const workspace = await findWorkspace(db, userId, id);
  if (!workspace) throw appError("workspace_not_found");
  return workspace;
}

/**
 * Returns the rows listed for a workspace. Only an empty list does not prove that the workspace is the caller's, so
 * only then it is looked up.
 * @throws AppError `workspace_not_found` if it is not the caller's
 */
export async function ofOwnWorkspace<Row>(
  deps: Dependencies,
  userId: number,
  workspaceId: number | undefined,
  rows: Row[],
): Promise<Row[]> {
  if (rows.length === 0 && workspaceId !== undefined) await requireWorkspace(deps, userId, workspaceId);
  return rows;
}

/** Reports that the workspace of a row no longer exists; rethrows anything else. */
export function throwIfWorkspaceMissing(error: unknown): never {
  throw isWorkspaceMissing(error) ? appError("workspace_not_found") : error;
}

/** Reports why a row could not be added to an account with a limit of `max` rows; rethrows anything else. */
export const throwIfAccountFull = (max: number) => (error: unknown) => {
  if (isAccountFull(error)) throw appError("account_full", { params: { max } });
  return throwIfWorkspaceMissing(error);
};

/** @throws AppError `workspace_not_found` */
export async function changeWorkspace(
  deps: Dependencies,
  userId: number,
  id: number,
  { retentionDays, fileNameRule }: WorkspaceChanges,
): Promise<Workspace> {
  const { db, clock } = deps;
  const now = clock.now().toISOString();
  await runBatch(db, [
    ...(retentionDays === undefined ? [] : updateRetention(db, userId, id, { retentionDays, now })),
    ...(fileNameRule === undefined ? [] : [updateFileNameRule(db, userId, id, { fileNameRule, now })]),
  ]);
  return requireOwnWorkspace(deps, userId, id);
}
