import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/ui/icon-button";
import { WorkspaceListBox } from "./workspace-list-box";
import { useSelectedWorkspace, useSelectWorkspace, workspacesQuery } from "./workspaces.queries";

const CreateWorkspaceDialog = lazy(() => import("./create-workspace-dialog"));

export function WorkspaceSelector() {
  const { t } = useTranslation("shell");
  const { data: workspaces = [], isPending } = useQuery(workspacesQuery);
  const selected = useSelectedWorkspace();
  const selectWorkspace = useSelectWorkspace();
  const [creating, setCreating] = useState(false);
  return (
    <div className="flex items-center gap-1.5">
      <WorkspaceListBox
        label={t("workspace.label")}
        placeholder={isPending ? "" : t("workspace.none")}
        chosen={selected?.id}
        options={workspaces}
        onChoose={selectWorkspace}
      />
      <IconButton
        icon={Plus}
        label={t("workspace.create")}
        side="bottom"
        onClick={() => setCreating(true)}
        className="size-9 border border-line-strong"
      />
      {creating && (
        <Suspense>
          <CreateWorkspaceDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </div>
  );
}
