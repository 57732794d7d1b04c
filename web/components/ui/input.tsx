import { ChevronsUpDown, Search } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "../../lib/cx";
import { usePreservedFocus } from "../../lib/focus";
import { useFieldAttributes } from "./field";

/** Shared by everything that looks like an input. Phones zoom in on focus below 16 px. */
export const controlClass =
  "w-full min-w-0 scroll-my-12 rounded-control border border-line-strong bg-surface px-3 text-base text-ink transition-colors duration-150 sm:text-sm " +
  "hover:border-ink-soft focus-visible:outline-2 focus-visible:outline-accent focus-visible:outline-offset-1 " +
  "aria-invalid:border-bad disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-soft";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return (
    <input
      type="text"
      {...useFieldAttributes()}
      {...rest}
      className={cx(controlClass, "h-9 touch:h-10", className)}
    />
  );
}

type GrowingInputProps = ComponentProps<"textarea"> & {
  /** What is in it, which an uncontrolled field does not know. */
  text: string;
};

/** A line of text that wraps where it is longer than the field. Enter does what it does in an input. */
export function GrowingInput({ text, className, onChange, onKeyDown, ...rest }: GrowingInputProps) {
  return (
    <span
      data-text={`${text} `}
      // Not every browser that is supported has `field-sizing`: an invisible copy of the text makes the room.
      className="grid text-base *:[grid-area:1/1] after:invisible after:min-w-0 after:whitespace-pre-wrap after:break-words after:border after:px-3 after:py-[7px] after:[grid-area:1/1] after:content-[attr(data-text)] sm:text-sm"
    >
      <textarea
        rows={1}
        {...useFieldAttributes()}
        {...rest}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (/[\r\n]/.test(value)) event.currentTarget.value = value.replace(/[\r\n]+/g, " ");
          onChange?.(event);
        }}
        onKeyDown={(event) => {
          onKeyDown?.(event);
          if (event.key !== "Enter" || event.nativeEvent.isComposing || event.defaultPrevented) return;
          event.preventDefault();
          const controls = [...(event.currentTarget.form?.elements ?? [])];
          const submit = controls.find(
            (control) => control instanceof HTMLButtonElement && control.type === "submit",
          );
          (submit as HTMLButtonElement | undefined)?.click();
        }}
        className={cx(controlClass, "min-h-9 touch:min-h-10 resize-none overflow-hidden py-[7px]", className)}
      />
    </span>
  );
}

/** Grows with its text, where the browser can. `field-sizing` ignores `rows`, hence the minimal height. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea
      {...useFieldAttributes()}
      {...rest}
      rows={rows}
      style={{ minHeight: `calc(${rows}lh + 1rem + 2px)` }}
      className={cx(controlClass, "field-sizing-content max-h-80 py-2", className)}
    />
  );
}

/** A date. Safari shows today's date in an empty field; the style sheet hides it there until the field is focused. */
export function DateInput({ empty, ...rest }: { empty: boolean } & Omit<ComponentProps<"input">, "type">) {
  return <Input type="date" max="9999-12-31" data-empty={empty || undefined} {...rest} />;
}

type SearchInputProps = Omit<ComponentProps<typeof Input>, "type"> & {
  /** Its accessible name, which is its hint as well. */
  label: string;
};

/** A field for words to search for. `className` is that of the box around it. */
export function SearchInput({ label, className, ...rest }: SearchInputProps) {
  return (
    <div className={cx("relative", className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-ink-soft"
      />
      <Input {...rest} type="search" aria-label={label} placeholder={label} className="pl-8" />
    </div>
  );
}

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
