import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { useForm, useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../worker/contract/limits";
import { LANGUAGES, NOTIFICATION_PREFERENCES, REMINDER_FREQUENCIES } from "../../../worker/contract/options";
import { useIsAttaching } from "../../components/attachment-fields";
import { useDescribeDocuments } from "../../components/describe-documents";
import { DocumentList } from "../../components/document-list";
import { EntryDialog, useEntryForm } from "../../components/entry-dialog";
import { fieldsOf } from "../../components/form-fields";
import { PlaceholderFields } from "../../components/placeholder-fields";
import { ReminderFields, useReminderDay } from "../../components/reminder-fields";
import { Field } from "../../components/ui/field";
import { FormDialog } from "../../components/ui/form-dialog";
import { Input, NativeSelect } from "../../components/ui/input";
import type { ShownField } from "../../lib/differences";
import { useFieldError } from "../../lib/form";
import { useDraftKey } from "../auth/auth.queries";
import { useSelectedWorkspace } from "../workspaces/workspaces.queries";
import { isTemplateField, type TemplateValues, templateForm, templateValues } from "./template.schema";
import { type Template, templateQuery, useSaveTemplate } from "./templates.queries";

type TemplateDialogProps = {
  editId: number | undefined;
  onClose: () => void;
};

export default function TemplateDialog({ editId, onClose }: TemplateDialogProps) {
  const { t } = useTranslation("templates");
  const title = editId === undefined ? t("dialog.createTitle") : t("dialog.editTitle");
  return (
    <EntryDialog
      editId={editId}
      single={templateQuery(editId ?? 0)}
      title={title}
      failedTitle={t("dialog.loadFailed")}
      missing={{ title: t("dialog.missing"), text: t("dialog.missingText") }}
      onClose={onClose}
    >
      {(template) => <TemplateForm key={template?.id} title={title} template={template} onClose={onClose} />}
    </EntryDialog>
  );
}

type TemplateFormProps = {
  title: string;
  template: Template | undefined;
  onClose: () => void;
};

function TemplateForm({ title, template, onClose }: TemplateFormProps) {
  const { t } = useTranslation(["templates", "common", "validation"]);
  const client = useQueryClient();
  const workspace = useSelectedWorkspace();
  const save = useSaveTemplate(template?.id);
  const attaching = useIsAttaching();
  const form = useForm<TemplateValues>({
    resolver: valibotResolver(templateForm),
    defaultValues: templateValues(template, workspace),
  });
  const entryForm = useEntryForm({
    form,
    draftKey: useDraftKey("template", template?.id),
    isField: isTemplateField,
    pending: save.isPending || attaching,
    readStored: async () =>
      templateValues(await client.fetchQuery({ ...templateQuery(template?.id ?? 0), staleTime: 0 })),
    describe: useDescribeTemplate(),
    save: (values, callbacks) =>
      save.mutate(template ? values : { ...values, workspaceId: workspace?.id ?? null }, callbacks),
    onClose,
  });
  return (
    <FormDialog
      {...entryForm}
      width="lg"
      title={title}
      submitLabel={template ? t("dialog.update") : t("dialog.create")}
    >
      <TemplateFields />
    </FormDialog>
  );
}

/** The fields and their values, as the form shows them. */
function useDescribeTemplate() {
  const { t, i18n } = useTranslation(["templates", "envelopes", "common"]);
  const describeDocuments = useDescribeDocuments();
  const reminderDay = useReminderDay();
  return (values: TemplateValues) => {
    const { reminderFrequency, reminderDays, notificationPreference, language } = values;
    const fields: Record<Exclude<keyof TemplateValues, "updatedAt">, ShownField | ShownField[]> = {
      name: { label: t("dialog.name"), text: values.name },
      description: { label: t("dialog.description"), text: values.description },
      fields: describeDocuments(t("dialog.documents"), values.fields),
      subject: { label: t("dialog.subject"), text: values.subject },
      message: { label: t("dialog.message"), text: values.message },
      dueInDays: { label: t("dialog.dueInDays"), text: String(values.dueInDays ?? "") },
      expiresInDays: { label: t("dialog.expiresInDays"), text: String(values.expiresInDays ?? "") },
      reminderFrequency: {
        label: t("dialog.reminder"),
        text: reminderFrequency ? t(`envelopes:wizard.reminders.${reminderFrequency}`) : t("dialog.open"),
      },
      reminderDays: {
        label: t("envelopes:reminderDays.legend"),
        text: new Intl.ListFormat(i18n.language).format(reminderDays.map(reminderDay)),
      },
      notificationPreference: {
        label: t("dialog.notify"),
        text: notificationPreference
          ? t(`envelopes:wizard.notifications.${notificationPreference}`)
          : t("dialog.open"),
      },
      language: {
        label: t("dialog.language"),
        text: language ? t(`common:languages.${language}`) : t("dialog.open"),
      },
    };
    return Object.values(fields).flat();
  };
}

const { TextField, TextareaField } = fieldsOf<TemplateValues>();

export function TemplateFields() {
  const { t } = useTranslation(["templates", "validation"]);
  const documentsId = useId();
  const workspace = useSelectedWorkspace();
  return (
    <>
      <TextField name="name" label={t("dialog.name")} required autoFocus />
      <TextareaField name="description" label={t("dialog.description")} rows={2} />
      <section aria-labelledby={documentsId} className="flex flex-col gap-3">
        <h3 id={documentsId} className="mt-1 text-sm">
          {t("dialog.documents")}
        </h3>
        <DocumentList list="fields" fileTypes={workspace?.defaultFileTypes} workspaceId={workspace?.id} />
      </section>
      <EnvelopeStart />
    </>
  );
}

/** What an envelope from the template starts with beside its documents; all of it may stay empty. */
function EnvelopeStart() {
  const { t } = useTranslation(["templates", "envelopes", "common", "validation"]);
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <h3 id={headingId} className="mt-1 text-sm">
        {t("dialog.envelope")}
      </h3>
      <PlaceholderFields>
        <TextField name="subject" label={t("dialog.subject")} maxLength={LIMITS.subject} />
        <TextareaField name="message" label={t("dialog.message")} rows={4} />
      </PlaceholderFields>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <DaysField name="dueInDays" label={t("dialog.dueInDays")} />
        <DaysField name="expiresInDays" label={t("dialog.expiresInDays")} />
      </div>
      <ReminderFields hasDays>
        <ChoiceField
          name="reminderFrequency"
          label={t("dialog.reminder")}
          options={REMINDER_FREQUENCIES.map((value) => ({
            value,
            label: t(`envelopes:wizard.reminders.${value}`),
          }))}
        />
      </ReminderFields>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <ChoiceField
          name="notificationPreference"
          label={t("dialog.notify")}
          options={NOTIFICATION_PREFERENCES.map((value) => ({
            value,
            label: t(`envelopes:wizard.notifications.${value}`),
          }))}
        />
        <ChoiceField
          name="language"
          label={t("dialog.language")}
          options={LANGUAGES.map((value) => ({ value, label: t(`common:languages.${value}`) }))}
        />
      </div>
    </section>
  );
}

type ChoiceFieldProps = {
  name: "reminderFrequency" | "notificationPreference" | "language";
  label: string;
  options: { value: string; label: string }[];
};

/** A choice that may stay open. */
function ChoiceField({ name, label, options }: ChoiceFieldProps) {
  const { t } = useTranslation("templates");
  const { register } = useFormContext<TemplateValues>();
  return (
    <Field label={label}>
      <NativeSelect
        {...register(name, { setValueAs: (value: string | null) => value || null })}
        options={[{ value: "", label: t("dialog.open") }, ...options]}
      />
    </Field>
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
