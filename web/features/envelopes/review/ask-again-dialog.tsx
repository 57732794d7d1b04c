import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { isFilled } from "../../../../worker/contract/patterns";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { Field } from "../../../components/ui/field";
import { Textarea } from "../../../components/ui/input";
import { UnsavedChangesDialog, useAskBeforeClosing } from "../../../components/ui/unsaved-changes";
import type { EnvelopeDocument } from "./document-answers";
import type { Review } from "./use-review";

const REASONS_FOR_FILES = ["unreadable", "incomplete", "wrong", "outdated"] as const;
const REASONS_FOR_ANSWERS = ["unclear", "partial", "doubtful"] as const;

type AskAgainDialogProps = {
  document: EnvelopeDocument;
  review: Review;
  onAdded?: () => void;
  onClose: () => void;
};

/** Asks what is wrong with a document or an answer. It is added to the list of returns, or sent at once. */
export function AskAgainDialog({ document, review, onAdded, onClose }: AskAgainDialogProps) {
  const { t } = useTranslation(["review", "common", "validation"]);
  const noted = review.pendingReturns.get(document.id) ?? "";
  const [reason, setReason] = useState(noted);
  const [tried, setTried] = useState(false);
  const input = useRef<HTMLTextAreaElement>(null);
  const form = useId();
  const closing = useAskBeforeClosing({ dirty: reason !== noted, pending: review.sending, onClose });
  const given = isFilled(reason) ? reason.trim() : "";
  const others = [...review.pendingReturns.keys()].some((id) => id !== document.id);
  const withReason = (finish: () => void) => {
    setTried(true);
    if (given) finish();
    else input.current?.focus();
  };
  const add = () =>
    withReason(() => {
      review.addReturn(document, given);
      onClose();
      onAdded?.();
    });
  const sendNow = () =>
    withReason(() => review.send({ more: { documentId: document.id, reason: given }, onSent: onClose }));
  const suggest = (text: string) => {
    setReason([given, text].filter(Boolean).join(" ").slice(0, LIMITS.reason));
    input.current?.focus();
  };
  return (
    <Dialog
      nested
      width="sm"
      focus="field"
      onClose={closing.close}
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
      <form
        id={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <Field
          label={t("ask.label")}
          hint={t("ask.hint")}
          required
          error={tried && !given ? t("validation:reasonRequired") : undefined}
        >
          <Textarea
            ref={input}
            autoFocus
            rows={3}
            maxLength={LIMITS.reason}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
            onKeyDown={(event) => onEnter(event, add)}
          />
        </Field>
        <fieldset className="mt-3">
          <legend className="mb-1.5 text-ink-soft text-xs">{t("ask.suggestions")}</legend>
          <div className="flex flex-wrap gap-1.5">
            {(document.kind === "file" ? REASONS_FOR_FILES : REASONS_FOR_ANSWERS).map((name) => (
              <Button key={name} size="sm" onClick={() => suggest(t(`ask.${name}`))}>
                {t(`ask.${name}`)}
              </Button>
            ))}
          </div>
        </fieldset>
      </form>
      <UnsavedChangesDialog guard={closing} />
    </Dialog>
  );
}

/** Enter submits, so that a review needs the keyboard alone; Shift+Enter makes a new line. */
function onEnter(event: KeyboardEvent, act: () => void): void {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  act();
}
