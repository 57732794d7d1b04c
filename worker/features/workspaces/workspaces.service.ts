import { runBatchAndRead } from "../../../db/client";
import { isAccountFull } from "../../../db/queries/account-guards";
import { findLastChange, type SharedRow } from "../../../db/queries/changed-meanwhile";
import { findRole, type Member, type ScopedRow } from "../../../db/queries/members";
import { resetSomeAnnouncements, updateRetention } from "../../../db/queries/retention";
import { activityTarget, insertActivity } from "../../../db/queries/workspace-activity";
import {
  findDefaultWorkspace,
  findWorkspace,
  isWorkspaceChange,
  isWorkspaceMissing,
  selectOwnWorkspace,
  updateWorkspace,
  type Workspace,
} from "../../../db/queries/workspaces";
import type { ActivityChange } from "../../contract/activity";
import type { ErrorCode } from "../../contract/errors";
import { ROLES } from "../../contract/options";
import type { WorkspaceChanges } from "../../contract/workspaces";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError, rejectedAs } from "../../errors";

/**
 * The error for a row that a call did not find: it does not exist for the caller, or their role does not allow the call.
 */
export async function missing(
  { db }: Pick<Dependencies, "db">,
  member: Member,
  code: ErrorCode,
  row: ScopedRow,
): Promise<AppError> {
  const role = await findRole(db, member, row);
  const allowed = role !== undefined && ROLES.indexOf(role) <= ROLES.indexOf(member.role);
  if (role === undefined || allowed) return appError(code);
  return appError(member.role === "owner" ? "role_required" : "viewer_role");
}

/**
 * The error for a row that a change with the `updatedAt` that was read did not find: it has changed since, or see
 * `missing`.
 */
export async function missingOrChanged(
  deps: Pick<Dependencies, "db">,
  member: Member,
  code: ErrorCode,
  { read, ...row }: SharedRow & { read: string | null | undefined },
): Promise<AppError> {
  const changed = read == null ? undefined : await findLastChange(deps.db, member, row);
  if (changed && changed.updatedAt !== read) return appError("changed_meanwhile", changed);
  return missing(deps, member, code, row);
}

/**
 * The workspace for new rows: the given one, or the caller's first.
 * @throws AppError `workspace_not_found` if it is not the caller's, `role_required`
 */
export async function requireWorkspace(
  deps: Dependencies,
  member: Member,
  workspaceId: number | null | undefined,
): Promise<number> {
  if (workspaceId != null) return (await requireOwnWorkspace(deps, member, workspaceId)).id;
  const first = await findDefaultWorkspace(deps.db, member);
  if (first !== undefined) return first;
  const visible = await findDefaultWorkspace(deps.db, { ...member, role: "viewer" });
  throw visible === undefined
    ? appError("workspace_not_found")
    : await missing(deps, member, "workspace_not_found", { kind: "workspace", id: visible });
}

/** @throws AppError `workspace_not_found`, `role_required` */
export async function requireOwnWorkspace(
  deps: Dependencies,
  member: Member,
  id: number,
): Promise<Workspace> {
  const workspace = await findWorkspace(deps.db, member, id);
  if (!workspace) throw await missing(deps, member, "workspace_not_found", { kind: "workspace", id });
  return workspace;
}

/**
 * Returns the rows listed for a workspace. Only an empty list does not prove that the workspace is the caller's, so
 * only then it is looked up.
 * @throws AppError `workspace_not_found` if it is not the caller's
 */
export async function ofOwnWorkspace<Row>(
  deps: Dependencies,
  member: Member,
  workspaceId: number | undefined,
  rows: Row[],
): Promise<Row[]> {
  if (rows.length === 0 && workspaceId !== undefined) await requireOwnWorkspace(deps, member, workspaceId);
  return rows;
}

/** Reports that the workspace of a row no longer exists; rethrows anything else. */
export const throwIfWorkspaceMissing = rejectedAs(isWorkspaceMissing, "workspace_not_found");

/** Reports why a row could not be added to an account with a limit of `max` rows; rethrows anything else. */
export const throwIfAccountFull = (max: number) => (error: unknown) => {
  if (isAccountFull(error)) throw appError("account_full", { params: { max } });
  return throwIfWorkspaceMissing(error);
};

/** Of a value in the activity. */
const MAX_VALUE = 100;

const valueText = (value: unknown): string | null =>
  value == null || typeof value === "boolean"
    ? null
    : (Array.isArray(value) ? value.join(", ") : String(value)).slice(0, MAX_VALUE);

const changedFields = (before: Workspace, changes: WorkspaceChanges): ActivityChange[] =>
  (Object.keys(changes) as (keyof WorkspaceChanges)[])
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(changes[field]))
    .map((field) => ({ field, from: valueText(before[field]), to: valueText(changes[field]) }));

/** @throws AppError `workspace_not_found`, `role_required` */
export async function changeWorkspace(
  deps: Dependencies,
  member: Member,
  id: number,
  changes: WorkspaceChanges,
): Promise<Workspace> {
  const { retentionDays, ...columns } = changes;
  const { db, clock, takeTurn } = deps;
  const now = clock.now().toISOString();
  const before = await requireOwnWorkspace(deps, member, id);
  const target = activityTarget({ id, name: columns.name ?? before.name });
  const detail = { changes: changedFields(before, changes) };
  const statements = [
    insertActivity(
      db,
      member,
      { workspaceId: id, type: "workspace.changed", target, detail, now },
      isWorkspaceChange(member, id, changes),
    ),
    ...(retentionDays === undefined ? [] : updateRetention(db, member, id, retentionDays)),
    ...(Object.keys(changes).length === 0 ? [] : [updateWorkspace(db, member, id, columns, now)]),
  ];
  while (
    retentionDays !== undefined &&
    takeTurn &&
    (await resetSomeAnnouncements(db, member, id, retentionDays))
  )
    await takeTurn();
  const [changed] = await runBatchAndRead(db, statements, selectOwnWorkspace(db, member, id));
  if (!changed) throw await missing(deps, member, "workspace_not_found", { kind: "workspace", id });
  return changed;
}
