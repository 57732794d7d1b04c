import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
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
};

export function IconButton({
  label,
  tip,
  icon: Icon,
  tone = "plain",
  side = "top",
  loading,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || loading}
      aria-label={label}
      {...tipAt(side, tip ?? label)}
      className={cx(
        iconButtonClass,
        "tip disabled:cursor-not-allowed disabled:[&>svg]:opacity-45",
        tone === "danger" ? "hover:bg-bad-soft hover:text-bad" : "hover:bg-hover hover:text-ink",
        className,
      )}
    >
      {loading ? <Spinner /> : <Icon aria-hidden className="size-4" />}
    </button>
  );
}

/**
 * What shows a text at a control with the class `tip`, on hover and keyboard focus. It only repeats the name that the control
 * has by its `aria-label`. It is no element, since a list has hundreds of them.
 */
export const tipAt = (side: Side, text: string) => ({ "data-tip": text, "data-side": side });
