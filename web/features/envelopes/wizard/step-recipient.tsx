import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Repeat, UsersRound } from "lucide-react";
import { useController, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { COUNTRY_CODES } from "../../../../worker/contract/options";
import { fieldsOf } from "../../../components/form-fields";
import { LanguageField } from "../../../components/language-field";
import { selectFieldOf } from "../../../components/select-field";
import { Button } from "../../../components/ui/button";
import { Field } from "../../../components/ui/field";
import { Input } from "../../../components/ui/input";
import { cx } from "../../../lib/cx";
import { useFieldError } from "../../../lib/form";
import { formatPhone, readPhone } from "../../../lib/phone";
import { type Contact, contactName, contactQuery } from "../../contacts/contacts.queries";
import { templateQuery } from "../../templates/templates.queries";
import { ContactPicker } from "./contact-picker";
import { TemplateSelect } from "./template-select";
import type { WizardValues } from "./wizard.schema";
import { valuesFromContact } from "./wizard-values";

const { TextField } = fieldsOf<WizardValues>();
const SelectField = selectFieldOf<WizardValues>();

type StepRecipientProps = {
  workspaceId: number | undefined;
  /** Continues with a list of recipients; undefined for an envelope that exists. */
  onSeveral: (() => void) | undefined;
  onRecurring: (() => void) | undefined;
};

export function StepRecipient({ workspaceId, onSeveral, onRecurring }: StepRecipientProps) {
  const { t } = useTranslation("envelopes");
  const client = useQueryClient();
  const form = useFormContext<WizardValues>();
  const contactId = useWatch({ control: form.control, name: "contactId" });
  const { data: chosen } = useQuery(contactQuery(contactId));

  const pick = (picked: Contact) => {
    const template = client.getQueryData(templateQuery(form.getValues("templateId")).queryKey);
    const filled = valuesFromContact(picked, template?.language ?? "");
    for (const [field, value] of Object.entries(filled))
      form.setValue(field as keyof typeof filled, value, { shouldDirty: true });
    form.clearErrors();
    client.setQueryData(contactQuery(picked.id).queryKey, picked);
  };

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-x-3 gap-y-1.5 rounded-card bg-sunken p-3 sm:flex-row sm:flex-wrap sm:items-center">
        <ContactPicker
          workspaceId={workspaceId}
          chosen={contactId !== null && chosen ? contactName(chosen) : undefined}
          onPick={pick}
        />
        <p className="text-ink-soft text-xs sm:order-last sm:w-full">{t("wizard.contactHint")}</p>
        {onSeveral && (
          <Button className="max-sm:justify-start sm:ml-auto" onClick={onSeveral}>
            <UsersRound aria-hidden />
            {t("wizard.several")}
          </Button>
        )}
        {onRecurring && (
          <Button className="max-sm:justify-start" onClick={onRecurring}>
            <Repeat aria-hidden />
            {t("wizard.recurring")}
          </Button>
        )}
      </div>
      <TextField name="recipientName" label={t("wizard.recipientName")} required autoFocus />
      <TextField
        name="recipientEmail"
        label={t("wizard.recipientEmail")}
        required
        type="email"
        maxLength={LIMITS.email}
      />
      <PhoneFields />
      <div className={cx("grid items-start gap-4", onSeveral && "sm:grid-cols-2")}>
        {onSeveral && <TemplateSelect workspaceId={workspaceId} fills="everything" />}
        <LanguageField hint={t("wizard.languageHint")} />
      </div>
    </div>
  );
}

/** The recipient's country code and phone number. */
function PhoneFields() {
  const { t } = useTranslation("envelopes");
  const fieldError = useFieldError();
  const form = useFormContext<WizardValues>();
  const { field, fieldState } = useController({ control: form.control, name: "phone" });
  const countryCode = useWatch({ control: form.control, name: "countryCode" });
  const storedPhone = form.getValues("storedPhone");
  const shown = formatPhone({ countryCode, phone: field.value });
  /** Reads a number as it is written in its country; an entered plus sets the country. */
  const change = (typed: string) => {
    const read = readPhone(typed, { countryCode, phone: field.value });
    // Backspace over a bracket or dash removes only punctuation: take the digit before it too.
    const isSame = read.phone === field.value && read.countryCode === countryCode;
    const onlyPunctuation = isSame && typed.length === shown.length - 1 && shown.startsWith(typed);
    if (read.countryCode !== countryCode)
      form.setValue("countryCode", read.countryCode, { shouldDirty: true });
    field.onChange(onlyPunctuation ? read.phone.slice(0, -1) : read.phone);
  };
  return (
    <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-[240px_minmax(0,1fr)]">
      <SelectField
        name="countryCode"
        label={t("wizard.countryCode")}
        options={COUNTRY_CODES.map((code) => ({ value: code, label: `${code} ${t(`countries.${code}`)}` }))}
      />
      <Field
        label={t("wizard.phone")}
        hint={storedPhone && t("wizard.phoneKept", { phone: storedPhone })}
        error={fieldError(fieldState.error)}
      >
        <Input
          ref={field.ref}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          placeholder="(123) 456-7890"
          value={shown}
          onChange={({ target }) => change(target.value)}
          onBlur={field.onBlur}
        />
      </Field>
    </div>
  );
}
