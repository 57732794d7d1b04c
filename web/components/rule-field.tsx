import { useRef } from "react";
import { flushSync } from "react-dom";
import { Field } from "./ui/field";
import { Input } from "./ui/input";

type RuleFieldProps = {
  label: string;
  hint: string;
  error: string | undefined;
  value: string;
  onChange: (rule: string) => void;
  placeholder: string;
  maxLength: number;
  /** What the buttons below insert. */
  fields: readonly { name: string; label: string }[];
  /** The name of these buttons together. */
  fieldsLabel: string;
};

/** A rule that makes names, with buttons that insert its placeholders at the cursor. */
export function RuleField(props: RuleFieldProps) {
  const { value, onChange, fields, fieldsLabel, label, hint, error, ...control } = props;
  const input = useRef<HTMLInputElement>(null);
  const insert = (placeholder: string) => {
    const { selectionStart, selectionEnd } = input.current ?? {};
    const before = value.slice(0, selectionStart ?? value.length) + placeholder;
    flushSync(() => onChange(before + value.slice(selectionEnd ?? value.length)));
    input.current?.focus();
    input.current?.setSelectionRange(before.length, before.length);
  };
  return (
    <>
      <Field label={label} hint={hint} error={error}>
        <Input
          ref={input}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          {...control}
        />
      </Field>
      <fieldset aria-label={fieldsLabel} className="flex flex-wrap gap-1">
        {fields.map(({ name, label: text }) => (
          <button
            key={name}
            type="button"
            title={`{${name}}`}
            onClick={() => insert(`{${name}}`)}
            className="h-6 touch:h-10 rounded-full border border-line-strong px-2.5 text-ink-soft text-xs hover:bg-hover hover:text-ink"
          >
            {text}
          </button>
        ))}
      </fieldset>
    </>
  );
}
