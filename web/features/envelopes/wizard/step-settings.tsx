import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Controller, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { NOTIFICATION_PREFERENCES, REMINDER_FREQUENCIES } from "../../../../worker/contract/options";
import { timeZoneName } from "../../../../worker/contract/time-zones";
import { ReminderFields } from "../../../components/reminder-fields";
import { selectFieldOf } from "../../../components/select-field";
import { Field, FieldError } from "../../../components/ui/field";
import { DateInput } from "../../../components/ui/input";
import { Segmented } from "../../../components/ui/segmented";
import { Switch } from "../../../components/ui/switch";
import { useFieldError } from "../../../lib/form";
import { today } from "../../../lib/time-zone";
import { useAccountTimeZone, userQuery } from "../../auth/auth.queries";
import { useTeam } from "../assignee";
import { AssigneeSelect } from "../assignee-select";
import { SendFields } from "./send-fields";
import type { WizardValues } from "./wizard.schema";

const SelectField = selectFieldOf<WizardValues>();

type StepSettingsProps = {
  workspaceId: number | undefined;
  /** Whether a recipient who is no contact is saved as one; null if they are one. */
  /** How it is sent, instead of now or later. */
  sending?: ReactNode;
  contactOffer: { saved: boolean; onChange: (saved: boolean) => void } | null;
  summary: ReactNode;
};

export function StepSettings({ contactOffer, sending, workspaceId, summary }: StepSettingsProps) {
  const { t, i18n } = useTranslation("envelopes");
  const timeZone = useAccountTimeZone();
  const fieldError = useFieldError();
  const { control, register, trigger, formState } = useFormContext<WizardValues>();
  const { errors } = formState;
  const [expirationDate, dueDate, reminderDays, sendOn] = useWatch({
    control,
    name: ["expirationDate", "dueDate", "reminderDays", "sendOn"],
  });
  const first = sendOn || today(timeZone);
  return (
    <div className="flex flex-col gap-5">
      {sending ?? <SendFields />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label={t("wizard.due")} hint={t("wizard.dueHint")} error={fieldError(errors.dueDate)}>
          <DateInput
            autoFocus
            empty={!dueDate}
            min={first}
            max={expirationDate || undefined}
            {...register("dueDate", { onChange: () => void trigger(["dueDate", "reminderDays"]) })}
          />
        </Field>
        <Field
          label={t("wizard.expiration")}
          hint={t("wizard.expirationHint", { zone: timeZoneName(timeZone, i18n.language) })}
          error={fieldError(errors.expirationDate)}
        >
          <DateInput
            empty={!expirationDate}
            min={first}
            {...register("expirationDate", { onChange: () => void trigger(["expirationDate", "dueDate"]) })}
          />
        </Field>
      </div>
      <ReminderFields hasDays={dueDate !== "" || reminderDays.length > 0}>
        <SelectField
          name="reminderFrequency"
          label={t("wizard.reminder")}
          required
          options={REMINDER_FREQUENCIES.map((value) => ({ value, label: t(`wizard.reminders.${value}`) }))}
        />
      </ReminderFields>
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
      <AssignedTo workspaceId={workspaceId} />
      {contactOffer && (
        <Switch
          label={t("wizard.saveContact")}
          checked={contactOffer.saved}
          onChange={contactOffer.onChange}
        />
      )}
      {summary}
    </div>
  );
}

/** Whom the envelope is assigned to, in a shared workspace. */
function AssignedTo({ workspaceId }: { workspaceId: number | undefined }) {
  const { t } = useTranslation("envelopes");
  const team = useTeam(workspaceId);
  const { data: user } = useQuery(userQuery);
  const fieldError = useFieldError();
  const { control, formState } = useFormContext<WizardValues>();
  if (!team) return null;
  return (
    <Controller
      control={control}
      name="assigneeId"
      render={({ field }) => (
        <Field
          label={t("assignee.label")}
          hint={t("assignee.hint")}
          error={fieldError(formState.errors.assigneeId)}
        >
          <AssigneeSelect
            members={team.members}
            value={field.value ?? user?.id ?? 0}
            onChange={field.onChange}
          />
        </Field>
      )}
    />
  );
}
