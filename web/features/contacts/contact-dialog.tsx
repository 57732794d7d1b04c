import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQueryClient } from "@tanstack/react-query";
import { FormProvider, useForm, useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../worker/contract/limits";
import { EntryDialog, useEntryForm } from "../../components/entry-dialog";
import { LanguageField } from "../../components/language-field";
import { Field } from "../../components/ui/field";
import { FormDialog } from "../../components/ui/form-dialog";
import { Input, Textarea } from "../../components/ui/input";
import { useFieldError } from "../../lib/form";
import { useNameOrder } from "../../lib/use-name-order";
import { useDraftKey } from "../auth/auth.queries";
import { useSelectedWorkspace } from "../workspaces/workspaces.queries";
import { type ContactValues, contactForm, contactValues, isContactField } from "./contact.schema";
import { type Contact, contactQuery, useSaveContact } from "./contacts.queries";

type ContactDialogProps = {
  /** The contact that is edited; absent for a new one. */
  editId: number | undefined;
  onClose: () => void;
};

export default function ContactDialog({ editId, onClose }: ContactDialogProps) {
  const { t } = useTranslation("contacts");
  const title = editId === undefined ? t("dialog.createTitle") : t("dialog.editTitle");
  return (
    <EntryDialog
      editId={editId}
      single={contactQuery(editId ?? 0)}
      title={title}
      failedTitle={t("dialog.loadFailed")}
      missing={{ title: t("dialog.missing"), text: t("dialog.missingText") }}
      onClose={onClose}
    >
      {(contact) => <ContactForm key={contact?.id} title={title} contact={contact} onClose={onClose} />}
    </EntryDialog>
  );
}

type ContactFormProps = {
  title: string;
  /** The contact that is changed; absent for a new one. */
  contact: Contact | undefined;
  onClose: () => void;
};

function ContactForm({ title, contact, onClose }: ContactFormProps) {
  const { t } = useTranslation(["contacts", "common", "validation"]);
  const client = useQueryClient();
  const workspace = useSelectedWorkspace();
  const save = useSaveContact(contact?.id);
  const form = useForm({ resolver: valibotResolver(contactForm), defaultValues: contactValues(contact) });
  const entryForm = useEntryForm({
    form,
    draftKey: useDraftKey("contact", contact?.id),
    isField: isContactField,
    pending: save.isPending,
    readStored: async () =>
      contactValues(await client.fetchQuery({ ...contactQuery(contact?.id ?? 0), staleTime: 0 })),
    setVersion: (updatedAt) => form.setValue("updatedAt", updatedAt),
    save: (values, callbacks) =>
      save.mutate(contact ? values : { ...values, workspaceId: workspace?.id ?? null }, callbacks),
    onClose,
  });
  return (
    <FormDialog
      {...entryForm}
      title={title}
      submitLabel={contact ? t("common:saveChanges") : t("dialog.create")}
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
      <LanguageField hint={t("dialog.languageHint")} />
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
