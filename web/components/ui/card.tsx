import type { ReactNode } from "react";
import { cx } from "../../lib/cx";

type CardProps = {
  /** Rendered as a heading of this level. */
  title?: string;
  level?: 2 | 3;
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
};

export function Card({ title, level = 3, aside, className, children }: CardProps) {
  const Heading = `h${level}` as const;
  return (
    <section className={cx("rounded-card border border-line bg-surface p-4 sm:p-5", className)}>
      {title && (
        <div className="mb-3 flex min-h-6 items-center justify-between gap-3">
          <Heading className="text-sm">{title}</Heading>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
