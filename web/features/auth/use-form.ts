import { type FormEvent, useRef, useState } from "react";
import type { GenericSchema, InferInput, InferOutput } from "valibot";
import { useFieldError } from "../../lib/field-error";
import type { Schemas } from "./checks";
import { checks, loadErrorTexts } from "./load-checks";

/**
 * A form whose inputs are uncontrolled: what is typed before hydration stays. It is checked when it is sent, by code that
 * is loaded at the first input; from then on, so is each input that changes. (The app's react-hook-form would take a
 * tenth of this page's budget.)
 */
export function useForm<Schema extends GenericSchema>(choose: (all: Schemas) => Schema) {
  type Name = keyof InferInput<Schema> & string;
  const fieldError = useFieldError();
  const ref = useRef<HTMLFormElement>(null);
  const wasSent = useRef(false);
  const [checking, setChecking] = useState(false);
  const [errors, setErrors] = useState<Readonly<Record<string, string | undefined>>>({});

  const inputs = () => [...(ref.current?.elements ?? [])].filter(isNamedInput);
  const find = (name: Name) => inputs().find((input) => input.name === name);
  const values = () =>
    Object.fromEntries(
      inputs().map(({ name, type, checked, value }) => [name, type === "checkbox" ? checked : value]),
    );
  const showErrors = (found: typeof errors) => {
    setErrors((shown) => ({ ...shown, ...found }));
    // If it failed before.
    void loadErrorTexts();
  };
  const send = async (onValid: (values: InferOutput<Schema>) => void) => {
    if (!checks.get()) setChecking(true);
    const { check } = checks.get() ?? (await checks.load());
    setChecking(false);
    wasSent.current = true;
    const checked = check(choose, values());
    setErrors({});
    if ("values" in checked) return onValid(checked.values);
    showErrors(checked.errors);
    inputs()
      .find(({ name }) => Object.hasOwn(checked.errors, name))
      ?.focus();
  };
  return {
    /** Whether it is about to be sent. */
    checking,
    /** The attributes of the form that passes valid input on. */
    onValid: (pass: (values: InferOutput<Schema>) => void) => ({
      ref,
      noValidate: true,
      onSubmit(event: FormEvent) {
        event.preventDefault();
        if (!checking) void send(pass);
      },
      onInput({ target }: FormEvent) {
        const found = wasSent.current && isNamedInput(target) && checks.get()?.check(choose, values());
        if (!found) return;
        const { name } = target as HTMLInputElement;
        setErrors((shown) => ({ ...shown, [name]: "errors" in found ? found.errors[name] : undefined }));
      },
    }),
    error: (name: Name) => fieldError({ message: errors[name] ?? "" }),
    setError: (name: Name, message: string) => showErrors({ [name]: message }),
    /** Shows what the server rejects under the fields. */
    showServerIssues(error: unknown) {
      const isField = (path: string): path is Name => find(path as Name) !== undefined;
      checks.get()?.showServerIssues(error, (name, { message }) => showErrors({ [name]: message }), isField);
    },
    value: (name: Name): string => find(name)?.value ?? "",
    focus: (name: Name) => find(name)?.focus(),
    /** Focuses the input, so that typing replaces what is in it. */
    select(name: Name) {
      find(name)?.focus();
      find(name)?.select();
    },
    clear(name: Name) {
      const input = find(name);
      if (input) input.value = "";
      setErrors({});
    },
  };
}

const isNamedInput = (target: unknown): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.name !== "";
