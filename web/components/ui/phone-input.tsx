import type { ComponentProps } from "react";
import { formatPhone, LOCAL_DIGITS, phoneDigits } from "../../lib/phone";
import { Input } from "./input";

type PhoneInputProps = Omit<ComponentProps<"input">, "value" | "onChange" | "type"> & {
  /** Digits only. */
  value: string;
  onChange: (digits: string) => void;
};

/** Shows digits as (###) ###-#### while they are typed. */
export function PhoneInput({ value, onChange, ...rest }: PhoneInputProps) {
  function change(typed: string): void {
    const digits = phoneDigits(typed, Math.max(LOCAL_DIGITS, value.length));
    // Backspace over a bracket or dash removes only punctuation: take the digit before it too.
    const shown = formatPhone(value);
    const onlyPunctuation = digits === value && typed.length === shown.length - 1 && shown.startsWith(typed);
    onChange(onlyPunctuation ? digits.slice(0, -1) : digits);
  }
  return (
    <Input
      type="tel"
      inputMode="tel"
      autoComplete="tel-national"
      placeholder="(123) 456-7890"
      {...rest}
      value={formatPhone(value)}
      onChange={(event) => change(event.target.value)}
    />
  );
}
