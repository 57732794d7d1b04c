import { ChevronRight } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "../../lib/cx";

type DisclosureProps = Omit<ComponentProps<"details">, "children"> & {
  summary: ReactNode;
  children: ReactNode;
};

/** A small part that is folded at first, with an icon of the app's instead of the browser's triangle. */
export function Disclosure({ summary, children, className, ...rest }: DisclosureProps) {
  return (
    <details {...rest} className={cx("group/disclosure", className)}>
      <summary className="flex w-fit cursor-pointer list-none items-start gap-1 rounded-sm text-ink-soft text-xs [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="mt-px size-3.5 shrink-0 transition-transform duration-150 group-open/disclosure:rotate-90"
        />
        <span className="min-w-0">{summary}</span>
      </summary>
      {children}
    </details>
  );
}
