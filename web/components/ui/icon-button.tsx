import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "../../lib/cx";
import { Spinner } from "./spinner";
import { Tooltip } from "./tooltip";

type IconButtonProps = Omit<ComponentProps<"button">, "aria-label" | "children"> & {
  /** The accessible name. */
  label: string;
  /** The tooltip, if the name is too long for one ("Delete" for "Delete Q3 audit"). */
  tip?: string;
  icon: LucideIcon;
  tone?: "plain" | "danger";
  side?: "top" | "bottom";
  loading?: boolean;
};

export function IconButton({
  label,
  tip,
  icon: Icon,
  tone = "plain",
  side,
  loading,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={tip ?? label} {...(side && { side })}>
      <button
        type="button"
        {...rest}
        disabled={rest.disabled || loading}
        aria-label={label}
        className={cx(
          "inline-flex size-8 items-center justify-center rounded-control text-ink-soft transition-colors duration-150",
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
