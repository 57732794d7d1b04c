import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/ui/icon-button";
import { NativeSelect } from "../../components/ui/native-select";
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
      <NativeSelect
        aria-label={t("workspace.label")}
        value={selected?.id ?? ""}
        disabled={workspaces.length === 0}
        onChange={(event) => selectWorkspace(Number(event.target.value))}
        className="font-medium"
      >
        {workspaces.length === 0 && <option value="">{isPending ? "" : t("workspace.none")}</option>}
        {workspaces.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </NativeSelect>
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
