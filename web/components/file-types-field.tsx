import { X } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import { useController, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { normalizeFileType } from "../../worker/contract/files";
import { LIMITS } from "../../worker/contract/limits";
import { FILE_TYPE_PATTERN } from "../../worker/contract/patterns";
import { cx } from "../lib/cx";
import { FILE_TYPE_PRESETS, type FileTypePreset, kindsOf, PRESET_NAMES, presetOf } from "../lib/file-types";
import { Button } from "./ui/button";
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
  const { t, i18n } = useTranslation();
  const { control } = useFormContext<Record<string, string[]>>();
  const inWords = (types: readonly string[]) =>
    new Intl.ListFormat(i18n.language, { type: "disjunction" }).format(
      kindsOf(types).map(({ kind, type }) => (kind ? t(`document.fileKinds.${kind}`) : type.toUpperCase())),
    );
  const { field } = useController({ control, name });
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
            : { value: "other", label: inWords(field.value) || t("document.presets.none") },
        ]}
      />
    </Field>
  );
}

/** The same as extensions, which can be any. */
export function ExtensionsField({ name }: { name: string }) {
  const { t } = useTranslation();
  const { control } = useFormContext<Record<string, string[]>>();
  const [invalidType, setInvalidType] = useState<string | null>(null);
  const { field } = useController({ control, name });
  return (
    <Field
      label={t("document.fileTypes")}
      hint={t("document.fileTypesHint")}
      error={invalidType === null ? undefined : t("document.fileTypeInvalid", { type: invalidType })}
    >
      <ExtensionsInput value={field.value} onChange={field.onChange} onInvalid={setInvalidType} />
    </Field>
  );
}

type ExtensionsOnDemandProps = { name: string; shown: boolean; onShow: () => void };

/** The extensions as a text; the field once they are to be changed. */
export function ExtensionsOnDemand({ name, shown, onShow }: ExtensionsOnDemandProps) {
  const { t } = useTranslation();
  const types: string[] = useWatch({ name });
  const id = useId();
  if (shown) return <ExtensionsField name={name} />;
  return (
    <div className="flex flex-col items-start">
      <span id={id} className="font-medium">
        {t("document.fileTypes")}
      </span>
      <span className="flex flex-wrap items-center gap-x-2 text-ink-soft">
        <span>{types.join(", ")}</span>
        <Button size="sm" variant="ghost" aria-describedby={id} onClick={onShow}>
          {t("document.changeTypes")}
        </Button>
      </span>
    </div>
  );
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
