import type { ComponentProps } from "react";
import { formatPhone, readPhone, type TypedPhone } from "../../lib/phone";
import { Input } from "./input";

type PhoneInputProps = Omit<ComponentProps<"input">, "value" | "onChange" | "type"> & {
  value: TypedPhone;
  onChange: (phone: TypedPhone) => void;
};

/** Shows a number as it is written in its country while it is typed; an entered plus sets the country. */
export function PhoneInput({ value, onChange, ...rest }: PhoneInputProps) {
  function change(typed: string): void {
    const phone = readPhone(typed, value);
    // Backspace over a bracket or dash removes only punctuation: take the digit before it too.
    const shown = formatPhone(value);
    const isSame = phone.phone === value.phone && phone.countryCode === value.countryCode;
    const onlyPunctuation = isSame && typed.length === shown.length - 1 && shown.startsWith(typed);
    onChange(onlyPunctuation ? { ...phone, phone: phone.phone.slice(0, -1) } : phone);
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
