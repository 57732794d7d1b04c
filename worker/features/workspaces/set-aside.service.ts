import { discardWorkspace, keepWorkspace, listSetAside, renewSomeLinks } from "../../../db/queries/set-aside";
import { findWorkspace, type Workspace } from "../../../db/queries/workspaces";
import type { Dependencies } from "../../dependencies";
import { appError, required } from "../../errors";

/** Opens a workspace that was set aside, for the account alone. @throws AppError `workspace_not_found` */
export async function keepSetAside(deps: Dependencies, userId: number, id: number): Promise<Workspace> {
  const { db, clock } = deps;
  const waiting = await listSetAside(db, userId);
  if (!waiting.some((workspace) => workspace.id === id)) throw appError("workspace_not_found");
  for (let after: number | undefined = 0; after !== undefined; ) {
    after = await renewSomeLinks(db, userId, { workspaceId: id, after });
    await deps.takeTurn?.();
  }
  await keepWorkspace(db, userId, { workspaceId: id, now: clock.now().toISOString() });
  return required(findWorkspace(db, { userId, role: "owner" }, id), "workspace_not_found");
}

/** Deletes a workspace that was set aside. @throws AppError `workspace_not_found` */
export async function discardSetAside({ db }: Dependencies, userId: number, id: number): Promise<void> {
  if (!(await discardWorkspace(db, userId, id))) throw appError("workspace_not_found");
}
