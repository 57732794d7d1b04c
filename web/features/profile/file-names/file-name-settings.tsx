import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { workspacesQuery } from "../../workspaces/workspaces.queries";
import { RuleForm } from "./rule-form";

/** How each workspace names the files of its ZIP archives. */
export function FileNameSettings() {
  const { t } = useTranslation("profile");
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  return (
    <div className="flex flex-col gap-6">
      <p className="text-ink-soft">{t("fileNames.what")}</p>
      {workspaces.map((workspace) => (
        <RuleForm key={`${workspace.id} ${workspace.fileNameRule}`} workspace={workspace} />
      ))}
    </div>
  );
}
