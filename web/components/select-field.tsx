import type { ReactNode } from "react";
import { type FieldValues, type Path, useController } from "react-hook-form";
import { useFieldError } from "../lib/field-error";
import type { FieldProps } from "./form-fields";
import { Field } from "./ui/field";
import { Select, type SelectOption } from "./ui/select";

type SelectFieldProps<Value, Name> = FieldProps<Name> & {
  options: readonly SelectOption<Value>[];
  autoFocus?: boolean;
};

function SelectField<Value extends string | number | null>(props: SelectFieldProps<Value, string>) {
  const { name, options, autoFocus = false, ...given } = props;
  const { field, fieldState } = useController({ name });
  const error = useFieldError()(fieldState.error);
  return (
    <Field {...given} error={error}>
      <Select autoFocus={autoFocus} value={field.value} onChange={field.onChange} options={options} />
    </Field>
  );
}

/** A choice in the form around it, which has these values, by name. */
export const selectFieldOf = <Values extends FieldValues>(): (<Value extends string | number | null>(
  props: SelectFieldProps<Value, Path<Values>>,
) => ReactNode) => SelectField;
