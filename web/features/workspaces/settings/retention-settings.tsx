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
  const format = useFormat();
  const shown = useShownName();
  const save = useChangeWorkspace("workspace:retention.saved");
  const lookUp = useRetentionImpact();
  /** What is deleted with fewer days, which is asked first. */
  const [choice, setChoice] = useState<RetentionImpact & { days: RetentionDays }>();
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
      { onSuccess: (impact) => (impact.envelopes > 0 ? setChoice({ ...impact, days }) : set(days)) },
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
        <ConfirmDialog
          open
          title={t(choice.files > 0 ? "retention.askTitle" : "retention.askAnswersTitle", {
            count: choice.days,
          })}
          text={t(questionAbout(choice), {
            count: choice.files,
            envelopes: t("retention.envelopes", { count: choice.envelopes }),
            date: choice.firstDeletionAt ? format.date(choice.firstDeletionAt) : "",
          })}
          detail={t("retention.workspace", { name: shown(name) })}
          confirmLabel={t("retention.confirm", { count: choice.days })}
          pending={save.isPending}
          onConfirm={() => set(choice.days)}
          onCancel={() => setChoice(undefined)}
        />
      )}
    </div>
  );
}

const questionAbout = ({ files, answers }: RetentionImpact) =>
  answers === 0 ? "retention.ask" : files > 0 ? "retention.askWithAnswers" : "retention.askAnswers";
