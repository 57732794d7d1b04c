import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useController, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { addDays, daysBetween } from "../../../../worker/contract/days";
import { LIMITS } from "../../../../worker/contract/limits";
import { NOTIFICATION_PREFERENCES, REMINDER_FREQUENCIES } from "../../../../worker/contract/options";
import { timeZoneName } from "../../../../worker/contract/time-zones";
import { ReminderFields } from "../../../components/reminder-fields";
import { selectFieldOf } from "../../../components/select-field";
import { Field, FieldError } from "../../../components/ui/field";
import { DateInput, NativeSelect } from "../../../components/ui/input";
import { Segmented, type SegmentedProps } from "../../../components/ui/segmented";
import { Switch } from "../../../components/ui/switch";
import { useFieldError } from "../../../lib/form";
import { regionalLocale } from "../../../lib/format";
import { formatSending } from "../../../lib/format-sending";
import { today } from "../../../lib/time-zone";
import { useAccountTimeZone, userQuery } from "../../auth/auth.queries";
import { templateQuery } from "../../templates/templates.queries";
import { useTeam } from "../assignee";
import { AssigneeSelect } from "../assignee-select";
import type { WizardValues } from "./wizard.schema";

const SelectField = selectFieldOf<WizardValues>();

type StepSettingsProps = {
  workspaceId: number | undefined;
  /** How it is sent, instead of now or later. */
  sending?: ReactNode;
  /** Whether a recipient who is no contact is saved as one; null if they are one. */
  contactOffer: { label?: string; saved: boolean; onChange: (saved: boolean) => void } | null;
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
  const { field: notify } = useController({ control, name: "notificationPreference" });
  const first = sendOn || today(timeZone);
  return (
    <div className="flex flex-col gap-5">
      {sending ?? <SendFields />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label={t("wizard.due")} hint={t("wizard.dueHint")} error={fieldError(errors.dueDate)}>
          <DateInput
            autoFocus={!sending}
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
      <div className="flex flex-col items-start gap-1.5">
        <LabelledChoice
          legend={t("wizard.notify")}
          value={notify.value}
          onChange={notify.onChange}
          choices={NOTIFICATION_PREFERENCES.map((value) => ({
            value,
            label: t(`wizard.notifications.${value}`),
          }))}
        />
        {errors.notificationPreference && (
          <FieldError>{fieldError(errors.notificationPreference)}</FieldError>
        )}
      </div>
      <AssignedTo workspaceId={workspaceId} />
      {contactOffer && (
        <Switch
          label={contactOffer.label ?? t("wizard.saveContact")}
          checked={contactOffer.saved}
          onChange={contactOffer.onChange}
        />
      )}
      {summary}
    </div>
  );
}

/** Choices under their legend, in a column of a form. */
function LabelledChoice<Value extends string>(props: SegmentedProps<Value>) {
  return (
    <>
      <span aria-hidden className="font-medium">
        {props.legend}
      </span>
      <Segmented {...props} />
    </>
  );
}

/** Whom the envelope is assigned to, in a shared workspace. */
function AssignedTo({ workspaceId }: { workspaceId: number | undefined }) {
  const { t } = useTranslation("envelopes");
  const team = useTeam(workspaceId);
  const { data: user } = useQuery(userQuery);
  const fieldError = useFieldError();
  const { field, fieldState } = useController<WizardValues, "assigneeId">({ name: "assigneeId" });
  if (!team) return null;
  return (
    <Field label={t("assignee.label")} hint={t("assignee.hint")} error={fieldError(fieldState.error)}>
      <AssigneeSelect members={team.members} value={field.value ?? user?.id ?? 0} onChange={field.onChange} />
    </Field>
  );
}

const TIMES = ["now", "later"] as const;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Whether it is sent at once or on a day, in the form around it. The dates of a template move with the day. */
function SendFields() {
  const { t, i18n } = useTranslation(["schedules", "envelopes"]);
  const locale = regionalLocale(i18n.language);
  const timeZone = useAccountTimeZone();
  const fieldError = useFieldError();
  const { data: user } = useQuery(userQuery);
  const { control, setValue, getValues, trigger, clearErrors, formState } = useFormContext<WizardValues>();
  const [sendOn, sendHour, templateId, assigneeId] = useWatch({
    control,
    name: ["sendOn", "sendHour", "templateId", "assigneeId"],
  });
  const template = useQuery(templateQuery(templateId)).data;
  const first = today(timeZone);
  const moveDates = (from: string, to: string) => {
    if (!template || daysBetween(from, to) === 0) return;
    const days = { dueDate: template.dueInDays, expirationDate: template.expiresInDays };
    for (const name of ["dueDate", "expirationDate"] as const) {
      const after = days[name];
      if (after !== null && getValues(name) === addDays(from, after)) setValue(name, addDays(to, after));
    }
  };
  const choose = (day: string) => {
    moveDates(sendOn || first, day || first);
    setValue("sendOn", day, { shouldDirty: true });
    void trigger(["sendOn", "dueDate", "expirationDate"]);
  };
  const isOwn = assigneeId === null || assigneeId === user?.id;
  return (
    <div className="flex flex-col items-start gap-1.5">
      <LabelledChoice
        legend={t("send.legend")}
        value={sendOn === "" ? "now" : "later"}
        onChange={(time) => choose(time === "now" ? "" : sendOn || addDays(first, 1))}
        choices={TIMES.map((value) => ({ value, label: t(`send.${value}`) }))}
      />
      {sendOn !== "" && (
        <div className="mt-1.5 grid w-full items-start gap-4 sm:grid-cols-2">
          <Field label={t("send.day")} error={fieldError(formState.errors.sendOn)}>
            <DateInput
              empty={false}
              defaultValue={sendOn}
              min={first}
              max={addDays(first, LIMITS.sendDaysAhead)}
              // It is empty while a day is typed, and no day means "Now".
              onChange={({ target }) => target.value && choose(target.value)}
              onBlur={({ target }) => {
                target.value ||= sendOn;
              }}
            />
          </Field>
          <Field
            label={t("send.hour")}
            hint={isOwn ? timeZoneName(timeZone, i18n.language) : t("send.assigneeZone")}
            error={fieldError(formState.errors.sendHour)}
          >
            <NativeSelect
              name="sendHour"
              value={String(sendHour)}
              onChange={({ target }) => {
                setValue("sendHour", Number(target.value), { shouldDirty: true });
                clearErrors("sendHour");
              }}
              options={HOURS.map((hour) => ({
                value: String(hour),
                label: formatSending(sendOn, hour, locale).time,
              }))}
            />
          </Field>
        </div>
      )}
    </div>
  );
}
