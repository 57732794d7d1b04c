import { ChevronsUpDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "../../lib/cx";
import { usePreservedFocus } from "../../lib/focus";
import { useFieldAttributes } from "./field";
import { controlClass } from "./input";

type NativeSelectProps = Omit<ComponentProps<"select">, "children"> & {
  /** Options under a heading; those of a group without label stand alone. */
  groups: readonly { label: string; options: readonly { value: string; label: string }[] }[];
};

/** The browser's own list, for hundreds of options: typing finds one, and a phone shows its own picker. */
export function NativeSelect({ groups, className, ...rest }: NativeSelectProps) {
  usePreservedFocus(rest.disabled);
  return (
    <span className={cx("relative block", className)}>
      <select
        {...useFieldAttributes()}
        {...rest}
        className={cx(controlClass, "h-9 touch:h-10 cursor-pointer appearance-none truncate pr-8")}
      >
        {groups.map(({ label, options }) => {
          const items = options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ));
          return label ? (
            <optgroup key={label} label={label}>
              {items}
            </optgroup>
          ) : (
            items
          );
        })}
      </select>
      <ChevronsUpDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-2 my-auto size-4 text-ink-soft"
      />
    </span>
  );
}
