import { Trash2 } from "lucide-react";
import { type MouseEvent, useState } from "react";
import { flushSync } from "react-dom";
import { Controller, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { normalizeFileType } from "../../worker/contract/files";
import { LIMITS } from "../../worker/contract/limits";
import { FILE_TYPE_PATTERN } from "../../worker/contract/patterns";
import type { DocumentValues } from "../lib/document-entries";
import { FILE_TYPE_PRESETS, PRESET_NAMES } from "../lib/file-type-presets";
import { useFieldError } from "../lib/use-field-error";
import { Field } from "./ui/field";
import { IconButton } from "./ui/icon-button";
import { Input } from "./ui/input";
import { Switch } from "./ui/switch";
import { TagsInput } from "./ui/tags-input";

type DocumentFieldsProps = {
  /** The form's field that holds the list. */
  list: string;
  index: number;
  /** Absent for the only entry, which cannot be removed. */
  onRemove: (() => void) | undefined;
};

const fileType = (typed: string) => (FILE_TYPE_PATTERN.test(typed) ? normalizeFileType(typed) : null);

/** The fields of one requested document, in the form around it. */
export function DocumentFields({ list, index, onRemove }: DocumentFieldsProps) {
  const { t } = useTranslation();
  const fieldError = useFieldError();
  const { control, register, formState } = useFormContext<Record<string, DocumentValues[]>>();
  const name = useWatch({ control, name: `${list}.${index}.name` });
  const multiple = useWatch({ control, name: `${list}.${index}.multiple` });
  const number = t("document.number", { number: index + 1 });
  const [invalidType, setInvalidType] = useState<string | null>(null);
  const errors = formState.errors[list]?.[index];
  const remove = (event: MouseEvent) => {
    const entries = event.currentTarget.closest("ul")?.children;
    flushSync(() => onRemove?.());
    // The pressed button is gone: the focus moves to the entry that took its place, or to the last one.
    const entry = entries?.[Math.min(index, entries.length - 1)];
    if (entry instanceof HTMLElement) entry.focus();
  };
  return (
    <li tabIndex={-1} className="rounded-card border border-line p-4">
      <div className="mb-3 flex min-h-8 items-center justify-between gap-3">
        <span className="font-medium text-ink-soft text-xs">{number}</span>
        {onRemove && (
          <IconButton
            icon={Trash2}
            tone="danger"
            label={t("document.remove", { name: name || number })}
            tip={t("delete")}
            onClick={remove}
          />
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("document.name")} required error={fieldError(errors?.name)}>
          <Input autoComplete="off" maxLength={LIMITS.name} {...register(`${list}.${index}.name`)} />
        </Field>
        <Field label={t("document.description")} error={fieldError(errors?.description)}>
          <Input autoComplete="off" maxLength={LIMITS.text} {...register(`${list}.${index}.description`)} />
        </Field>
        <Controller
          control={control}
          name={`${list}.${index}.allowedFileTypes`}
          render={({ field }) => (
            <Field
              label={t("document.fileTypes")}
              hint={t("document.fileTypesHint")}
              error={invalidType === null ? undefined : t("document.fileTypeInvalid", { type: invalidType })}
            >
              <TagsInput
                value={field.value}
                onChange={field.onChange}
                normalize={fileType}
                onInvalid={setInvalidType}
                max={LIMITS.fileTypesPerDocument}
              />
              <FileTypePresets onChoose={field.onChange} />
            </Field>
          )}
        />
        <div className="flex flex-col items-start gap-3 sm:pt-7">
          {(["required", "multiple"] as const).map((flag) => (
            <Controller
              key={flag}
              control={control}
              name={`${list}.${index}.${flag}`}
              render={({ field }) => (
                <Switch label={t(`document.${flag}`)} checked={field.value} onChange={field.onChange} />
              )}
            />
          ))}
          {multiple && (
            <p className="text-ink-soft text-xs">
              {t("document.multipleHint", { max: LIMITS.filesPerDocument })}
            </p>
          )}
        </div>
      </div>
    </li>
  );
}

function FileTypePresets({ onChoose }: { onChoose: (types: string[]) => void }) {
  const { t } = useTranslation();
  return (
    <fieldset aria-label={t("document.presets.label")} className="flex flex-wrap gap-1">
      {PRESET_NAMES.map((preset) => (
        <button
          key={preset}
          type="button"
          onClick={() => onChoose([...FILE_TYPE_PRESETS[preset]])}
          className="h-6 rounded-full border border-line-strong px-2.5 text-ink-soft text-xs hover:bg-hover hover:text-ink"
        >
          {t(`document.presets.${preset}`)}
        </button>
      ))}
    </fieldset>
  );
}
