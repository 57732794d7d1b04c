import type { ReactNode } from "react";
import { cx } from "../../lib/cx";

/**
 * Shows the name of what it wraps on hover and keyboard focus. It only repeats the name that the
 * control already has, so it is hidden from screen readers.
 */
export function Tooltip({
  text,
  side = "top",
  children,
}: {
  text: string;
  side?: "top" | "bottom";
  children: ReactNode;
}) {
  return (
    <span className="group/tip relative inline-flex">
      {children}
      <span
        aria-hidden
        className={cx(
          "pointer-events-none absolute left-1/2 z-20 hidden -translate-x-1/2 whitespace-nowrap rounded-md bg-ink px-2 py-1 text-paper text-xs",
          "group-hover/tip:block group-has-[:focus-visible]/tip:block",
          side === "top" ? "bottom-full mb-1.5" : "top-full mt-1.5",
        )}
      >
        {text}
      </span>
    </span>
  );
}
