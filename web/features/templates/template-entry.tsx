import { Trash2 } from "lucide-react";
import { Controller, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { normalizeFileType } from "../../../worker/contract/files";
import { LIMITS } from "../../../worker/contract/limits";
import { FILE_TYPE_PATTERN } from "../../../worker/contract/patterns";
import { Field } from "../../components/ui/field";
import { IconButton } from "../../components/ui/icon-button";
import { Input } from "../../components/ui/input";
import { Switch } from "../../components/ui/switch";
import { TagsInput } from "../../components/ui/tags-input";
import { useSentence } from "../../lib/use-sentence";
import type { TemplateValues } from "./template.schema";

type TemplateEntryProps = {
  place: number;
  /** Absent for the only entry, which cannot be removed. */
  onRemove: (() => void) | undefined;
};

const fileType = (typed: string) => (FILE_TYPE_PATTERN.test(typed) ? normalizeFileType(typed) : null);

export function TemplateEntry({ place, onRemove }: TemplateEntryProps) {
  const { t } = useTranslation("templates");
  const sentence = useSentence();
  const { control, register, formState } = useFormContext<TemplateValues>();
  const name = useWatch({ control, name: `fields.${place}.name` });
  const number = t("dialog.documentNumber", { number: place + 1 });
  const errors = formState.errors.fields?.[place];
  return (
    <li className="rounded-card border border-line p-4">
      <div className="mb-3 flex min-h-8 items-center justify-between gap-3">
        <span className="font-medium text-ink-soft text-xs">{number}</span>
        {onRemove && (
          <IconButton
            icon={Trash2}
            tone="danger"
            label={t("dialog.removeDocument", { name: name || number })}
            onClick={onRemove}
          />
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("dialog.documentName")} required error={sentence(errors?.name)}>
          <Input autoComplete="off" maxLength={LIMITS.name} {...register(`fields.${place}.name`)} />
        </Field>
        <Field label={t("dialog.description")} error={sentence(errors?.description)}>
          <Input autoComplete="off" maxLength={LIMITS.text} {...register(`fields.${place}.description`)} />
        </Field>
        <Controller
          control={control}
          name={`fields.${place}.allowedFileTypes`}
          render={({ field }) => (
            <Field label={t("dialog.fileTypes")} hint={t("dialog.fileTypesHint")}>
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
          name={`fields.${place}.required`}
          render={({ field }) => (
            <Switch
              label={t("dialog.required")}
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
