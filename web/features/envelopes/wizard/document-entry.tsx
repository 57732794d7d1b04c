import { Trash2 } from "lucide-react";
import { Controller, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { normalizeFileType } from "../../../../worker/contract/files";
import { LIMITS } from "../../../../worker/contract/limits";
import { FILE_TYPE_PATTERN } from "../../../../worker/contract/patterns";
import { Field } from "../../../components/ui/field";
import { IconButton } from "../../../components/ui/icon-button";
import { Input } from "../../../components/ui/input";
import { Switch } from "../../../components/ui/switch";
import { TagsInput } from "../../../components/ui/tags-input";
import { useSentence } from "../../../lib/use-sentence";
import type { WizardValues } from "./wizard.schema";

type DocumentEntryProps = {
  place: number;
  /** Absent for the only entry, which cannot be removed. */
  onRemove: (() => void) | undefined;
};

const fileType = (typed: string) => (FILE_TYPE_PATTERN.test(typed) ? normalizeFileType(typed) : null);

export function DocumentEntry({ place, onRemove }: DocumentEntryProps) {
  const { t } = useTranslation("envelopes");
  const sentence = useSentence();
  const { control, register, formState } = useFormContext<WizardValues>();
  const name = useWatch({ control, name: `documents.${place}.name` });
  const number = t("wizard.documentNumber", { number: place + 1 });
  const error = formState.errors.documents?.[place]?.name;
  return (
    <li className="rounded-card border border-line p-4">
      <div className="mb-3 flex min-h-8 items-center justify-between gap-3">
        <span className="font-medium text-ink-soft text-xs">{number}</span>
        {onRemove && (
          <IconButton
            icon={Trash2}
            tone="danger"
            label={t("wizard.removeDocument", { name: name || number })}
            onClick={onRemove}
          />
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("wizard.documentName")} required error={sentence(error)}>
          <Input autoComplete="off" maxLength={LIMITS.name} {...register(`documents.${place}.name`)} />
        </Field>
        <Field label={t("wizard.description")}>
          <Input autoComplete="off" maxLength={LIMITS.text} {...register(`documents.${place}.description`)} />
        </Field>
        <Controller
          control={control}
          name={`documents.${place}.allowedFileTypes`}
          render={({ field }) => (
            <Field label={t("wizard.fileTypes")} hint={t("wizard.fileTypesHint")}>
              <TagsInput
                value={field.value}
                onChange={field.onChange}
                normalize={fileType}
                max={LIMITS.fileTypesPerDocument}
              />
            </Field>
          )}
        />
        <Controller
          control={control}
          name={`documents.${place}.required`}
          render={({ field }) => (
            <Switch
              label={t("wizard.required")}
              checked={field.value}
              onChange={field.onChange}
              className="sm:mt-7 sm:self-start"
            />
          )}
        />
      </div>
    </li>
  );
}
