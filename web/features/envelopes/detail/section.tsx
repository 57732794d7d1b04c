import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

/** Of a list with more documents, a part is folded at first. */
export const LONG_LIST = 10;

type SectionProps = {
  title: string;
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
};

/** A part of the details under its heading, without a frame of its own. */
export function Section({ title, aside, className, children }: SectionProps) {
  return (
    <section className={className}>
      <div className="mb-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h3 className="text-sm">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

type FoldedSectionProps = {
  title: string;
  /** Beside the title while it is folded. */
  hint?: string | null;
  children: ReactNode;
};

/** A part of the details that is rarely needed: folded at first. */
export function FoldedSection({ title, hint, children }: FoldedSectionProps) {
  return (
    <section className="border-line border-t pt-4">
      <details className="group">
        <summary className="flex cursor-pointer list-none items-baseline gap-2 rounded-sm [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="size-4 shrink-0 translate-y-0.5 text-ink-soft transition-transform duration-150 group-open:rotate-90"
          />
          <h3 className="shrink-0 text-sm huge:shrink huge:[overflow-wrap:anywhere]">{title}</h3>
          <span title={hint ?? undefined} className="min-w-0 truncate text-ink-soft group-open:hidden">
            {hint}
          </span>
        </summary>
        <div className="mt-2 pl-6">{children}</div>
      </details>
    </section>
  );
}
