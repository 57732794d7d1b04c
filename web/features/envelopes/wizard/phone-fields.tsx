import { Controller, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { COUNTRY_CODES } from "../../../../worker/contract/options";
import { Field } from "../../../components/ui/field";
import { PhoneInput } from "../../../components/ui/phone-input";
import { Select } from "../../../components/ui/select";
import { useFieldError } from "../../../lib/use-field-error";
import type { WizardValues } from "./wizard.schema";

/** The recipient's country code and phone number. */
export function PhoneFields() {
  const { t } = useTranslation("envelopes");
  const fieldError = useFieldError();
  const form = useFormContext<WizardValues>();
  const { errors } = form.formState;
  const countryCode = useWatch({ control: form.control, name: "countryCode" });
  const storedPhone = form.getValues("storedPhone");
  return (
    <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-[240px_minmax(0,1fr)]">
      <Controller
        control={form.control}
        name="countryCode"
        render={({ field }) => (
          <Field label={t("wizard.countryCode")} error={fieldError(errors.countryCode)}>
            <Select
              value={field.value}
              onChange={field.onChange}
              options={COUNTRY_CODES.map((code) => ({
                value: code as string,
                label: `${code} ${t(`countries.${code}`)}`,
              }))}
            />
          </Field>
        )}
      />
      <Controller
        control={form.control}
        name="phone"
        render={({ field }) => (
          <Field
            label={t("wizard.phone")}
            hint={storedPhone && t("wizard.phoneKept", { phone: storedPhone })}
            error={fieldError(errors.phone)}
          >
            <PhoneInput
              ref={field.ref}
              value={{ countryCode, phone: field.value }}
              onChange={(typed) => {
                if (typed.countryCode !== countryCode)
                  form.setValue("countryCode", typed.countryCode, { shouldDirty: true });
                field.onChange(typed.phone);
              }}
              onBlur={field.onBlur}
              autoComplete="off"
            />
          </Field>
        )}
      />
    </div>
  );
}
