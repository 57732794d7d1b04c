import { Check } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "../../lib/cx";

/** A native checkbox in the product's clothes. */
export function Checkbox({ label, className, ...rest }: ComponentProps<"input"> & { label: string }) {
  return (
    <label className={cx("inline-flex min-h-6 cursor-pointer items-center gap-2.5 text-sm", className)}>
      <span className="relative inline-flex size-4.5 shrink-0">
        <input
          type="checkbox"
          {...rest}
          className="peer size-full cursor-pointer appearance-none rounded-[5px] border border-line-strong bg-surface checked:border-accent checked:bg-accent"
        />
        <Check
          aria-hidden
          strokeWidth={3}
          className="pointer-events-none absolute inset-0 m-auto hidden size-3.5 text-accent-ink peer-checked:block"
        />
      </span>
      {label}
    </label>
  );
}
