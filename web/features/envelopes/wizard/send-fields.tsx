import { useQuery } from "@tanstack/react-query";
import { useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { addDays, daysBetween } from "../../../../worker/contract/days";
import { LIMITS } from "../../../../worker/contract/limits";
import { timeZoneName } from "../../../../worker/contract/time-zones";
import { Field } from "../../../components/ui/field";
import { DateInput } from "../../../components/ui/input";
import { NativeSelect } from "../../../components/ui/native-select";
import { Segmented } from "../../../components/ui/segmented";
import { useFieldError } from "../../../lib/form";
import { regionalLocale } from "../../../lib/format";
import { today } from "../../../lib/time-zone";
import { useAccountTimeZone, userQuery } from "../../auth/auth.queries";
import { templateQuery } from "../../templates/templates.queries";
import { formatSending } from "../sending-time";
import type { WizardValues } from "./wizard.schema";

const TIMES = ["now", "later"] as const;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Whether it is sent at once or on a day, in the form around it. The dates of a template move with the day. */
export function SendFields() {
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
  const template = useQuery({ ...templateQuery(templateId ?? 0), enabled: templateId !== null }).data;
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
      <span aria-hidden className="font-medium">
        {t("send.legend")}
      </span>
      <Segmented
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
