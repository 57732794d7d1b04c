import type { ReactNode } from "react";
import { cx } from "../../lib/cx";

/** A placeholder for text. Put it inside `SkeletonGroup`, which announces it. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx("shimmer block rounded-md bg-line", className)} />;
}

/** Wraps skeletons. It is shown after 150 ms and announced by its label. */
export function SkeletonGroup({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div role="status" className={cx("delayed", className)}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
