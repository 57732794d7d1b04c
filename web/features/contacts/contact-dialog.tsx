import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FormProvider, useForm, useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../worker/contract/limits";
import { LanguageField } from "../../components/language-field";
import { useChangedMeanwhile } from "../../components/ui/changed-meanwhile";
import { Field } from "../../components/ui/field";
import { FormDialog } from "../../components/ui/form-dialog";
import { Input, Textarea } from "../../components/ui/input";
import { LoadingDialog } from "../../components/ui/loading-dialog";
import { useUnsavedChanges } from "../../components/ui/unsaved-changes";
import { showServerIssues, useFieldError, useRestoredInput } from "../../lib/form";
import { useNameOrder } from "../../lib/use-name-order";
import { useDraftKey } from "../auth/auth.queries";
import { useSelectedWorkspace } from "../workspaces/workspaces.queries";
import { type ContactValues, contactForm, contactValues, isContactField } from "./contact.schema";
import { type Contact, contactQuery, contactsQuery, useSaveContact } from "./contacts.queries";

type ContactDialogProps = {
  /** The contact that is edited; absent for a new one. */
  editId: number | undefined;
  onClose: () => void;
};

/** Takes the initial values from the cached list or loads them, then shows the form. */
export default function ContactDialog({ editId, onClose }: ContactDialogProps) {
  const { t } = useTranslation("contacts");
  const client = useQueryClient();
  const workspace = useSelectedWorkspace();
  const editing = editId !== undefined;
  const listed = client
    .getQueryData<Contact[]>(contactsQuery(workspace?.id ?? 0).queryKey)
    ?.find(({ id }) => id === editId);
  const single = useQuery({ ...contactQuery(editId ?? 0), enabled: editing && !listed });
  const contact = listed ?? single.data;
  const title = editing ? t("dialog.editTitle") : t("dialog.createTitle");
  if (!editing) return <ContactForm title={title} workspaceId={workspace?.id} onClose={onClose} />;
  if (contact)
    return (
      <ContactForm
        key={contact.id}
        title={title}
        contact={contact}
        workspaceId={contact.workspaceId}
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

type ContactFormProps = {
  title: string;
  /** The contact that is changed; absent for a new one. */
  contact?: Contact;
  workspaceId: number | undefined;
  onClose: () => void;
};

function ContactForm({ title, contact, workspaceId, onClose }: ContactFormProps) {
  const { t } = useTranslation(["contacts", "common", "validation"]);
  const save = useSaveContact(contact?.id);
  const form = useForm({
    resolver: valibotResolver(contactForm),
    defaultValues: contactValues(contact),
  });
  const { handleSubmit, setError } = form;
  const { isDirty } = form.formState;
  const guard = useUnsavedChanges(isDirty);
  useRestoredInput(form, isDirty, useDraftKey("contact", contact?.id));
  const client = useQueryClient();
  const conflict = useChangedMeanwhile({
    showTheirs: async () =>
      form.reset(contactValues(await client.fetchQuery({ ...contactQuery(contact?.id ?? 0), staleTime: 0 }))),
    setVersion: (updatedAt) => form.setValue("updatedAt", updatedAt),
  });
  const submit = handleSubmit((values) =>
    save.mutate(contact ? values : { ...values, workspaceId: workspaceId ?? null }, {
      onSuccess: () => {
        guard.release();
        onClose();
      },
      onError: (error) => {
        conflict.ask(error, () => void submit());
        showServerIssues(error, setError, isContactField);
      },
    }),
  );
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      submitLabel={contact ? t("common:saveChanges") : t("dialog.create")}
      pending={save.isPending}
      onSubmit={submit}
      guard={guard}
      conflict={conflict}
      className="grid gap-4 sm:grid-cols-2"
    >
      <FormProvider {...form}>
        <ContactFields />
      </FormProvider>
    </FormDialog>
  );
}

export function ContactFields() {
  const { t } = useTranslation(["contacts", "validation"]);
  const fieldError = useFieldError();
  const { familyNameFirst, inNameOrder } = useNameOrder();
  const { register, formState } = useFormContext<ContactValues>();
  const { errors } = formState;
  return (
    <>
      {inNameOrder(
        <Field key="given" label={t("dialog.firstName")} required error={fieldError(errors.firstName)}>
          <Input
            autoFocus={!familyNameFirst}
            autoComplete="off"
            maxLength={LIMITS.name}
            {...register("firstName")}
          />
        </Field>,
        <Field key="family" label={t("dialog.lastName")} error={fieldError(errors.lastName)}>
          <Input
            autoFocus={familyNameFirst}
            autoComplete="off"
            maxLength={LIMITS.name}
            {...register("lastName")}
          />
        </Field>,
      )}
      <Field label={t("email")} error={fieldError(errors.email)}>
        <Input type="email" autoComplete="off" maxLength={LIMITS.email} {...register("email")} />
      </Field>
      <Field label={t("phone")} error={fieldError(errors.phone)}>
        <Input type="tel" autoComplete="off" placeholder="(123) 456-7890" {...register("phone")} />
      </Field>
      <Field label={t("company")} error={fieldError(errors.company)}>
        <Input autoComplete="off" maxLength={LIMITS.name} {...register("company")} />
      </Field>
      <LanguageField
        hint={t("dialog.languageHint")}
        error={fieldError(errors.language)}
        {...register("language")}
      />
      <Field
        label={t("dialog.notes")}
        hint={t("dialog.notesHint")}
        error={fieldError(errors.notes)}
        className="sm:col-span-2"
      >
        <Textarea rows={3} maxLength={LIMITS.text} {...register("notes")} />
      </Field>
    </>
  );
}
