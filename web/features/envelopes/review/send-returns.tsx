import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { NewExpirationField, useNewExpiration } from "../new-expiration";
import type { Review } from "./use-review";

/** The form that sends the pending returns; it asks for a new expiration date if the link has expired. */
export function useSendReturns(review: Review, onSent: () => void) {
  const { t } = useTranslation("review");
  const expiration = useNewExpiration();
  const [tried, setTried] = useState(false);
  return {
    submit(event: FormEvent) {
      event.preventDefault();
      setTried(true);
      if (!review.expired) review.send({ onSent });
      else if (!expiration.problem) review.send({ expirationDate: expiration.day, onSent });
    },
    dateField: review.expired && (
      <NewExpirationField
        expiration={expiration}
        hint={(zone) => t("send.dayHint", { zone })}
        tried={tried}
        className="mt-3 max-w-md"
      />
    ),
  };
}

type SendReturnsProps = {
  review: Review;
  /** Called when they are sent, or discarded, which removes the focused button. */
  onSent: () => void;
  onDiscarded: () => void;
};

/** The pending returns, to be sent in one call. */
export function SendReturns({ review, onSent, onDiscarded }: SendReturnsProps) {
  const { t } = useTranslation("review");
  const { submit, dateField } = useSendReturns(review, onSent);
  if (review.pendingReturns.size === 0) return null;
  const discard = () => {
    review.discard();
    onDiscarded();
  };
  return (
    <form
      noValidate
      onSubmit={submit}
      className="@container basis-full rounded-control bg-warn-soft p-3 text-left"
    >
      <div className="flex flex-col gap-x-4 gap-y-2.5 @lg:flex-row @lg:items-center">
        <div className="min-w-0 flex-1">
          <p className="font-medium">{t("send.title", { count: review.pendingReturns.size })}</p>
          <p className="mt-0.5 text-xs max-sm:hidden">{t("send.text")}</p>
          {dateField}
        </div>
        <div className="flex flex-wrap gap-2 @lg:flex-row-reverse">
          <Button type="submit" size="sm" variant="primary" loading={review.sending}>
            {t("send.submit")}
          </Button>
          <Button size="sm" onClick={discard} disabled={review.sending}>
            {t("send.discard")}
          </Button>
        </div>
      </div>
    </form>
  );
}
