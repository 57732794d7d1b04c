import { runBatch } from "../../../db/client";
import { insertLogoDeletion, isLogoRejected, updateLogo } from "../../../db/queries/brands";
import type { Member } from "../../../db/queries/members";
import { activityTarget, insertActivity } from "../../../db/queries/workspace-activity";
import { ownWorkspace, selectOwnWorkspace, type Workspace } from "../../../db/queries/workspaces";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { deletePendingFiles } from "../files/file-deletions";
import type { UploadBody } from "../files/incoming-files";
import { finishImage, receiveImage, withIncomingImage } from "../files/incoming-image";
import { requireOwnWorkspace } from "./workspaces.service";

/**
 * Replaces a workspace's logo with the one in the multipart body and deletes the old one. Of two at once, the last one
 * recorded stays.
 * @throws AppError `workspace_not_found`, `role_required`, and for a rejected file
 */
export async function changeLogo(
  deps: Dependencies,
  owner: Member,
  id: number,
  upload: UploadBody,
): Promise<Workspace> {
  const { db, clock, background } = deps;
  const workspace = await requireOwnWorkspace(deps, owner, id);
  const changed = await withIncomingImage(deps, "logo", workspace.userId, async (incoming) => {
    const size = await receiveImage(incoming, "logo", upload);
    const logo = await finishImage(incoming, "logo");
    const now = clock.now().toISOString();
    const columns = { url: `/uploads/${logo.key}`, mimeType: logo.mimeType, size: logo.size, ...size };
    const statements = [
      insertLogoActivity(deps, owner, workspace, now),
      insertLogoDeletion(db, owner, id, now),
      updateLogo(db, owner, id, { logo: columns, now }),
    ];
    const explain = async () => void (await requireOwnWorkspace(deps, owner, id));
    const [row] = await incoming.record(statements, explain, selectOwnWorkspace(db, owner, id));
    return row;
  });
  background.run("old logo", () => deletePendingFiles(deps));
  if (!changed) throw appError("workspace_not_found");
  return changed;
}

/** Removes a workspace's logo. @throws AppError `workspace_not_found`, `role_required` */
export async function removeLogo(deps: Dependencies, owner: Member, id: number): Promise<void> {
  const { db, clock, background } = deps;
  const workspace = await requireOwnWorkspace(deps, owner, id);
  if (!workspace.logo) return;
  const now = clock.now().toISOString();
  await runBatch(db, [
    insertLogoActivity(deps, owner, workspace, now),
    insertLogoDeletion(db, owner, id, now),
    updateLogo(db, owner, id, { logo: null, now }),
  ]).catch(async (error: unknown) => {
    if (isLogoRejected(error)) await requireOwnWorkspace(deps, owner, id);
    throw error;
  });
  background.run("old logo", () => deletePendingFiles(deps));
}

/** The activity's statement fails, and with it the batch, if the caller no longer owns the workspace. */
const insertLogoActivity = ({ db }: Dependencies, owner: Member, { id, name }: Workspace, now: string) =>
  insertActivity(db, owner, {
    workspaceId: ownWorkspace(owner, id),
    type: "workspace.changed",
    target: activityTarget({ id, name }),
    detail: { changes: [{ field: "logo", from: null, to: null }] },
    now,
  });
