import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import type { EnvelopeDocument } from "./document-answers";
import { ReasonForm } from "./reason-form";
import type { Review } from "./use-review";

type AskAgainDialogProps = {
  document: EnvelopeDocument;
  review: Review;
  onAdded?: () => void;
  onClose: () => void;
};

/** Asks what is wrong with a document. It is added to the list of returns, or sent at once. */
export function AskAgainDialog({ document, review, onAdded, onClose }: AskAgainDialogProps) {
  const { t } = useTranslation(["review", "common"]);
  const [reason, setReason] = useState(review.pendingReturns.get(document.id) ?? "");
  const [tried, setTried] = useState(false);
  const input = useRef<HTMLTextAreaElement>(null);
  const form = useId();
  const given = reason.trim();
  const others = [...review.pendingReturns.keys()].some((id) => id !== document.id);
  const answer = (finish: () => void) => {
    setTried(true);
    if (given) finish();
    else input.current?.focus();
  };
  const add = () =>
    answer(() => {
      review.addReturn(document, given);
      onClose();
      onAdded?.();
    });
  const sendNow = () =>
    answer(() => review.send({ more: { documentId: document.id, reason: given }, onSent: onClose }));
  return (
    <Dialog
      open
      nested
      width="sm"
      focus="field"
      onClose={onClose}
      title={t("againNamed", { name: document.name })}
      footer={
        <>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          {!review.expired && !others && (
            <Button loading={review.sending} onClick={sendNow}>
              {t("ask.sendNow")}
            </Button>
          )}
          <Button type="submit" form={form} variant="primary" disabled={review.sending}>
            {t("ask.note")}
          </Button>
        </>
      }
    >
      <ReasonForm
        id={form}
        input={input}
        reason={reason}
        onReason={setReason}
        missing={tried && !given}
        onSubmit={add}
      />
    </Dialog>
  );
}
