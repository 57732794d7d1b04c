import { Trash2 } from "lucide-react";
import type { MouseEvent } from "react";
import { flushSync } from "react-dom";
import { Controller, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../worker/contract/limits";
import type { DocumentValues } from "../lib/document-entries";
import { useFieldError } from "../lib/use-field-error";
import { FileTypesField } from "./file-types-field";
import { Field } from "./ui/field";
import { IconButton } from "./ui/icon-button";
import { Input } from "./ui/input";
import { Switch } from "./ui/switch";

type DocumentFieldsProps = {
  /** The form's field that holds the list. */
  list: string;
  index: number;
  /** Absent for the only entry, which cannot be removed. */
  onRemove: (() => void) | undefined;
};

/** The fields of one requested document, in the form around it. */
export function DocumentFields({ list, index, onRemove }: DocumentFieldsProps) {
  const { t } = useTranslation();
  const fieldError = useFieldError();
  const { control, register, formState } = useFormContext<Record<string, DocumentValues[]>>();
  const name = useWatch({ control, name: `${list}.${index}.name` });
  const multiple = useWatch({ control, name: `${list}.${index}.multiple` });
  const number = t("document.number", { number: index + 1 });
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
        <FileTypesField list={list} index={index} />
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
