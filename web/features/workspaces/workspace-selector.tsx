import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/ui/icon-button";
import { Select } from "../../components/ui/select";
import { selectWorkspace } from "./selected-workspace";
import { useSelectedWorkspace, workspacesQuery } from "./workspaces.queries";

const CreateWorkspaceDialog = lazy(() => import("./create-workspace-dialog"));

export function WorkspaceSelector() {
  const { t } = useTranslation("shell");
  const { data: workspaces = [], isPending } = useQuery(workspacesQuery);
  const selected = useSelectedWorkspace();
  const [creating, setCreating] = useState(false);
  return (
    <div className="flex items-center gap-1.5">
      <Select
        label={t("workspace.label")}
        value={selected?.id ?? null}
        disabled={workspaces.length === 0}
        placeholder={isPending ? "" : t("workspace.none")}
        onChange={(id) => id !== null && selectWorkspace(id)}
        options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        className="font-medium"
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
