import { type FormEvent, type KeyboardEvent, type RefObject, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { Field } from "../../../components/ui/field";
import { Textarea } from "../../../components/ui/input";
import { UnsavedChangesDialog, useAskBeforeClosing } from "../../../components/ui/unsaved-changes";
import type { EnvelopeDocument } from "./document-answers";
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
  const noted = review.pendingReturns.get(document.id) ?? "";
  const [reason, setReason] = useState(noted);
  const [tried, setTried] = useState(false);
  const input = useRef<HTMLTextAreaElement>(null);
  const form = useId();
  const closing = useAskBeforeClosing({ dirty: reason !== noted, pending: review.sending, onClose });
  const given = reason.trim();
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
      <ReasonForm
        id={form}
        input={input}
        reason={reason}
        onReason={setReason}
        missing={tried && !given}
        onSubmit={add}
      />
      <UnsavedChangesDialog guard={closing} />
    </Dialog>
  );
}

const SUGGESTIONS = ["unreadable", "incomplete", "wrong", "outdated"] as const;

type ReasonFormProps = {
  id: string;
  input: RefObject<HTMLTextAreaElement | null>;
  reason: string;
  onReason: (reason: string) => void;
  missing: boolean;
  onSubmit: () => void;
};

/** What is wrong with a document, typed or suggested. */
function ReasonForm({ id, input, reason, onReason, missing, onSubmit }: ReasonFormProps) {
  const { t } = useTranslation(["review", "validation"]);
  return (
    <form
      id={id}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Field
        label={t("ask.label")}
        hint={t("ask.hint")}
        required
        error={missing ? t("validation:reasonRequired") : undefined}
      >
        <Textarea
          ref={input}
          autoFocus
          rows={3}
          maxLength={LIMITS.reason}
          value={reason}
          onChange={({ target }) => onReason(target.value)}
          onKeyDown={(event) => onEnter(event, onSubmit)}
        />
      </Field>
      <Suggestions
        onChoose={(text) => {
          onReason([reason.trim(), text].filter(Boolean).join(" ").slice(0, LIMITS.reason));
          input.current?.focus();
        }}
      />
    </form>
  );
}

/** Enter submits, so that a review needs the keyboard alone; Shift+Enter makes a new line. */
function onEnter(event: KeyboardEvent, act: () => void): void {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  act();
}

function Suggestions({ onChoose }: { onChoose: (text: string) => void }) {
  const { t } = useTranslation("review");
  return (
    <fieldset className="mt-3">
      <legend className="mb-1.5 text-ink-soft text-xs">{t("ask.suggestions")}</legend>
      <div className="flex flex-wrap gap-1.5">
        {SUGGESTIONS.map((name) => (
          <Button key={name} size="sm" onClick={() => onChoose(t(`ask.${name}`))}>
            {t(`ask.${name}`)}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}
