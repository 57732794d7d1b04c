import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { tagsIn } from "../../../worker/contract/contact-tags";
import { LIMITS } from "../../../worker/contract/limits";
import { EntryDialog, useEntryForm } from "../../components/entry-dialog";
import { fieldsOf } from "../../components/form-fields";
import { LanguageField } from "../../components/language-field";
import { FormDialog } from "../../components/ui/form-dialog";
import type { ShownField } from "../../lib/differences";
import { useNameOrder } from "../../lib/use-name-order";
import { useDraftKey } from "../auth/auth.queries";
import { useSelectedWorkspace } from "../workspaces/workspaces.queries";
import { type ContactValues, contactForm, contactValues, isContactField } from "./contact.schema";
import { type Contact, contactQuery, useSaveContact } from "./contacts.queries";
import { TagsField } from "./tags";

type ContactDialogProps = {
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
    describe: useDescribeContact(),
    save: ({ tags, ...values }, callbacks) =>
      save.mutate(
        { ...values, tags: tagsIn(tags), ...(!contact && { workspaceId: workspace?.id ?? null }) },
        callbacks,
      ),
    onClose,
  });
  return (
    <FormDialog
      {...entryForm}
      title={title}
      submitLabel={contact ? t("common:saveChanges") : t("dialog.create")}
      className="grid gap-4 sm:grid-cols-2"
    >
      <ContactFields />
    </FormDialog>
  );
}

/** The fields and their values, as the form shows them. */
function useDescribeContact() {
  const { t } = useTranslation(["contacts", "common"]);
  return (values: ContactValues) => {
    const fields: Record<Exclude<keyof ContactValues, "updatedAt">, ShownField> = {
      firstName: { label: t("dialog.firstName"), text: values.firstName },
      lastName: { label: t("dialog.lastName"), text: values.lastName },
      email: { label: t("email"), text: values.email },
      phone: { label: t("phone"), text: values.phone },
      company: { label: t("company"), text: values.company },
      language: {
        label: t("common:language"),
        text: values.language ? t(`common:languages.${values.language}`) : t("common:noLanguage"),
      },
      tags: { label: t("dialog.tags"), text: values.tags },
      folder: { label: t("dialog.folder"), text: values.folder },
      notes: { label: t("dialog.notes"), text: values.notes },
    };
    return Object.values(fields);
  };
}

const { TextField, TextareaField } = fieldsOf<ContactValues>();

export function ContactFields() {
  const { t } = useTranslation(["contacts", "validation"]);
  const { familyNameFirst, inNameOrder } = useNameOrder();
  return (
    <>
      {inNameOrder(
        <TextField
          key="given"
          name="firstName"
          label={t("dialog.firstName")}
          required
          autoFocus={!familyNameFirst}
        />,
        <TextField key="family" name="lastName" label={t("dialog.lastName")} autoFocus={familyNameFirst} />,
      )}
      <TextField name="email" label={t("email")} type="email" maxLength={LIMITS.email} />
      <TextField
        name="phone"
        label={t("phone")}
        type="tel"
        maxLength={undefined}
        placeholder="(123) 456-7890"
      />
      <TextField name="company" label={t("company")} />
      <LanguageField hint={t("dialog.languageHint")} />
      <TagsField />
      <TextField name="folder" label={t("dialog.folder")} hint={t("dialog.folderHint")} />
      <TextareaField
        name="notes"
        label={t("dialog.notes")}
        hint={t("dialog.notesHint")}
        rows={3}
        className="sm:col-span-2"
      />
    </>
  );
}
