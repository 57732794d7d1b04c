import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { NewExpirationField, useNewExpiration } from "../new-expiration";
import type { Review } from "./use-review";

type SendReturnsProps = {
  review: Review;
  /** Called when it is sent or discarded, which removes the focused button. */
  onDone: () => void;
};

/** The pending returns, to be sent in one call. If the link has expired, it asks for a new date. */
export function SendReturns({ review, onDone }: SendReturnsProps) {
  const { t } = useTranslation("review");
  const expiration = useNewExpiration();
  const [tried, setTried] = useState(false);
  if (review.pendingReturns.size === 0) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!review.expired) review.send({ onSent: onDone });
    else if (!expiration.problem) review.send({ expirationDate: expiration.day, onSent: onDone });
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
        <NewExpirationField
          expiration={expiration}
          hint={(zone) => t("send.dayHint", { zone })}
          tried={tried}
          className="mt-3"
        />
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
