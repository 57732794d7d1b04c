import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { RETENTION_DAYS, type RetentionDays } from "../../../worker/contract/options";
import { Field } from "../../components/ui/field";
import { Select } from "../../components/ui/select";
import { useSetRetention, type Workspace, workspacesQuery } from "../workspaces/workspaces.queries";

/** How long each workspace keeps the files of completed envelopes. */
export function RetentionSettings() {
  const { t } = useTranslation("profile");
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-soft">{t("retention.what")}</p>
      {workspaces.map((workspace) => (
        <WorkspaceRetention key={workspace.id} workspace={workspace} />
      ))}
    </div>
  );
}

function WorkspaceRetention({ workspace: { id, name, retentionDays } }: { workspace: Workspace }) {
  const { t } = useTranslation("profile");
  const save = useSetRetention();
  const days = RETENTION_DAYS.map((value) => ({
    value: value as RetentionDays | null,
    label: t("retention.days", { count: value }),
  }));
  const chosen = save.isPending ? save.variables.retentionDays : retentionDays;
  return (
    <Field label={name} hint={chosen ? t("retention.on", { count: chosen }) : t("retention.off")}>
      <Select<RetentionDays | null>
        value={chosen}
        disabled={save.isPending}
        onChange={(choice) => choice !== retentionDays && save.mutate({ id, retentionDays: choice })}
        options={[{ value: null, label: t("retention.never") }, ...days]}
        className="sm:max-w-sm"
      />
    </Field>
  );
}
