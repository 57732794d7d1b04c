import { useState } from "react";
import { Controller, useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { normalizeFileType } from "../../worker/contract/files";
import { LIMITS } from "../../worker/contract/limits";
import { FILE_TYPE_PATTERN } from "../../worker/contract/patterns";
import type { DocumentValues } from "../lib/document-entries";
import { FILE_TYPE_PRESETS, PRESET_NAMES } from "../lib/file-type-presets";
import { Field } from "./ui/field";
import { TagsInput } from "./ui/tags-input";

const fileType = (typed: string) => (FILE_TYPE_PATTERN.test(typed) ? normalizeFileType(typed) : null);

/** The file types that a requested document accepts, in the form around it. */
export function FileTypesField({ list, index }: { list: string; index: number }) {
  const { t } = useTranslation();
  const { control } = useFormContext<Record<string, DocumentValues[]>>();
  const [invalidType, setInvalidType] = useState<string | null>(null);
  return (
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
