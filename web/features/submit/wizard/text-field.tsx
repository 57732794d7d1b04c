import { CircleAlert } from "lucide-react";
import { useId, useLayoutEffect, useRef } from "react";
import { LIMITS } from "../../../../worker/contract/limits";
import { T } from "../translation/use-texts";

type TextFieldProps = {
  name: "name" | "email";
  value: string;
  error: string | undefined;
  announced?: boolean | undefined;
};

/** An uncontrolled input, so that nothing typed before hydration is lost. It shows `value` where nothing is typed. */
export function TextField({ name, value, error, announced }: TextFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const field = input.current;
    if (!field || field.value.trim() === value.trim()) return;
    // Typed before hydration: the wizard learns of it.
    if (field.value) field.dispatchEvent(new Event("input", { bubbles: true }));
    else {
      field.value = value;
      // The person is about to type: what they type replaces it.
      if (field === document.activeElement) field.select();
    }
  }, [value]);
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex gap-0.5">
        <label htmlFor={id} className="font-medium">
          <T k={`information.${name}`} />
        </label>
        <span aria-hidden className="text-bad">
          *
        </span>
      </div>
      <input
        ref={input}
        id={id}
        name={name}
        type={name === "email" ? name : "text"}
        autoComplete={name}
        autoCapitalize="words"
        spellCheck={false}
        maxLength={LIMITS.name}
        aria-required
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        className="h-11 w-full min-w-0 rounded-control border border-line-strong bg-surface px-3 text-ink transition-colors duration-150 hover:border-ink-soft focus-visible:outline-offset-1 aria-invalid:border-bad"
      />
      {error && (
        <Problem id={`${id}-error`} announced={announced}>
          {error}
        </Problem>
      )}
    </div>
  );
}

/** The error message of a field. It is `announced` unless the focus moves to the field. */
export function Problem({
  id,
  announced = false,
  children,
}: {
  id: string;
  announced?: boolean | undefined;
  children: string;
}) {
  return (
    <p
      id={id}
      role={announced ? "alert" : undefined}
      className="flex items-start gap-1.5 text-bad text-sm leading-5"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 whitespace-pre-line break-words">{children}</span>
    </p>
  );
}
