import { type ComponentProps, useState } from "react";
import { Controller, useController, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { documentKey } from "../../worker/contract/document-names";
import { LIMITS } from "../../worker/contract/limits";
import {
  ANSWER_FORMATS,
  type Condition,
  choicesOf,
  hasField,
  isBound,
  MAX_DECIMALS,
  TODAY,
} from "../../worker/contract/questions";
import type { DocumentValues } from "../lib/document-entries";
import { useFieldError } from "../lib/form";
import { regionalLocale } from "../lib/format";
import { readTypedNumber, writeNumber } from "../lib/typed-number";
import { Field } from "./ui/field";
import { DateInput, Input, Textarea } from "./ui/input";
import { Select } from "./ui/select";
import { Switch } from "./ui/switch";

type Form = Record<string, DocumentValues[]>;
type PartProps = { list: string; index: number };

/** What only a question has: its options, what is allowed, and whether its answer is confidential. */
export function QuestionFields({ list, index }: PartProps) {
  const { t } = useTranslation("questions");
  const fieldError = useFieldError();
  const { control, formState } = useFormContext<Form>();
  const at = `${list}.${index}` as const;
  const kind = useWatch({ control, name: `${at}.kind` });
  const errors = formState.errors[list]?.[index];
  return (
    <>
      {hasField(kind, "options") && (
        <Controller
          control={control}
          name={`${at}.options`}
          render={({ field }) => (
            <Field
              label={t("options")}
              hint={t("optionsHint")}
              error={fieldError(errors?.options)}
              className="sm:col-span-2"
            >
              <Textarea
                ref={field.ref}
                rows={4}
                value={field.value.join("\n")}
                onChange={(event) => field.onChange(event.currentTarget.value.split("\n"))}
                onBlur={() => {
                  field.onChange(field.value.map((line) => line.trim()).filter(Boolean));
                  field.onBlur();
                }}
              />
            </Field>
          )}
        />
      )}
      {hasField(kind, "min") && (
        <div className="flex flex-wrap gap-4 sm:col-span-2">
          {(["min", "max"] as const).map((bound) => (
            <BoundField key={bound} list={list} index={index} bound={bound} isDay={kind === "date"} />
          ))}
          {kind === "number" && (
            <Controller
              control={control}
              name={`${at}.decimals`}
              render={({ field }) => (
                <Field label={t("decimals")} className="w-36">
                  <Select
                    value={field.value}
                    onChange={field.onChange}
                    options={Array.from({ length: MAX_DECIMALS + 1 }, (_, value) => ({
                      value,
                      label: String(value),
                    }))}
                  />
                </Field>
              )}
            />
          )}
        </div>
      )}
      {hasField(kind, "format") && (
        <Controller
          control={control}
          name={`${at}.format`}
          render={({ field }) => (
            <Field label={t("format")} className="w-56">
              <Select
                value={field.value}
                onChange={field.onChange}
                options={[null, ...ANSWER_FORMATS].map((value) => ({
                  value,
                  label: value === "iban" ? "IBAN" : t(`formats.${value ?? "any"}`),
                }))}
              />
            </Field>
          )}
        />
      )}
      {hasField(kind, "confidential") && (
        <div className="flex flex-col gap-1 sm:col-span-2">
          <SwitchField name={`${at}.confidential`} label={t("confidential")} />
          <p className="text-ink-soft text-xs">{t("confidentialHint")}</p>
        </div>
      )}
    </>
  );
}

type BoundFieldProps = PartProps & { bound: "min" | "max"; isDay: boolean };

/** The smallest or largest number, as the language writes numbers, or the first or last day. */
function BoundField({ list, index, bound, isDay }: BoundFieldProps) {
  const { t, i18n } = useTranslation(["questions", "common"]);
  const fieldError = useFieldError();
  const { field, fieldState } = useController<Form>({ name: `${list}.${index}.${bound}` });
  const [typed, setTyped] = useState("");
  const locale = regionalLocale(i18n.language);
  const read = (text: string) => readTypedNumber(text, locale) ?? text.trim();
  const value = String(field.value);
  const written = isBound("number", value) ? writeNumber(value, locale) : value;
  const isToday = value === TODAY;
  return (
    <Field label={t(bound)} error={fieldError(fieldState.error)} className="w-40">
      {isDay ? (
        <>
          <DateInput
            {...field}
            empty={value === "" || isToday}
            value={isToday ? "" : value}
            disabled={isToday}
          />
          <label className="flex min-h-8 cursor-pointer items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="size-4"
              aria-label={t("common:labelled", { label: t(bound), value: t("today") })}
              checked={isToday}
              onChange={(event) => field.onChange(event.currentTarget.checked ? TODAY : "")}
            />
            {t("today")}
          </label>
        </>
      ) : (
        <Input
          {...field}
          autoComplete="off"
          inputMode="decimal"
          maxLength={LIMITS.bound}
          value={read(typed) === value ? typed : written}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            field.onChange(read(event.currentTarget.value));
          }}
        />
      )}
    </Field>
  );
}

/** "Ask only if": an earlier question with choices, and which of them open this entry. */
export function ConditionFields({ list, index }: PartProps) {
  const { t } = useTranslation("questions");
  const fieldError = useFieldError();
  const { control, formState } = useFormContext<Form>();
  const entries = useWatch({ control, name: list });
  const earlier = entries.slice(0, index).filter((entry) => entry.name.trim() && choicesOf(entry).length > 0);
  const error = formState.errors[list]?.[index]?.showIf;
  const hasLater = entries.slice(index + 1).some((entry) => choicesOf(entry).length > 0);
  const { field } = useController({ control, name: `${list}.${index}.showIf` });
  const condition: Condition | null = field.value;
  if (earlier.length === 0 && !condition)
    return hasLater ? (
      <p className="text-ink-soft text-xs sm:col-span-2">{t("askIfMove")}</p>
    ) : (
      <span hidden />
    );
  const named = earlier.find(({ name }) => condition && documentKey(name) === documentKey(condition.name));
  const names = condition && !named ? [condition.name] : [];
  const problem =
    error && named && condition?.is.length === 0
      ? t("askIfNone")
      : fieldError(error as Parameters<typeof fieldError>[0]);
  return (
    <div
      // Where a form that is not sent leads.
      ref={(part) => field.ref(part && { focus: () => part.querySelector("button")?.focus() })}
      className="flex flex-col gap-2 sm:col-span-2"
    >
      <Field label={t("askIf")} error={problem}>
        <Select
          wraps
          value={named?.name ?? condition?.name ?? ""}
          onChange={(name) => {
            const asksYesNo = earlier.some((entry) => entry.name === name && entry.kind === "yesNo");
            field.onChange(name ? { name, is: asksYesNo ? ["yes"] : [] } : null);
          }}
          options={[
            { value: "", label: t("always") },
            ...[...earlier.map(({ name }) => name), ...names].map((name) => ({ value: name, label: name })),
          ]}
        />
      </Field>
      {condition && named && (
        <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
          <legend className="sr-only">{t("askIfOneOf", { name: named.name })}</legend>
          {choicesOf(named).map((option) => (
            <label key={option} className="flex min-h-8 cursor-pointer items-center gap-2 text-sm">
              <input
                type="checkbox"
                className="size-4"
                checked={condition.is.includes(option)}
                onChange={(event) =>
                  field.onChange({
                    ...condition,
                    is: event.currentTarget.checked
                      ? [...condition.is, option]
                      : condition.is.filter((one) => one !== option),
                  })
                }
              />
              {named.kind === "yesNo" ? t(option as "yes") : option}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}

type SwitchFieldProps = Pick<ComponentProps<typeof Switch>, "label" | "className"> & { name: string };

/** A choice of yes or no in the form around it, by name. */
export function SwitchField({ name, ...props }: SwitchFieldProps) {
  const { field } = useController({ name });
  return <Switch {...props} checked={field.value} onChange={field.onChange} />;
}
