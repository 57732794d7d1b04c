import { useState } from "react";
import { useTranslation } from "react-i18next";
import { timeZoneName } from "../../../worker/contract/time-zones";
import { Field } from "../../components/ui/field";
import { DateInput } from "../../components/ui/input";
import { today } from "../../lib/time-zone";
import { useAccountTimeZone } from "../auth/auth.queries";

/** The day to which an expired link is extended, with what is wrong with it. */
export function useNewExpiration() {
  const { t } = useTranslation(["envelopes", "validation"]);
  const timeZone = useAccountTimeZone();
  const [day, setDay] = useState("");
  const inPast = day < today(timeZone) ? t("validation:dateInPast") : undefined;
  return { day, setDay, timeZone, problem: day ? inPast : t("extend.dayMissing") };
}

type NewExpirationFieldProps = {
  expiration: ReturnType<typeof useNewExpiration>;
  /** What the day means, given the name of the time zone. */
  hint: (zone: string) => string;
  /** Whether what is wrong is shown. */
  tried: boolean;
  className: string;
};

export function NewExpirationField({ expiration, hint, tried, className }: NewExpirationFieldProps) {
  const { t, i18n } = useTranslation("envelopes");
  const { day, setDay, timeZone, problem } = expiration;
  return (
    <Field
      label={t("extend.day")}
      hint={hint(timeZoneName(timeZone, i18n.language))}
      error={tried ? problem : undefined}
      required
      className={className}
    >
      <DateInput
        empty={day === ""}
        min={today(timeZone)}
        value={day}
        onChange={({ target }) => setDay(target.value)}
      />
    </Field>
  );
}
