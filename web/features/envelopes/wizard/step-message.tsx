import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { fieldsOf } from "../../../components/form-fields";
import { PlaceholderFields } from "../../../components/placeholder-fields";
import { type FoundPlaceholders, PlaceholderNotes } from "./placeholders";
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
      <PlaceholderFields columns={columns}>
        <TextField
          name="subject"
          label={t("wizard.subject")}
          hint={t("wizard.subjectHint")}
          required
          autoFocus
          maxLength={LIMITS.subject}
        />
        <TextareaField name="message" label={t("wizard.message")} hint={t("wizard.messageHint")} rows={8} />
      </PlaceholderFields>
      <PlaceholderNotes found={placeholders} />
      {children}
    </div>
  );
}
