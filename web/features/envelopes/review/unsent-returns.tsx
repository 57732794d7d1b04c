import { useBlocker } from "@tanstack/react-router";
import { useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import type { Envelope } from "../envelopes.queries";
import { type PendingReturns, pendingReturnsOf } from "./pending-returns";
import { useSendReturns } from "./send-returns";
import type { Review } from "./use-review";

/** Asks before the review mode or the details are closed while returns are not sent. It asks once for each list. */
export function useUnsentGuard(envelopeId: number, review: Review) {
  const kept = useRef<PendingReturns>(undefined);
  const blocker = useBlocker({
    shouldBlockFn({ current, next }) {
      const list = pendingReturnsOf(envelopeId);
      // `review` may be outdated: the list is cleared before its sender closes the review mode.
      if (list.size === 0 || review.pendingReturns.size === 0 || list === kept.current) return false;
      const [now, then] = [current.search, next.search] as { envelope?: number; review?: number }[];
      return then?.envelope !== envelopeId || (now?.review !== undefined && then.review === undefined);
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
      open
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
