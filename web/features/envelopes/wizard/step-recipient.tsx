import { useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { Field } from "../../../components/ui/field";
import { Input } from "../../../components/ui/input";
import { useFieldError } from "../../../lib/use-field-error";
import { type Contact, contactName } from "../../contacts/contacts.queries";
import { ContactPicker } from "./contact-picker";
import { PhoneFields } from "./phone-fields";
import type { WizardValues } from "./wizard.schema";
import { valuesFromContact } from "./wizard-values";

type StepRecipientProps = {
  workspaceId: number | undefined;
  /** The name of the chosen contact. */
  contact: string | undefined;
  onContact: (name: string) => void;
};

export function StepRecipient({ workspaceId, contact, onContact }: StepRecipientProps) {
  const { t } = useTranslation("envelopes");
  const fieldError = useFieldError();
  const form = useFormContext<WizardValues>();
  const { errors } = form.formState;

  const pick = (picked: Contact) => {
    const filled = valuesFromContact(picked);
    for (const [field, value] of Object.entries(filled))
      form.setValue(field as keyof typeof filled, value, { shouldDirty: true });
    form.clearErrors();
    onContact(contactName(picked));
  };

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-x-3 gap-y-1.5 rounded-card bg-sunken p-3 sm:flex-row sm:items-center">
        <ContactPicker workspaceId={workspaceId} chosen={contact} onPick={pick} />
        <p className="text-ink-soft text-xs">{t("wizard.contactHint")}</p>
      </div>
      <Field label={t("wizard.recipientName")} required error={fieldError(errors.recipientName)}>
        <Input autoComplete="off" maxLength={LIMITS.name} {...form.register("recipientName")} />
      </Field>
      <Field label={t("wizard.recipientEmail")} required error={fieldError(errors.recipientEmail)}>
        <Input
          type="email"
          autoComplete="off"
          maxLength={LIMITS.email}
          {...form.register("recipientEmail")}
        />
      </Field>
      <PhoneFields />
    </div>
  );
}
