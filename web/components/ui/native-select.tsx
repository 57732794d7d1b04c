import { ChevronsUpDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "../../lib/cx";
import { usePreservedFocus } from "../../lib/focus";
import { useFieldAttributes } from "./field";
import { controlClass } from "./input";

type Option = { value: string; label: string };
/** An option, or a group of them under a heading. */
export type NativeOption = Option | { label: string; options: readonly Option[] };

type NativeSelectProps = Omit<ComponentProps<"select">, "children"> & {
  options: readonly NativeOption[];
};

/** The browser's own list, for hundreds of options: typing finds one, and a phone shows its own picker. */
export function NativeSelect({ options, className, ...rest }: NativeSelectProps) {
  usePreservedFocus(rest.disabled);
  return (
    <span className={cx("relative block", className)}>
      <select
        {...useFieldAttributes()}
        {...rest}
        className={cx(controlClass, "h-9 touch:h-10 cursor-pointer appearance-none truncate pr-8")}
      >
        {options.map((entry) =>
          "options" in entry ? (
            <optgroup key={entry.label} label={entry.label}>
              {entry.options.map(toElement)}
            </optgroup>
          ) : (
            toElement(entry)
          ),
        )}
      </select>
      <ChevronsUpDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-2 my-auto size-4 text-ink-soft"
      />
    </span>
  );
}

const toElement = ({ value, label }: Option) => (
  <option key={value} value={value}>
    {label}
  </option>
);
