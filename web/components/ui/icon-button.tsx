import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "../../lib/cx";
import { Spinner } from "./spinner";

export const iconButtonClass =
  "inline-flex size-8 touch:size-10 items-center justify-center rounded-control text-ink-soft transition-colors duration-150";

/** Where the tooltip is; with `end`, it ends with the button, at an edge that would clip it. */
type Side = "top" | "bottom" | "bottom-end";

type IconButtonProps = Omit<ComponentProps<"button">, "aria-label" | "children"> & {
  label: string;
  /** The tooltip, if the name is too long for one ("Delete" for "Delete Q3 audit"). */
  tip?: string;
  icon: LucideIcon;
  tone?: "plain" | "danger";
  side?: Side;
  loading?: boolean;
  /** Classes of the box that holds the button and its tooltip. */
  boxClass?: string;
};

export function IconButton({
  label,
  tip,
  icon: Icon,
  tone = "plain",
  side,
  loading,
  className,
  boxClass,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={tip ?? label} {...(side && { side })} className={boxClass}>
      <button
        type="button"
        {...rest}
        disabled={rest.disabled || loading}
        aria-label={label}
        className={cx(
          iconButtonClass,
          "disabled:cursor-not-allowed disabled:opacity-45",
          tone === "danger" ? "hover:bg-bad-soft hover:text-bad" : "hover:bg-hover hover:text-ink",
          className,
        )}
      >
        {loading ? <Spinner /> : <Icon aria-hidden className="size-4" />}
      </button>
    </Tooltip>
  );
}

/**
 * Shows the name of what it wraps on hover and keyboard focus. It only repeats the name that the
 * control already has, so it is hidden from screen readers.
 */
export function Tooltip({
  text,
  side = "top",
  className,
  children,
}: {
  text: string;
  side?: Side;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <span className={cx("group/tip relative inline-flex", className)}>
      {children}
      <span
        aria-hidden
        className={cx(
          "pointer-events-none absolute z-20 hidden whitespace-nowrap rounded-md bg-ink px-2 py-1 text-paper text-xs",
          "group-hover/tip:block group-has-[:focus-visible]/tip:block group-has-[[aria-haspopup][aria-expanded=true]]/tip:hidden!",
          side === "top" ? "bottom-full mb-1.5" : "top-full mt-1.5",
          side === "bottom-end" ? "right-0" : "left-1/2 -translate-x-1/2",
        )}
      >
        {text}
      </span>
    </span>
  );
}
