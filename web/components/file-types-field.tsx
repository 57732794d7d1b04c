import { useState } from "react";
import { Controller, useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { normalizeFileType } from "../../worker/contract/files";
import { LIMITS } from "../../worker/contract/limits";
import { DEFAULT_FILE_TYPES } from "../../worker/contract/options";
import { FILE_TYPE_PATTERN } from "../../worker/contract/patterns";
import { Field } from "./ui/field";
import { Select } from "./ui/select";
import { TagsInput } from "./ui/tags-input";

const fileType = (typed: string) => (FILE_TYPE_PATTERN.test(typed) ? normalizeFileType(typed) : null);

type FileTypesSelectProps = {
  /** The form's field. */
  name: string;
  /** Instead of the usual label. */
  label?: string;
  hiddenLabel?: boolean;
  /** Called when types that no preset has are to be entered. */
  onOther: () => void;
};

/** The file types that a requested document accepts, in words. */
export function FileTypesSelect({ name, label, hiddenLabel = false, onOther }: FileTypesSelectProps) {
  const { t } = useTranslation();
  const { control } = useFormContext<Record<string, string[]>>();
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => {
        const preset = presetOf(field.value);
        return (
          <Field label={label ?? t("document.kinds")} hiddenLabel={hiddenLabel}>
            <Select<FileTypePreset | "other">
              value={preset ?? "other"}
              onChange={(chosen) => {
                if (chosen === "other") onOther();
                else field.onChange([...FILE_TYPE_PRESETS[chosen]]);
              }}
              options={[
                ...PRESET_NAMES.map((value) => ({
                  value,
                  label: t(`document.presets.${value}`),
                  detail: FILE_TYPE_PRESETS[value].join(", "),
                })),
                preset
                  ? { value: "other", label: t("document.presets.other") }
                  : { value: "other", label: field.value.join(", ") || t("document.presets.none") },
              ]}
            />
          </Field>
        );
      }}
    />
  );
}

/** The same as extensions, which can be any. */
export function ExtensionsField({ name }: { name: string }) {
  const { t } = useTranslation();
  const { control } = useFormContext<Record<string, string[]>>();
  const [invalidType, setInvalidType] = useState<string | null>(null);
  return (
    <Controller
      control={control}
      name={name}
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
        </Field>
      )}
    />
  );
}

/** Sets of file types that requestors choose with one press. */
export const FILE_TYPE_PRESETS = {
  document: DEFAULT_FILE_TYPES,
  pdf: ["pdf"],
  /** With an image among the types, a phone's file picker offers the camera. */
  photo: ["jpg", "jpeg", "png", "heic", "pdf"],
  word: ["doc", "docx"],
  spreadsheet: ["xls", "xlsx", "csv"],
  anything: [
    "pdf",
    "doc",
    "docx",
    "xls",
    "xlsx",
    "csv",
    "ppt",
    "pptx",
    "txt",
    "jpg",
    "jpeg",
    "png",
    "heic",
    "zip",
  ],
} as const satisfies Record<string, readonly string[]>;

type FileTypePreset = keyof typeof FILE_TYPE_PRESETS;

export const PRESET_NAMES = Object.keys(FILE_TYPE_PRESETS) as FileTypePreset[];

/** The preset that has exactly these types, in any order. */
export function presetOf(types: readonly string[]): FileTypePreset | undefined {
  const chosen = new Set(types);
  return PRESET_NAMES.find((preset) => {
    const own: readonly string[] = FILE_TYPE_PRESETS[preset];
    return own.length === chosen.size && own.every((type) => chosen.has(type));
  });
}
