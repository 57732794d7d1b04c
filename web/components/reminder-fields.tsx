import type { ReactNode } from "react";
import { useController, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../worker/contract/limits";
import type { ReminderFrequency } from "../../worker/contract/options";
import { useFieldError } from "../lib/form";
import { FieldError } from "./ui/field";

/** The days that are offered, before the due date and after it. Others, which a program has set, are shown too. */
const OFFERED = [30, 14, 7, 3, 1, 0, -1, -3, -7];

type ReminderFieldsProps = {
  /** Chooses how often. */
  children: ReactNode;
  /** Whether there are days around a due date to choose. */
  hasDays: boolean;
};

/** When the recipient is reminded, in the form around it: how often, on which days, and both in one sentence. */
export function ReminderFields({ children, hasDays }: ReminderFieldsProps) {
  return (
    <div className="flex flex-col gap-3 rounded-card border border-line p-4">
      {children}
      {hasDays && <ReminderDays />}
      <ReminderSentence />
    </div>
  );
}

type Reminders = { reminderFrequency: ReminderFrequency | null; reminderDays: number[] };

function ReminderSentence() {
  const { t, i18n } = useTranslation("templates");
  const [frequency, chosen] = useWatch<Reminders, ["reminderFrequency", "reminderDays"]>({
    name: ["reminderFrequency", "reminderDays"],
  });
  const label = useReminderDay();
  const list = new Intl.ListFormat(i18n.language);
  const days = list.format(
    chosen.toSorted((one, other) => other - one).map((day) => withSmallInitial(label(day))),
  );
  const often = frequency && frequency !== "none" ? t(`reminders.${frequency}`) : "";
  const key = often && days ? "both" : often ? "only" : days ? "days" : frequency && "none";
  return (
    <p role="status" className="text-ink-soft text-xs empty:sr-only">
      {key && t(`reminders.${key}`, { often, days })}
    </p>
  );
}

const withSmallInitial = (text: string) => text.charAt(0).toLocaleLowerCase() + text.slice(1);

function ReminderDays() {
  const { t } = useTranslation(["envelopes", "templates"]);
  const { control } = useFormContext<{ reminderDays: number[] }>();
  const { field, fieldState } = useController({ control, name: "reminderDays" });
  const { name, value, onChange } = field;
  const error = useFieldError()(fieldState.error);
  const label = useReminderDay();
  const days = [...new Set([...OFFERED, ...value])].sort((one, other) => other - one);
  const isFull = value.length >= LIMITS.reminderDays;
  return (
    <fieldset name={name} className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium">{t("reminderDays.legend")}</legend>
      <div className="flex flex-wrap gap-1.5">
        {days.map((day) => {
          const chosen = value.includes(day);
          return (
            <button
              key={day}
              type="button"
              aria-pressed={chosen}
              disabled={isFull && !chosen}
              onClick={() => onChange(chosen ? value.filter((other) => other !== day) : [...value, day])}
              className="h-8 rounded-full border border-line-strong px-3 hover:bg-hover disabled:cursor-not-allowed disabled:opacity-55 aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent touch:h-10"
            >
              {label(day)}
            </button>
          );
        })}
      </div>
      {error ? (
        <FieldError>{error}</FieldError>
      ) : (
        isFull && (
          <p className="text-ink-soft text-xs">
            {t("templates:reminders.max", { max: LIMITS.reminderDays })}
          </p>
        )
      )}
    </fieldset>
  );
}

/** Names a day around the due date: "7 days before". */
export function useReminderDay(): (day: number) => string {
  const { t } = useTranslation("envelopes");
  return (day) => {
    if (day === 0) return t("reminderDays.onDay");
    return day > 0
      ? t("reminderDays.before", { count: day })
      : t("reminderDays.after", { count: Math.abs(day) });
  };
}
