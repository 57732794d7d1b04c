import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { RETENTION_DAYS, type RetentionDays } from "../../../worker/contract/options";
import { Field } from "../../components/ui/field";
import { Select } from "../../components/ui/select";
import {
  type RetentionReach,
  useRetentionReach,
  useSetRetention,
  type Workspace,
  workspacesQuery,
} from "../workspaces/workspaces.queries";
import { RetentionDialog } from "./retention-dialog";

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
  const lookUp = useRetentionReach();
  const [choice, setChoice] = useState<{ days: RetentionDays; reach: RetentionReach }>();
  const options = RETENTION_DAYS.map((value) => ({
    value: value as RetentionDays | null,
    label: t("retention.days", { count: value }),
  }));
  const chosen = save.isPending ? save.variables.retentionDays : retentionDays;
  const set = (days: RetentionDays | null) =>
    save.mutate({ id, retentionDays: days }, { onSettled: () => setChoice(undefined) });
  const choose = (days: RetentionDays | null) => {
    lookUp.reset();
    if (days === retentionDays) return;
    if (days === null || (retentionDays !== null && days > retentionDays)) return set(days);
    lookUp.mutate(
      { id, days },
      { onSuccess: (reach) => (reach.files > 0 ? setChoice({ days, reach }) : set(days)) },
    );
  };
  return (
    <>
      <Field label={name} hint={chosen ? t("retention.on", { count: chosen }) : t("retention.off")}>
        <Select<RetentionDays | null>
          value={chosen}
          disabled={save.isPending}
          onChange={choose}
          options={[{ value: null, label: t("retention.never") }, ...options]}
          className="sm:max-w-sm"
        />
      </Field>
      {choice && (
        <RetentionDialog
          workspace={name}
          {...choice}
          pending={save.isPending}
          onConfirm={() => set(choice.days)}
          onCancel={() => setChoice(undefined)}
        />
      )}
    </>
  );
}
