import type { ReactNode } from "react";
import { cx } from "../../lib/cx";

type FactProps = { term: string; className?: string; children: ReactNode };

/** A term in a `dl` and its value; a dash without one. */
export function Fact({ term, className, children }: FactProps) {
  return (
    <div className={cx("min-w-0", className)}>
      <dt className="text-ink-soft text-xs">{term}</dt>
      <dd className="mt-0.5 [overflow-wrap:anywhere]">{children || <span aria-hidden>–</span>}</dd>
    </div>
  );
}
