import { Controller, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { NOTIFICATION_PREFERENCES, REMINDER_FREQUENCIES } from "../../../../worker/contract/options";
import { timeZoneName } from "../../../../worker/contract/time-zones";
import { DateInput } from "../../../components/ui/date-input";
import { Field, FieldError } from "../../../components/ui/field";
import { Segmented } from "../../../components/ui/segmented";
import { Select } from "../../../components/ui/select";
import { today } from "../../../lib/today";
import { useFieldError } from "../../../lib/use-field-error";
import { useAccountTimeZone } from "../../auth/auth.queries";
import type { WizardValues } from "./wizard.schema";

export function StepSettings() {
  const { t, i18n } = useTranslation("envelopes");
  const timeZone = useAccountTimeZone();
  const fieldError = useFieldError();
  const { control, register, trigger, formState } = useFormContext<WizardValues>();
  const { errors } = formState;
  const expirationDate = useWatch({ control, name: "expirationDate" });
  return (
    <div className="flex flex-col gap-5">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Controller
          control={control}
          name="reminderFrequency"
          render={({ field }) => (
            <Field label={t("wizard.reminder")} required hint={t("wizard.reminderHint")}>
              <Select
                value={field.value}
                onChange={field.onChange}
                options={REMINDER_FREQUENCIES.map((value) => ({
                  value,
                  label: t(`wizard.reminders.${value}`),
                }))}
              />
            </Field>
          )}
        />
        <Field
          label={t("wizard.expiration")}
          hint={t("wizard.expirationHint", { zone: timeZoneName(timeZone, i18n.language) })}
          error={fieldError(errors.expirationDate)}
        >
          <DateInput
            empty={!expirationDate}
            min={today(timeZone)}
            {...register("expirationDate", { onChange: () => void trigger("expirationDate") })}
          />
        </Field>
      </div>
      <Controller
        control={control}
        name="notificationPreference"
        render={({ field }) => (
          <div className="flex flex-col items-start gap-1.5">
            <span aria-hidden className="font-medium">
              {t("wizard.notify")}
            </span>
            <Segmented
              legend={t("wizard.notify")}
              value={field.value}
              onChange={field.onChange}
              choices={NOTIFICATION_PREFERENCES.map((value) => ({
                value,
                label: t(`wizard.notifications.${value}`),
              }))}
            />
            {errors.notificationPreference && (
              <FieldError>{fieldError(errors.notificationPreference)}</FieldError>
            )}
          </div>
        )}
      />
    </div>
  );
}
