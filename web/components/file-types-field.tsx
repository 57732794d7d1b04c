import { X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Controller, useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { normalizeFileType } from "../../worker/contract/files";
import { LIMITS } from "../../worker/contract/limits";
import { DEFAULT_FILE_TYPES } from "../../worker/contract/options";
import { FILE_TYPE_PATTERN } from "../../worker/contract/patterns";
import { cx } from "../lib/cx";
import { Field, useFieldAttributes } from "./ui/field";
import { controlClass } from "./ui/input";
import { Select } from "./ui/select";

type FileTypesSelectProps = {
  name: string;
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
          <ExtensionsInput value={field.value} onChange={field.onChange} onInvalid={setInvalidType} />
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

type ExtensionsInputProps = {
  value: readonly string[];
  onChange: (extensions: string[]) => void;
  /** Called with the first invalid extension when one was entered, and with null once it is gone. */
  onInvalid: (typed: string | null) => void;
};

/** Extensions as chips. Enter, comma, space or blur adds one; Backspace in the empty field removes the last. */
function ExtensionsInput({ value, onChange, onInvalid }: ExtensionsInputProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");

  function add(text: string): void {
    const words = text.split(/[\s,;]+/).filter(Boolean);
    const invalid = words.filter((word) => !FILE_TYPE_PATTERN.test(word));
    const valid = words.filter((word) => !invalid.includes(word)).map(normalizeFileType);
    const added = new Set(valid.filter((extension) => !value.includes(extension)));
    const next = [...value, ...added].slice(0, LIMITS.fileTypesPerDocument);
    if (next.length > value.length) onChange(next);
    setTyped(invalid.join(" "));
    onInvalid(invalid[0] ?? null);
  }

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    if ((event.key === "Enter" || event.key === "," || event.key === " ") && typed.trim()) {
      event.preventDefault();
      add(typed);
    } else if (event.key === "Enter") {
      event.preventDefault();
    } else if (event.key === "Backspace" && typed === "" && value.length > 0) {
      onChange(value.slice(0, -1));
    }
  }

  return (
    <div
      className={cx(
        controlClass,
        "flex min-h-9 flex-wrap items-center gap-1.5 px-1.5 py-1 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent has-[input:focus-visible]:outline-offset-1",
      )}
    >
      {value.map((tag) => (
        <span key={tag} className="inline-flex h-6 touch:h-10 items-center rounded-md bg-hover pl-2 text-xs">
          {tag}
          <button
            type="button"
            aria-label={t("removeTag", { tag })}
            onClick={({ currentTarget }) => {
              // The next chip's, or the field.
              const next = currentTarget.parentElement?.nextElementSibling;
              const control = next?.querySelector("button") ?? next;
              if (control instanceof HTMLElement) control.focus();
              onChange(value.filter((other) => other !== tag));
            }}
            className="inline-flex size-6 touch:size-10 items-center justify-center rounded-md text-ink-soft hover:text-ink"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </span>
      ))}
      <input
        {...useFieldAttributes()}
        type="text"
        value={typed}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setTyped(event.target.value);
          onInvalid(null);
        }}
        onKeyDown={press}
        onBlur={() => typed.trim() && add(typed)}
        className="h-7 touch:h-10 min-w-12 flex-1 bg-transparent px-1.5 outline-none"
      />
    </div>
  );
}
