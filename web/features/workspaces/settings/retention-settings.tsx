import { useState } from "react";
import { useTranslation } from "react-i18next";
import { RETENTION_DAYS, type RetentionDays } from "../../../../worker/contract/options";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog";
import { Field } from "../../../components/ui/field";
import { Select } from "../../../components/ui/select";
import { useShownName } from "../../../lib/shown-name";
import { useFormat } from "../../../lib/use-format";
import {
  type RetentionImpact,
  useChangeWorkspace,
  useRetentionImpact,
  type Workspace,
} from "../workspaces.queries";

/** How long the workspace keeps the files of completed envelopes. */
export function RetentionSettings({ workspace: { id, name, retentionDays } }: { workspace: Workspace }) {
  const { t } = useTranslation("workspace");
  const save = useChangeWorkspace("workspace:retention.saved");
  const lookUp = useRetentionImpact();
  const [choice, setChoice] = useState<{ days: RetentionDays; impact: RetentionImpact }>();
  const options = RETENTION_DAYS.map((value) => ({
    value: value as RetentionDays | null,
    label: t("retention.days", { count: value }),
  }));
  const saving = save.isPending ? save.variables.retentionDays : undefined;
  const chosen = saving === undefined ? retentionDays : saving;
  const set = (days: RetentionDays | null) =>
    save.mutate({ id, retentionDays: days }, { onSettled: () => setChoice(undefined) });
  const choose = (days: RetentionDays | null) => {
    lookUp.reset();
    if (days === retentionDays) return;
    if (days === null || (retentionDays !== null && days > retentionDays)) return set(days);
    lookUp.mutate(
      { id, days },
      { onSuccess: (impact) => (impact.files > 0 ? setChoice({ days, impact }) : set(days)) },
    );
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-soft">{t("retention.what")}</p>
      <Field
        label={t("retention.label")}
        hint={chosen ? t("retention.on", { count: chosen }) : t("retention.off")}
      >
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
    </div>
  );
}

type RetentionDialogProps = {
  workspace: string;
  days: RetentionDays;
  impact: RetentionImpact;
  pending: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Shows which files a retention period deletes, and asks for confirmation. */
function RetentionDialog({ workspace, days, impact, ...rest }: RetentionDialogProps) {
  const { t } = useTranslation("workspace");
  const format = useFormat();
  const { files, envelopes, firstDeletionAt } = impact;
  return (
    <ConfirmDialog
      open
      title={t("retention.askTitle", { count: days })}
      text={t("retention.ask", {
        count: files,
        envelopes: t("retention.envelopes", { count: envelopes }),
        date: firstDeletionAt ? format.date(firstDeletionAt) : "",
      })}
      detail={t("retention.workspace", { name: useShownName()(workspace) })}
      confirmLabel={t("retention.confirm", { count: days })}
      {...rest}
    />
  );
}
