import { ChevronsUpDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "../../lib/cx";
import { useFieldAttributes } from "./field";
import { controlClass } from "./input";

/** The browser's own chooser in the product's clothes: light to load, and at home on phones. */
export function NativeSelect({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <span className="relative block min-w-0 flex-1">
      <select
        {...useFieldAttributes()}
        {...rest}
        className={cx(controlClass, "h-9 cursor-pointer appearance-none truncate pr-8", className)}
      >
        {children}
      </select>
      <ChevronsUpDown
        aria-hidden
        className="pointer-events-none absolute top-2.5 right-2.5 size-4 text-ink-soft"
      />
    </span>
  );
}
