import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { isDueAfterEnd } from "../../../../worker/contract/patterns";
import { useReminderDay } from "../../../components/reminder-fields";
import { Button } from "../../../components/ui/button";
import { Field } from "../../../components/ui/field";
import { DateInput } from "../../../components/ui/input";
import { today } from "../../../lib/time-zone";
import { useFormat } from "../../../lib/use-format";
import { useAccountTimeZone } from "../../auth/auth.queries";
import { useProgress } from "../envelope-row";
import type { Envelope } from "../envelopes.queries";
import { NewExpirationField, useNewExpiration } from "../new-expiration";
import { useChangeDueDate, useExtend } from "../timeline.queries";
import { Section } from "./section";

/** The due date and the reminders around it. */
export function DueDate({ envelope }: { envelope: Envelope }) {
  const { t } = useTranslation(["envelopes", "common"]);
  const format = useFormat();
  const { due } = useProgress(envelope);
  const reminderDay = useReminderDay();
  const { dueDate, overdue, reminderDays } = envelope;
  if (!dueDate && !reminderDays) return null;
  return (
    <Section title={t("wizard.due")}>
      {dueDate && <p>{format.day(dueDate)}</p>}
      {due && <p className={overdue ? "font-medium text-warn" : "text-ink-soft"}>{due}</p>}
      {reminderDays && (
        <p className="text-ink-soft">
          {t("common:labelled", {
            label: t("reminderDays.legend"),
            value: reminderDays.map(reminderDay).join(", "),
          })}
        </p>
      )}
    </Section>
  );
}

/** Without a date, the reminders around it are removed too. */
export function ChangeDueDate({ envelope, onDone }: { envelope: Envelope; onDone: () => void }) {
  const { t } = useTranslation(["envelopes", "validation", "common"]);
  const timeZone = useAccountTimeZone();
  const [day, setDay] = useState(envelope.dueDate ?? "");
  const [tried, setTried] = useState(false);
  const change = useChangeDueDate(envelope);
  const { dueDate, expirationDate } = envelope;
  const isPast = day !== "" && day !== dueDate && day < today(timeZone);
  const isLate = isDueAfterEnd({ dueDate: day, expirationDate });
  const problem = isPast ? t("validation:dateInPast") : isLate ? t("validation:dueAfterEnd") : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!problem) change.mutate(day || null, { onSuccess: onDone });
  };
  return (
    <form
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // The dialog around it stays open.
        event.preventDefault();
        event.stopPropagation();
        onDone();
      }}
      className="flex flex-col gap-2"
    >
      <Field label={t("wizard.due")} hint={t("due.hint")} error={tried ? problem : undefined}>
        <DateInput
          autoFocus
          empty={day === ""}
          min={today(timeZone)}
          max={expirationDate ?? undefined}
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
      </Field>
      <span className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" loading={change.isPending}>
          {t("due.save")}
        </Button>
        <Button size="sm" variant="ghost" onClick={onDone}>
          {t("common:cancel")}
        </Button>
      </span>
    </form>
  );
}

/** Gives an expired envelope a new expiration date. */
export function Extend({ envelope, onFormClosed }: { envelope: Envelope; onFormClosed: () => void }) {
  const { t } = useTranslation("envelopes");
  const [tried, setTried] = useState(false);
  const expiration = useNewExpiration();
  const extend = useExtend(envelope);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!expiration.problem) extend.mutate(expiration.day, { onSuccess: onFormClosed });
  };
  return (
    <Section title={t("extend.title")}>
      <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
        <NewExpirationField
          expiration={expiration}
          hint={(zone) => t("extend.hint", { zone })}
          tried={tried}
          className="w-full sm:w-auto sm:min-w-56 sm:flex-1"
        />
        <Button type="submit" variant="primary" loading={extend.isPending} className="sm:mt-6.5">
          {t("extend.action")}
        </Button>
      </form>
    </Section>
  );
}
