import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { PLACEHOLDERS, typedPlaceholders } from "../../../../worker/contract/placeholders";
import { fieldsOf } from "../../../components/form-fields";
import type { FoundPlaceholders } from "./placeholders";
import { PlaceholderNotes } from "./placeholders";
import type { WizardValues } from "./wizard.schema";

const { TextField, TextareaField } = fieldsOf<WizardValues>();

type StepMessageProps = {
  placeholders: FoundPlaceholders | undefined;
  /** Placeholders that only this envelope has. */
  columns?: readonly string[];
  children?: ReactNode;
};

export function StepMessage({ placeholders, columns = [], children }: StepMessageProps) {
  const { t } = useTranslation("envelopes");
  return (
    <div className="flex flex-col gap-4">
      <TextField
        name="subject"
        label={t("wizard.subject")}
        hint={t("wizard.subjectHint")}
        required
        autoFocus
        maxLength={LIMITS.subject}
      />
      <TextareaField name="message" label={t("wizard.message")} hint={t("wizard.messageHint")} rows={8} />
      <p className="text-ink-soft text-xs">
        {t("placeholders.hint", { names: typedPlaceholders([...PLACEHOLDERS, ...columns]) })}
      </p>
      <PlaceholderNotes found={placeholders} />
      {children}
    </div>
  );
}
