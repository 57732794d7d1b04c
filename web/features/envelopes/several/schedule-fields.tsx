import { useEffect } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { addDays, daysBetween } from "../../../../worker/contract/days";
import { LIMITS } from "../../../../worker/contract/limits";
import { IF_OPEN, SERIES_UNITS, WEEKENDS } from "../../../../worker/contract/series-days";
import { timeZoneName } from "../../../../worker/contract/time-zones";
import { Field } from "../../../components/ui/field";
import { DateInput, Input, NativeSelect } from "../../../components/ui/input";
import { ApiError } from "../../../lib/api";
import { messageKeyOf } from "../../../lib/error-text";
import { regionalLocale } from "../../../lib/format";
import { formatSending } from "../../../lib/format-sending";
import { today } from "../../../lib/time-zone";
import { useAccountTimeZone } from "../../auth/auth.queries";
import type { WizardValues } from "../wizard/wizard.schema";
import { type Schedule, unnamed } from "./schedule";
import type { useSeveralForm } from "./use-several-form";

const ENDS = ["never", "on", "after"] as const;
const WITH_WEEKDAY: Intl.DateTimeFormatOptions = {
  dateStyle: "full",
  timeZone: "UTC",
};
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour));

type Several = ReturnType<typeof useSeveralForm>;

/** How often it is sent, and the next days, which move the dates of the form. */
export function ScheduleFields({ schedule, several }: { schedule: Schedule; several: Several }) {
  const { t, i18n } = useTranslation(["schedules", "validation"]);
  const { setSchedule, days, sendError, values } = several;
  const timeZone = useAccountTimeZone();
  const locale = regionalLocale(i18n.language);
  const { setValue } = useFormContext<WizardValues>();
  const { sendOn, sendHour } = values;
  const control = (name: keyof Schedule) => ({
    value: schedule[name],
    onChange: ({ target: { value } }: { target: { value: string } }) =>
      setSchedule({ ...schedule, [name]: value }),
  });
  const errorAt = (path: string) => {
    const issue = sendError instanceof ApiError && sendError.issues.find((one) => one.path === path);
    if (!issue) return undefined;
    const key = messageKeyOf(issue.message);
    return key ? t(`validation:${key}`) : issue.message;
  };
  useFirstDay(days[0], timeZone);
  return (
    <section aria-label={t("recurring.schedule")} className="grid items-start gap-4 sm:grid-cols-2">
      <Field
        label={t("recurring.name")}
        hint={t("recurring.nameHint")}
        error={errorAt("name")}
        className="sm:col-span-2"
      >
        <Input autoFocus maxLength={LIMITS.name} placeholder={unnamed(values.subject)} {...control("name")} />
      </Field>
      <div className="grid grid-cols-[5rem_1fr] items-start gap-2">
        <Field label={t("recurring.every")} error={errorAt("every")}>
          <Input inputMode="numeric" {...control("every")} />
        </Field>
        <Field label={t("recurring.unit")}>
          <NativeSelect
            {...control("unit")}
            options={SERIES_UNITS.map((value) => ({
              value,
              label: t(`recurring.units.${value}`, { count: Number(schedule.every) }),
            }))}
          />
        </Field>
      </div>
      <div className="grid grid-cols-2 items-start gap-2">
        <Field label={t("recurring.starts")} error={errorAt("startOn")}>
          <DateInput empty={schedule.startOn === ""} min={today(timeZone)} {...control("startOn")} />
        </Field>
        <Field
          label={t("send.hour")}
          hint={timeZoneName(timeZone, i18n.language)}
          error={errorAt("sendHour")}
        >
          <NativeSelect
            value={String(sendHour)}
            onChange={({ target }) => setValue("sendHour", Number(target.value), { shouldDirty: true })}
            options={HOURS.map((value) => ({
              value,
              label: formatSending(sendOn || today(timeZone), Number(value), locale).time,
            }))}
          />
        </Field>
      </div>
      <div className="grid grid-cols-[3fr_2fr] items-start gap-2">
        <Field label={t("recurring.ends")}>
          <NativeSelect
            {...control("ends")}
            options={ENDS.map((value) => ({ value, label: t(`recurring.endings.${value}`) }))}
          />
        </Field>
        {schedule.ends === "on" && (
          <Field label={t("recurring.lastDay")} error={errorAt("endOn")}>
            <DateInput empty={schedule.endOn === ""} min={schedule.startOn} {...control("endOn")} />
          </Field>
        )}
        {schedule.ends === "after" && (
          <Field label={t("recurring.times")} error={errorAt("times")}>
            <Input inputMode="numeric" {...control("times")} />
          </Field>
        )}
      </div>
      <Field label={t("recurring.weekend")}>
        <NativeSelect
          {...control("weekend")}
          options={WEEKENDS.map((value) => ({ value, label: t(`recurring.weekends.${value}`) }))}
        />
      </Field>
      <Field label={t("recurring.ifOpen")} className="sm:col-span-2">
        <NativeSelect
          {...control("ifOpen")}
          options={IF_OPEN.map((value) => ({ value, label: t(`recurring.open.${value}`) }))}
        />
      </Field>
      <NextDays days={days} />
      <p className="text-ink-soft text-xs sm:col-span-2">{t("recurring.datesHint")}</p>
    </section>
  );
}

function NextDays({ days }: { days: readonly string[] }) {
  const { t, i18n } = useTranslation("schedules");
  const locale = regionalLocale(i18n.language);
  return (
    <div role="status" className="rounded-control bg-sunken px-3 py-2 sm:col-span-2">
      {days.length === 0 ? (
        <p className="text-warn">{t("recurring.noDays")}</p>
      ) : (
        <>
          <p className="font-medium">{t("recurring.nextDays")}</p>
          <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 tabular-nums">
            {days.map((day) => (
              <li key={day}>{new Date(day).toLocaleDateString(locale, WITH_WEEKDAY)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** The form is that of the first day: its dates move with it, at first from today. */
function useFirstDay(first: string | undefined, timeZone: string | null) {
  const { control, setValue, getValues } = useFormContext<WizardValues>();
  const sendOn = useWatch({ control, name: "sendOn" });
  useEffect(() => {
    if (first === undefined || first === sendOn) return;
    const moved = daysBetween(sendOn || today(timeZone), first);
    for (const name of ["dueDate", "expirationDate"] as const) {
      const date = getValues(name);
      if (date !== "") setValue(name, addDays(date, moved));
    }
    setValue("sendOn", first);
  }, [first, sendOn, timeZone, getValues, setValue]);
}
