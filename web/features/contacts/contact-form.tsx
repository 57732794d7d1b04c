import { valibotResolver } from "@hookform/resolvers/valibot";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../worker/contract/limits";
import { Field } from "../../components/ui/field";
import { FormDialog } from "../../components/ui/form-dialog";
import { Input, Textarea } from "../../components/ui/input";
import { showServerIssues } from "../../lib/form";
import { useFieldError } from "../../lib/use-field-error";
import { useNameOrder } from "../../lib/use-name-order";
import { useRestoredInput } from "../../lib/use-restored-input";
import { useUnsavedChanges } from "../../lib/use-unsaved-changes";
import { useDraftKey } from "../auth/auth.queries";
import { contactSchema, contactValues, isContactField } from "./contact.schema";
import { type Contact, useSaveContact } from "./contacts.queries";

type ContactFormProps = {
  title: string;
  /** The contact that is changed; absent for a new one. */
  contact?: Contact;
  workspaceId: number | undefined;
  onClose: () => void;
};

export function ContactForm({ title, contact, workspaceId, onClose }: ContactFormProps) {
  const { t } = useTranslation(["contacts", "common", "validation"]);
  const fieldError = useFieldError();
  const { familyNameFirst, inNameOrder } = useNameOrder();
  const save = useSaveContact(contact?.id);
  const form = useForm({
    resolver: valibotResolver(contactSchema),
    defaultValues: contactValues(contact),
  });
  const { register, handleSubmit, setError } = form;
  const { errors, isDirty } = form.formState;
  const guard = useUnsavedChanges(isDirty);
  useRestoredInput(form, isDirty, useDraftKey("contact", contact?.id));
  const submit = handleSubmit((values) =>
    save.mutate(contact ? values : { ...values, workspaceId: workspaceId ?? null }, {
      onSuccess: () => {
        guard.release();
        onClose();
      },
      onError: (error) => showServerIssues(error, setError, isContactField),
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
      className="grid gap-4 sm:grid-cols-2"
    >
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
      <Field label={t("company")} error={fieldError(errors.company)} className="sm:col-span-2">
        <Input autoComplete="off" maxLength={LIMITS.name} {...register("company")} />
      </Field>
      <Field
        label={t("dialog.notes")}
        hint={t("dialog.notesHint")}
        error={fieldError(errors.notes)}
        className="sm:col-span-2"
      >
        <Textarea rows={3} maxLength={LIMITS.text} {...register("notes")} />
      </Field>
    </FormDialog>
  );
}
