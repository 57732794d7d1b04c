import { ChevronRight } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "../../lib/cx";

type DisclosureProps = Omit<ComponentProps<"details">, "children"> & {
  summary: ReactNode;
  /** Its title is as a heading is. */
  prominent?: boolean;
  children: ReactNode;
};

/** A small part that is folded at first, with an icon of the app's instead of the browser's triangle. */
export function Disclosure({ summary, prominent, children, className, ...rest }: DisclosureProps) {
  return (
    <details {...rest} className={cx("group/disclosure", className)}>
      <summary
        className={cx(
          "flex w-fit cursor-pointer list-none items-start gap-1 rounded-sm [&::-webkit-details-marker]:hidden",
          prominent ? "mb-2 font-medium" : "text-ink-soft text-xs",
        )}
      >
        <ChevronRight
          aria-hidden
          className="mt-[0.15em] size-3.5 shrink-0 transition-transform duration-150 group-open/disclosure:rotate-90"
        />
        <span className="min-w-0">{summary}</span>
      </summary>
      {children}
    </details>
  );
}
