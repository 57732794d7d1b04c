import type { FormEvent, KeyboardEvent, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { Button } from "../../../components/ui/button";
import { Field } from "../../../components/ui/field";
import { Textarea } from "../../../components/ui/input";

const SUGGESTIONS = ["unreadable", "incomplete", "wrong", "outdated"] as const;

type ReasonFormProps = {
  id: string;
  input: RefObject<HTMLTextAreaElement | null>;
  reason: string;
  onReason: (reason: string) => void;
  /** The form was submitted without a reason. */
  missing: boolean;
  onSubmit: () => void;
};

/** What is wrong with a document, typed or suggested. */
export function ReasonForm({ id, input, reason, onReason, missing, onSubmit }: ReasonFormProps) {
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

/** Enter answers, so that a review needs the keyboard alone; Shift+Enter makes a new line. */
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
