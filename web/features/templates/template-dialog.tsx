import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { FormProvider, useForm, useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../worker/contract/limits";
import { DocumentList } from "../../components/document-list";
import { useChangedMeanwhile } from "../../components/ui/changed-meanwhile";
import { Field } from "../../components/ui/field";
import { FormDialog } from "../../components/ui/form-dialog";
import { Input, Textarea } from "../../components/ui/input";
import { LoadingDialog } from "../../components/ui/loading-dialog";
import { useUnsavedChanges } from "../../components/ui/unsaved-changes";
import { showServerIssues, useFieldError, useRestoredInput } from "../../lib/form";
import { useDraftKey } from "../auth/auth.queries";
import { useSelectedWorkspace } from "../workspaces/workspaces.queries";
import { isTemplateField, type TemplateValues, templateForm, templateValues } from "./template.schema";
import { type Template, templateQuery, templatesQuery, useSaveTemplate } from "./templates.queries";

type TemplateDialogProps = {
  /** The template that is edited; absent for a new one. */
  editId: number | undefined;
  onClose: () => void;
};

/** Takes the initial values from the cached list or loads them, then shows the form. */
export default function TemplateDialog({ editId, onClose }: TemplateDialogProps) {
  const { t } = useTranslation("templates");
  const client = useQueryClient();
  const workspace = useSelectedWorkspace();
  const editing = editId !== undefined;
  const listed = client
    .getQueryData<Template[]>(templatesQuery(workspace?.id ?? 0).queryKey)
    ?.find(({ id }) => id === editId);
  const single = useQuery({ ...templateQuery(editId ?? 0), enabled: editing && !listed });
  const template = listed ?? single.data;
  const title = editing ? t("dialog.editTitle") : t("dialog.createTitle");
  if (!editing) return <TemplateForm title={title} workspaceId={workspace?.id} onClose={onClose} />;
  if (template)
    return (
      <TemplateForm
        key={template.id}
        title={title}
        template={template}
        workspaceId={template.workspaceId}
        onClose={onClose}
      />
    );
  return (
    <LoadingDialog
      title={title}
      query={single}
      failedTitle={t("dialog.loadFailed")}
      missing={{ title: t("dialog.missing"), text: t("dialog.missingText") }}
      onClose={onClose}
    />
  );
}

type TemplateFormProps = {
  title: string;
  /** The template that is changed; absent for a new one. */
  template?: Template;
  workspaceId: number | undefined;
  onClose: () => void;
};

function TemplateForm({ title, template, workspaceId, onClose }: TemplateFormProps) {
  const { t } = useTranslation(["templates", "common", "validation"]);
  const save = useSaveTemplate(template?.id);
  const workspace = useSelectedWorkspace();
  const form = useForm<TemplateValues>({
    resolver: valibotResolver(templateForm),
    defaultValues: templateValues(template, workspace),
  });
  const { isDirty } = form.formState;
  const guard = useUnsavedChanges(isDirty);
  useRestoredInput(form, isDirty, useDraftKey("template", template?.id));
  const client = useQueryClient();
  const conflict = useChangedMeanwhile({
    showTheirs: async () =>
      form.reset(
        templateValues(await client.fetchQuery({ ...templateQuery(template?.id ?? 0), staleTime: 0 })),
      ),
    setVersion: (updatedAt) => form.setValue("updatedAt", updatedAt),
  });
  const submit = form.handleSubmit((values) =>
    save.mutate(template ? values : { ...values, workspaceId: workspaceId ?? null }, {
      onSuccess: () => {
        guard.release();
        onClose();
      },
      onError: (error) => {
        conflict.ask(error, () => void submit());
        showServerIssues(error, form.setError, isTemplateField);
      },
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
      conflict={conflict}
    >
      <FormProvider {...form}>
        <TemplateFields />
      </FormProvider>
    </FormDialog>
  );
}

export function TemplateFields() {
  const { t } = useTranslation(["templates", "validation"]);
  const fieldError = useFieldError();
  const { register, formState } = useFormContext<TemplateValues>();
  const { errors } = formState;
  return (
    <>
      <Field label={t("dialog.name")} required error={fieldError(errors.name)}>
        <Input autoFocus autoComplete="off" maxLength={LIMITS.name} {...register("name")} />
      </Field>
      <Field label={t("dialog.description")} error={fieldError(errors.description)}>
        <Textarea rows={2} maxLength={LIMITS.text} {...register("description")} />
      </Field>
      <RequestedDocuments />
    </>
  );
}

function RequestedDocuments() {
  const { t } = useTranslation("templates");
  const headingId = useId();
  const workspace = useSelectedWorkspace();
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <h3 id={headingId} className="mt-1 text-sm">
        {t("dialog.documents")}
      </h3>
      <DocumentList list="fields" fileTypes={workspace?.defaultFileTypes} />
    </section>
  );
}
