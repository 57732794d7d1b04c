import { useController, useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../worker/contract/limits";
import type { DocumentValues } from "../lib/document-entries";
import { useFieldError } from "../lib/form";
import { Field } from "./ui/field";
import { Input } from "./ui/input";
import { Switch } from "./ui/switch";

/** Of a file: whether the recipient says until when it is valid, and when it is asked for again. */
export function ValidityFields({ list, index }: { list: string; index: number }) {
  const { t } = useTranslation("questions");
  const fieldError = useFieldError();
  const { control, register, setValue, formState } = useFormContext<Record<string, DocumentValues[]>>();
  const at = `${list}.${index}` as const;
  const { field } = useController({ control, name: `${at}.asksValidUntil` });
  return (
    <div className="flex flex-col items-start gap-3 sm:col-span-2">
      <Switch
        label={t("asksValidUntil")}
        checked={field.value}
        onChange={(checked) => {
          field.onChange(checked);
          if (!checked) setValue(`${at}.renewDays`, null, { shouldDirty: true });
        }}
      />
      {field.value && (
        <Field
          label={t("renewDays")}
          hint={t("renewDaysHint")}
          error={fieldError(formState.errors[list]?.[index]?.renewDays)}
          className="w-full max-w-80"
        >
          <Input
            type="number"
            inputMode="numeric"
            min={1}
            max={LIMITS.renewDays}
            className="w-28"
            {...register(`${at}.renewDays`, {
              setValueAs: (typed) => (typed === "" || typed === null ? null : Number(typed)),
            })}
          />
        </Field>
      )}
    </div>
  );
}
