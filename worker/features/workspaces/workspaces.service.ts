import { runBatch } from "../../../db/client";
import { updateRetention } from "../../../db/queries/retention";
import {
  findWorkspace,
  isWorkspaceGone,
  listWorkspaces,
  type Workspace,
} from "../../../db/queries/workspaces";
import type { RetentionDays } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";

/**
 * The workspace that new rows go to: the one named, or the caller's first.
 * @throws AppError `workspace_not_found` where it is not the caller's
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

/**
 * Passes rows listed for one workspace on. Only an empty list leaves open whether the workspace is the
 * caller's, so only then is it looked up.
 * @throws AppError `workspace_not_found` where it is not the caller's
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

/** Tells that the workspace of a new row is gone; passes on whatever else was thrown. */
export function throwIfWorkspaceGone(error: unknown): never {
  throw isWorkspaceGone(error) ? appError("workspace_not_found") : error;
}

/**
 * Chooses how long the workspace keeps the files of completed envelopes.
 * @throws AppError `workspace_not_found`
 */
export async function setRetention(
  { db, clock }: Dependencies,
  userId: number,
  id: number,
  retentionDays: RetentionDays | null,
): Promise<Workspace> {
  await runBatch(db, updateRetention(db, userId, id, { retentionDays, now: clock.now().toISOString() }));
  const workspace = await findWorkspace(db, userId, id);
  if (!workspace) throw appError("workspace_not_found");
  return workspace;
}
