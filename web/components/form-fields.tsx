import type { ComponentProps, ComponentType } from "react";
import { type FieldValues, type Path, useFormContext } from "react-hook-form";
import { LIMITS } from "../../worker/contract/limits";
import { useFieldError } from "../lib/field-error";
import { Field } from "./ui/field";
import { Input, Textarea } from "./ui/input";

export type FieldProps<Name> = Omit<ComponentProps<typeof Field>, "children" | "error"> & { name: Name };
type ControlProps<Control extends "input" | "textarea", Name> = FieldProps<Name> &
  Omit<ComponentProps<Control>, keyof FieldProps<Name>>;

/** What an input registers in the form around it, and the field with what is wrong with its value. */
function useFormField<Props extends FieldProps<string>>(props: Props) {
  const { name, label, hint, required, hiddenLabel, aside, className, ...control } = props;
  const { register, getFieldState, formState } = useFormContext();
  const error = useFieldError()(getFieldState(name, formState).error);
  const field = { label, hint, error, required, hiddenLabel, aside, className };
  return { field, control: { ...control, ...register(name) } };
}

/** A line of text, by default as long as a name may be. */
function TextField(props: ControlProps<"input", string>) {
  const { field, control } = useFormField(props);
  return (
    <Field {...field}>
      <Input autoComplete="off" maxLength={LIMITS.name} {...control} />
    </Field>
  );
}

function TextareaField(props: ControlProps<"textarea", string>) {
  const { field, control } = useFormField(props);
  return (
    <Field {...field}>
      <Textarea maxLength={LIMITS.text} {...control} />
    </Field>
  );
}

/** The text fields of a form with these values, each in the form around it, by name. */
export const fieldsOf = <Values extends FieldValues>(): {
  TextField: ComponentType<ControlProps<"input", Path<Values>>>;
  TextareaField: ComponentType<ControlProps<"textarea", Path<Values>>>;
} => ({ TextField, TextareaField });
