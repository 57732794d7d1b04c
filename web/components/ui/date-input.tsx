import type { ComponentProps } from "react";
import { Input } from "./input";

/** A date. Safari shows today's date in an empty field; the style sheet hides it there until the field is focused. */
export function DateInput({ empty, ...rest }: { empty: boolean } & Omit<ComponentProps<"input">, "type">) {
  return <Input type="date" max="9999-12-31" data-empty={empty || undefined} {...rest} />;
}
