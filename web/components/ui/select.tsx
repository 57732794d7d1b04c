import { Listbox, ListboxButton, ListboxOption, ListboxOptions } from "@headlessui/react";
import { Check, ChevronsUpDown } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { cx } from "../../lib/cx";
import { usePreservedFocus } from "../../lib/focus";
import { useFieldAttributes, useFieldName } from "./field";
import { controlClass } from "./input";

export type SelectOption<Value> = { value: Value; label: string; detail?: string };

type SelectProps<Value> = {
  value: Value;
  onChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  /** The name, if no Field provides one. The button is named "label value". */
  label?: string;
  placeholder?: string;
  disabled?: boolean;
  autoFocus?: boolean;
  className?: string;
  /** Rows that follow the options, such as "No templates yet". */
  footer?: ReactNode;
  /** Opens where it is, instead of beside the page's content, and leaves that reachable. */
  inline?: boolean;
  /** Shows a long value whole, on several lines. */
  wraps?: boolean;
};

/** A list box opened by a button whose accessible name is its label and its value. */
export function Select<Value extends string | number | null>(props: SelectProps<Value>) {
  const { value, onChange, options, label, placeholder, disabled, className, footer, inline, wraps } = props;
  const { id, "aria-describedby": describedBy } = useFieldAttributes();
  const name = useFieldName() ?? label;
  const button = useRef<HTMLButtonElement>(null);
  usePreservedFocus(disabled, button);
  const chosen = options.find((option) => option.value === value);
  return (
    <Listbox value={value} onChange={onChange} disabled={disabled ?? false}>
      <ListboxButton
        ref={button}
        autoFocus={props.autoFocus ?? false}
        // Headless UI opens the list with Space and the arrow keys only.
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          event.currentTarget.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
        }}
        {...(id && { id })}
        aria-describedby={describedBy}
        aria-label={[name, chosen?.label ?? placeholder].filter(Boolean).join(" ")}
        className={cx(
          controlClass,
          "group flex cursor-pointer items-center gap-2 pr-2 text-left",
          wraps ? "min-h-9 touch:min-h-10 py-1.5" : "h-9 touch:h-10",
          className,
        )}
      >
        <span
          title={chosen?.label}
          className={cx("min-w-0 flex-1", wraps ? "break-words" : "truncate", !chosen && "text-ink-soft")}
        >
          {chosen ? chosen.label : placeholder}
        </span>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-soft" />
      </ListboxButton>
      <ListboxOptions
        {...(inline ? { modal: false } : { anchor: { to: "bottom start", gap: 4, padding: 8 } })}
        className={cx(
          "appear z-50 rounded-control border border-line bg-surface p-1 text-sm shadow-float focus:outline-none",
          inline
            ? "absolute mt-1 max-h-80 w-(--button-width) overflow-y-auto"
            : "[--anchor-max-height:18rem] min-w-(--button-width)",
        )}
      >
        {options.map((option) => (
          <ListboxOption
            key={option.value}
            value={option.value}
            className="group flex min-h-8 touch:min-h-10 cursor-pointer select-none items-center gap-2 rounded-md px-2 py-1.5 data-focus:bg-hover"
          >
            <span className="min-w-0 flex-1">
              <span className="block break-words">{option.label}</span>
              {option.detail && (
                <span className="block break-words text-ink-soft text-xs">{option.detail}</span>
              )}
            </span>
            <Check
              aria-hidden
              className="invisible size-4 shrink-0 text-accent group-data-selected:visible"
            />
          </ListboxOption>
        ))}
        {footer}
      </ListboxOptions>
    </Listbox>
  );
}
