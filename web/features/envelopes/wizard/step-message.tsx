import type { ReactNode } from "react";
import { useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { PLACEHOLDERS, typedPlaceholders } from "../../../../worker/contract/placeholders";
import { Field } from "../../../components/ui/field";
import { Input, Textarea } from "../../../components/ui/input";
import { useFieldError } from "../../../lib/form";
import type { FoundPlaceholders } from "./placeholders";
import { PlaceholderNotes } from "./placeholders";
import type { WizardValues } from "./wizard.schema";

type StepMessageProps = {
  placeholders: FoundPlaceholders | undefined;
  /** Placeholders that only this envelope has. */
  columns?: readonly string[];
  children?: ReactNode;
};

export function StepMessage({ placeholders, columns = [], children }: StepMessageProps) {
  const { t } = useTranslation("envelopes");
  const fieldError = useFieldError();
  const { register, formState } = useFormContext<WizardValues>();
  return (
    <div className="flex flex-col gap-4">
      <Field
        label={t("wizard.subject")}
        required
        hint={t("wizard.subjectHint")}
        error={fieldError(formState.errors.subject)}
      >
        <Input autoFocus autoComplete="off" maxLength={LIMITS.subject} {...register("subject")} />
      </Field>
      <Field
        label={t("wizard.message")}
        hint={t("wizard.messageHint")}
        error={fieldError(formState.errors.message)}
      >
        <Textarea rows={8} maxLength={LIMITS.text} {...register("message")} />
      </Field>
      <p className="text-ink-soft text-xs">
        {t("placeholders.hint", { names: typedPlaceholders([...PLACEHOLDERS, ...columns]) })}
      </p>
      <PlaceholderNotes found={placeholders} />
      {children}
    </div>
  );
}
