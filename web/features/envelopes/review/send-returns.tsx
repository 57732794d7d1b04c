import { useBlocker } from "@tanstack/react-router";
import { type FormEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { cx } from "../../../lib/cx";
import type { Envelope } from "../envelopes.queries";
import { NewExpirationField, useNewExpiration } from "../new-expiration";
import { type PendingReturns, pendingReturnsOf } from "./pending-returns";
import type { OverDetails } from "./review-items";
import type { Review, SendOptions } from "./use-review";

/** The form that sends the pending returns; it asks for a new expiration date if the link has expired. */
function useSendReturns(review: SendReturnsProps["review"], onSent: () => void) {
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
  review: Pick<Review, "pendingReturns" | "expired" | "sending" | "discard"> & {
    send: (options: SendOptions) => unknown;
  };
  /** Those of other envelopes, which are sent with them. */
  elsewhere?: Review["elsewhere"];
  /** Called when they are sent, or discarded, which removes the focused button. */
  onSent: () => void;
  onDiscarded: () => void;
  className?: string;
};

/** One line with the pending returns, to be sent in one call for each envelope. */
export function SendReturns(props: SendReturnsProps) {
  const { review, elsewhere = [], onSent, onDiscarded, className } = props;
  const { t } = useTranslation("review");
  const { submit, dateField } = useSendReturns(review, onSent);
  const own = review.pendingReturns.size;
  const count = elsewhere.reduce((sum, [, reasons]) => sum + reasons.size, own);
  if (count === 0) return null;
  const discard = () => {
    review.discard();
    onDiscarded();
  };
  return (
    <form
      noValidate
      onSubmit={submit}
      className={cx("@container w-full shrink-0 bg-warn-soft px-3 py-2", className)}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-40">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-medium">{t("send.title", { count })}</span>
            <span className="hidden text-xs @3xl:inline">
              {elsewhere.length > 0
                ? t("send.clients", { count: elsewhere.length + (own > 0 ? 1 : 0) })
                : t("send.text")}
            </span>
          </p>
          {own > 0 && dateField}
        </div>
        <div className="flex flex-wrap gap-2">
          {own > 0 && (
            <Button size="sm" variant="ghost" onClick={discard} disabled={review.sending}>
              {t("send.discard")}
            </Button>
          )}
          <Button type="submit" size="sm" variant="primary" loading={review.sending}>
            {t("send.submit")}
          </Button>
        </div>
      </div>
    </form>
  );
}

const isReviewing = (search: OverDetails | undefined) =>
  search?.review !== undefined || search?.document !== undefined;

/** Asks before the review mode or the details are closed while returns are not sent. It asks once for each list. */
export function useUnsentGuard(envelopeId: number, review: Review) {
  const kept = useRef<PendingReturns>(undefined);
  const blocker = useBlocker({
    shouldBlockFn({ current, next }) {
      const list = pendingReturnsOf(envelopeId);
      // `review` may be outdated: the list is cleared before its sender closes the review mode.
      if (list.size === 0 || review.pendingReturns.size === 0 || list === kept.current) return false;
      const [now, then] = [current.search, next.search] as (OverDetails & { envelope?: number })[];
      // The review mode goes from one envelope to the next, and shows what is not sent.
      if (isReviewing(then)) return false;
      return then?.envelope !== envelopeId || isReviewing(now);
    },
    enableBeforeUnload: false,
    withResolver: true,
  });
  return {
    asking: blocker.status === "blocked",
    stay: () => blocker.reset?.(),
    leave() {
      kept.current = pendingReturnsOf(envelopeId);
      blocker.proceed?.();
    },
  };
}

type UnsentReturnsDialogProps = {
  envelope: Envelope;
  review: Review;
  guard: ReturnType<typeof useUnsentGuard>;
};

/** The question of `useUnsentGuard`. */
export function UnsentReturnsDialog({ envelope, review, guard }: UnsentReturnsDialogProps) {
  const { t } = useTranslation("review");
  const form = useId();
  const { submit, dateField } = useSendReturns(review, guard.leave);
  const documents = envelope.documents.filter(({ id }) => review.pendingReturns.has(id));
  return (
    <Dialog
      nested
      role="alertdialog"
      width="sm"
      title={t("unsent.title", { count: review.pendingReturns.size })}
      description={t("unsent.text")}
      onClose={guard.stay}
      footer={
        <>
          <Button disabled={review.sending} onClick={guard.leave}>
            {t("unsent.keep")}
          </Button>
          <Button type="submit" form={form} variant="primary" loading={review.sending}>
            {t("send.submit")}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit}>
        <ul className="space-y-3">
          {documents.map(({ id, name }) => (
            <li key={id} className="break-words">
              <p className="font-medium">{name}</p>
              <p className="whitespace-pre-wrap text-ink-soft">{review.pendingReturns.get(id)}</p>
            </li>
          ))}
        </ul>
        {dateField}
      </form>
    </Dialog>
  );
}
