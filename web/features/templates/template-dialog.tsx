import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { Controller, FormProvider, useForm, useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../worker/contract/limits";
import { LANGUAGES, NOTIFICATION_PREFERENCES, REMINDER_FREQUENCIES } from "../../../worker/contract/options";
import { PLACEHOLDERS, typedPlaceholders } from "../../../worker/contract/placeholders";
import { DocumentList } from "../../components/document-list";
import { ReminderDaysField } from "../../components/reminder-days-field";
import { useChangedMeanwhile } from "../../components/ui/changed-meanwhile";
import { Field } from "../../components/ui/field";
import { FormDialog } from "../../components/ui/form-dialog";
import { Input, Textarea } from "../../components/ui/input";
import { LoadingDialog } from "../../components/ui/loading-dialog";
import { NativeSelect } from "../../components/ui/native-select";
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
      <EnvelopeStart />
    </>
  );
}

/** What an envelope from the template starts with beside its documents; all of it may stay empty. */
function EnvelopeStart() {
  const { t } = useTranslation(["templates", "envelopes", "common", "validation"]);
  const headingId = useId();
  const fieldError = useFieldError();
  const { control, register, formState } = useFormContext<TemplateValues>();
  const { errors } = formState;
  const placeholders = t("dialog.placeholders", { names: typedPlaceholders(PLACEHOLDERS) });
  const choices = (options: { value: string; label: string }[]) => [
    { label: "", options: [{ value: "", label: t("dialog.open") }, ...options] },
  ];
  const orNull = { setValueAs: (value: string | null) => value || null };
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <h3 id={headingId} className="mt-1 text-sm">
        {t("dialog.envelope")}
      </h3>
      <Field label={t("dialog.subject")} error={fieldError(errors.subject)}>
        <Input autoComplete="off" maxLength={LIMITS.subject} {...register("subject")} />
      </Field>
      <Field label={t("dialog.message")} hint={placeholders} error={fieldError(errors.message)}>
        <Textarea rows={4} maxLength={LIMITS.text} {...register("message")} />
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <DaysField name="dueInDays" label={t("dialog.dueInDays")} />
        <DaysField name="expiresInDays" label={t("dialog.expiresInDays")} />
      </div>
      <Controller
        control={control}
        name="reminderDays"
        render={({ field }) => (
          <ReminderDaysField
            name={field.name}
            value={field.value}
            onChange={field.onChange}
            error={fieldError(errors.reminderDays)}
          />
        )}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label={t("dialog.reminder")}>
          <NativeSelect
            {...register("reminderFrequency", orNull)}
            groups={choices(
              REMINDER_FREQUENCIES.map((value) => ({
                value,
                label: t(`envelopes:wizard.reminders.${value}`),
              })),
            )}
          />
        </Field>
        <Field label={t("dialog.notify")}>
          <NativeSelect
            {...register("notificationPreference", orNull)}
            groups={choices(
              NOTIFICATION_PREFERENCES.map((value) => ({
                value,
                label: t(`envelopes:wizard.notifications.${value}`),
              })),
            )}
          />
        </Field>
        <Field label={t("dialog.language")}>
          <NativeSelect
            {...register("language", orNull)}
            groups={choices(LANGUAGES.map((value) => ({ value, label: t(`common:languages.${value}`) })))}
          />
        </Field>
      </div>
    </section>
  );
}

/** A number of days that may stay empty. */
function DaysField({ name, label }: { name: "dueInDays" | "expiresInDays"; label: string }) {
  const { t } = useTranslation("templates");
  const fieldError = useFieldError();
  const { register, formState } = useFormContext<TemplateValues>();
  return (
    <Field label={label} hint={t("dialog.daysHint")} error={fieldError(formState.errors[name])}>
      <Input
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        {...register(name, {
          setValueAs: (value: string | number | null) =>
            value === null || value === "" ? null : Number(value),
        })}
      />
    </Field>
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
