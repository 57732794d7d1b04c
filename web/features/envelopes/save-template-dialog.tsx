import { valibotResolver } from "@hookform/resolvers/valibot";
import type { FormEvent } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { fieldsOf } from "../../components/form-fields";
import { FormDialog } from "../../components/ui/form-dialog";
import { messageKey, requiredText } from "../../lib/form";
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

const schema = v.object({ name: requiredText(messageKey("nameRequired"), LIMITS.name) });
const { TextField } = fieldsOf<v.InferInput<typeof schema>>();

/** Asks for a name, and saves what an envelope contains as a new template. */
export function SaveTemplateDialog({ values, day, workspaceId, onClose }: SaveTemplateDialogProps) {
  const { t } = useTranslation(["envelopes", "validation"]);
  const save = useSaveTemplate(undefined);
  const form = useForm({
    resolver: valibotResolver(schema),
    defaultValues: { name: values.subject.slice(0, LIMITS.name) },
  });
  const submit = form.handleSubmit(({ name }) => {
    const template = { ...templateOf(values, day), name, workspaceId: workspaceId ?? null, updatedAt: null };
    save.mutate(template, { onSuccess: onClose });
  });
  return (
    <FormDialog
      form={form}
      title={t("saveTemplate.action")}
      description={t("saveTemplate.text")}
      submitLabel={t("saveTemplate.action")}
      pending={save.isPending}
      onSubmit={(event: FormEvent) => {
        // It may be rendered within the wizard's form.
        event.stopPropagation();
        void submit(event);
      }}
      onClose={onClose}
    >
      <TextField name="name" label={t("saveTemplate.name")} required autoFocus />
    </FormDialog>
  );
}
