import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { timeZoneName } from "../../../../worker/contract/time-zones";
import { Button } from "../../../components/ui/button";
import { Field } from "../../../components/ui/field";
import { Input } from "../../../components/ui/input";
import { today } from "../../../lib/today";
import { useAccountTimeZone } from "../../auth/auth.queries";
import type { Review } from "./use-review";

type SendReturnsProps = {
  review: Review;
  /** Called when it is sent or discarded, which removes the focused button. */
  onDone: () => void;
};

/** The pending returns, to be sent in one call. Where the link has expired, it asks for a new date. */
export function SendReturns({ review, onDone }: SendReturnsProps) {
  const { t, i18n } = useTranslation(["review", "validation"]);
  const timeZone = useAccountTimeZone();
  const [day, setDay] = useState("");
  const [tried, setTried] = useState(false);
  const problem = !day
    ? t("send.dayMissing")
    : day < today(timeZone)
      ? t("validation:dateInPast")
      : undefined;
  if (review.pendingReturns.size === 0) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!review.expired) review.send({ onSent: onDone });
    else if (!problem) review.send({ expirationDate: day, onSent: onDone });
  };
  const discard = () => {
    review.discard();
    onDone();
  };
  return (
    <form noValidate onSubmit={submit} className="rounded-card border border-warn bg-warn-soft p-3">
      <p className="font-medium">{t("send.title", { count: review.pendingReturns.size })}</p>
      <p className="mt-0.5 text-xs">{t("send.text")}</p>
      {review.expired && (
        <Field
          label={t("send.day")}
          hint={t("send.dayHint", { zone: timeZoneName(timeZone, i18n.language) })}
          error={tried ? problem : undefined}
          required
          className="mt-3"
        >
          <Input
            type="date"
            min={today(timeZone)}
            max="9999-12-31"
            value={day}
            onChange={({ target }) => setDay(target.value)}
          />
        </Field>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="primary" loading={review.sending}>
          {t("send.submit")}
        </Button>
        <Button size="sm" onClick={discard} disabled={review.sending}>
          {t("send.discard")}
        </Button>
      </div>
    </form>
  );
}
