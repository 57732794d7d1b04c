import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { timeZoneName } from "../../../../worker/contract/time-zones";
import { Button } from "../../../components/ui/button";
import { Card } from "../../../components/ui/card";
import { Field } from "../../../components/ui/field";
import { Input } from "../../../components/ui/input";
import { today } from "../../../lib/today";
import { useAccountTimeZone } from "../../auth/auth.queries";
import type { Envelope } from "../envelopes.queries";
import { useExtend } from "../timeline.queries";

type ExtendCardProps = { envelope: Envelope; onExtended: () => void };

/** Gives an expired envelope a new expiration date. */
export function ExtendCard({ envelope, onExtended }: ExtendCardProps) {
  const { t, i18n } = useTranslation(["envelopes", "validation"]);
  const [day, setDay] = useState("");
  const [tried, setTried] = useState(false);
  const timeZone = useAccountTimeZone();
  const extend = useExtend(envelope);
  const problem = !day
    ? t("extend.dayMissing")
    : day < today(timeZone)
      ? t("validation:dateInPast")
      : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!problem) extend.mutate(day, { onSuccess: onExtended });
  };
  return (
    <Card title={t("extend.title")}>
      <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
        <Field
          label={t("extend.day")}
          hint={t("extend.hint", { zone: timeZoneName(timeZone, i18n.language) })}
          error={tried ? problem : undefined}
          required
          className="w-full sm:w-auto sm:min-w-56 sm:flex-1"
        >
          <Input
            type="date"
            min={today(timeZone)}
            max="9999-12-31"
            value={day}
            onChange={({ target }) => setDay(target.value)}
          />
        </Field>
        <Button type="submit" variant="primary" loading={extend.isPending} className="sm:mt-6.5">
          {t("extend.action")}
        </Button>
      </form>
    </Card>
  );
}
