import { valibotResolver } from "@hookform/resolvers/valibot";
import { Plus } from "lucide-react";
import { useId } from "react";
import { FormProvider, useFieldArray, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../worker/contract/limits";
import { DocumentFields } from "../../components/document-fields";
import { Button } from "../../components/ui/button";
import { Field } from "../../components/ui/field";
import { FormDialog } from "../../components/ui/form-dialog";
import { Input, Textarea } from "../../components/ui/input";
import { emptyDocument } from "../../lib/document-entries";
import { showServerIssues } from "../../lib/form";
import { useFieldError } from "../../lib/use-field-error";
import { useRestoredInput } from "../../lib/use-restored-input";
import { useUnsavedChanges } from "../../lib/use-unsaved-changes";
import { useDraftKey } from "../auth/auth.queries";
import { isTemplateField, type TemplateValues, templateSchema, templateValues } from "./template.schema";
import { type Template, useSaveTemplate } from "./templates.queries";

type TemplateFormProps = {
  title: string;
  /** The template that is changed; absent for a new one. */
  template?: Template;
  workspaceId: number | undefined;
  onClose: () => void;
};

export function TemplateForm({ title, template, workspaceId, onClose }: TemplateFormProps) {
  const { t } = useTranslation(["templates", "common", "validation"]);
  const fieldError = useFieldError();
  const save = useSaveTemplate(template?.id);
  const form = useForm<TemplateValues>({
    resolver: valibotResolver(templateSchema),
    defaultValues: templateValues(template),
  });
  const { errors, isDirty } = form.formState;
  const guard = useUnsavedChanges(isDirty);
  useRestoredInput(form, isDirty, useDraftKey("template", template?.id));
  const submit = form.handleSubmit((values) =>
    save.mutate(template ? values : { ...values, workspaceId: workspaceId ?? null }, {
      onSuccess: () => {
        guard.release();
        onClose();
      },
      onError: (error) => showServerIssues(error, form.setError, isTemplateField),
    }),
  );
  return (
    <FormDialog
      onClose={onClose}
      width="lg"
      title={title}
      submitLabel={template ? t("dialog.update") : t("dialog.create")}
      pending={save.isPending}
      onSubmit={submit}
      guard={guard}
    >
      <FormProvider {...form}>
        <Field label={t("dialog.name")} required error={fieldError(errors.name)}>
          <Input autoFocus autoComplete="off" maxLength={LIMITS.name} {...form.register("name")} />
        </Field>
        <Field label={t("dialog.description")} error={fieldError(errors.description)}>
          <Textarea rows={2} maxLength={LIMITS.text} {...form.register("description")} />
        </Field>
        <DocumentList />
      </FormProvider>
    </FormDialog>
  );
}

function DocumentList() {
  const { t } = useTranslation(["templates", "common"]);
  const headingId = useId();
  const list = useFieldArray<TemplateValues, "fields">({ name: "fields" });
  const { length } = list.fields;
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <h3 id={headingId} className="mt-1 text-sm">
        {t("dialog.documents")}
      </h3>
      <ul className="flex flex-col gap-3">
        {list.fields.map((entry, index) => (
          <DocumentFields
            list="fields"
            key={entry.id}
            index={index}
            onRemove={length > 1 ? () => list.remove(index) : undefined}
          />
        ))}
      </ul>
      <Button
        className="self-start"
        disabled={length >= LIMITS.documentsPerEnvelope}
        onClick={() => list.append(emptyDocument(), { focusName: `fields.${length}.name` })}
      >
        <Plus aria-hidden />
        {t("common:document.add")}
      </Button>
    </section>
  );
}
