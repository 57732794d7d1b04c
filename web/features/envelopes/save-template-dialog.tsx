import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../worker/contract/limits";
import { Field } from "../../components/ui/field";
import { FormDialog } from "../../components/ui/form-dialog";
import { Input } from "../../components/ui/input";
import { useSaveTemplate } from "../templates/templates.queries";
import type { WizardValues } from "./wizard/wizard.schema";
import { templateOf } from "./wizard/wizard-values";

type SaveTemplateDialogProps = {
  values: WizardValues;
  /** From which the days to its dates are counted. */
  day: string;
  workspaceId: number | undefined;
  onClose: () => void;
};

/** Asks for a name, and saves what an envelope contains as a new template. */
export function SaveTemplateDialog({ values, day, workspaceId, onClose }: SaveTemplateDialogProps) {
  const { t } = useTranslation(["envelopes", "validation"]);
  const [name, setName] = useState(values.subject.slice(0, LIMITS.name));
  const [tried, setTried] = useState(false);
  const save = useSaveTemplate(undefined);
  const problem = name.trim() === "" ? t("validation:nameRequired") : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // It may be rendered within the wizard's form.
    event.stopPropagation();
    setTried(true);
    if (problem) return;
    const template = { ...templateOf(values, day), name, workspaceId: workspaceId ?? null, updatedAt: null };
    save.mutate(template, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={t("saveTemplate.action")}
      description={t("saveTemplate.text")}
      submitLabel={t("saveTemplate.action")}
      pending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t("saveTemplate.name")} required error={tried ? problem : undefined}>
        <Input
          autoFocus
          autoComplete="off"
          maxLength={LIMITS.name}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
    </FormDialog>
  );
}
