import { type ComponentProps, type MouseEvent, useEffect, useLayoutEffect, useRef } from "react";
import { cx } from "../../lib/cx";
import { usePreservedFocus } from "../../lib/focus";
import { Spinner } from "./spinner";
import { WrappedTexts } from "./wrapped-texts";

const VARIANTS = {
  primary: "bg-accent text-accent-ink hover:bg-accent-hover",
  secondary: "border border-line-strong bg-surface text-ink hover:bg-hover",
  /** Within a card, which has an outline already. */
  soft: "bg-hover text-ink hover:bg-line",
  ghost: "text-ink hover:bg-hover",
  danger: "bg-bad text-bad-ink hover:bg-bad-hover",
} as const;

const SIZES = {
  sm: "h-8 gap-1.5 px-2.5 touch:h-10",
  md: "h-9 gap-2 px-3.5 touch:h-10",
  lg: "h-11 gap-2 px-5 text-base",
} as const;

export type ButtonVariant = keyof typeof VARIANTS;

export type ButtonStyle = {
  variant?: ButtonVariant;
  size?: keyof typeof SIZES;
  className?: string | undefined;
};

/** The classes of a button, for links that look like one. */
export function buttonClass({ variant = "secondary", size = "md", className }: ButtonStyle = {}): string {
  return cx(
    "inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-control font-medium transition-colors duration-150",
    "disabled:cursor-not-allowed disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0",
    VARIANTS[variant],
    SIZES[size],
    className,
  );
}

type ButtonProps = ComponentProps<"button"> & ButtonStyle & { loading?: boolean };

/** While `loading` it is disabled and shows a spinner. A button that can load ignores the second click of a double click. */
export function Button({
  variant,
  size,
  loading,
  className,
  children,
  disabled,
  onClick,
  ...rest
}: ButtonProps) {
  usePreservedFocus(loading);
  const isRepeated = useRepeatedClick(loading);
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (isRepeated(event)) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      onClick={click}
      disabled={disabled || loading}
      aria-busy={loading || undefined}
      className={buttonClass({ ...(variant && { variant }), ...(size && { size }), className })}
    >
      {loading && <Spinner />}
      <WrappedTexts>{children}</WrappedTexts>
    </button>
  );
}

/** Shorter than most systems' limit, so that a deliberate second click is rarely ignored. */
const DOUBLE_CLICK_MS = 400;

/**
 * Whether a click on a button that can load is the second of a double click. The first one was on the same button, whose
 * request may have ended by now, or on another button that this one has replaced. Not if something was typed in between.
 */
function useRepeatedClick(loading: boolean | undefined): (event: MouseEvent) => boolean {
  const since = useRef(performance.now());
  useLayoutEffect(() => {
    if (loading === false) since.current = performance.now();
  }, [loading]);
  useEffect(() => {
    const forget = () => {
      since.current = Number.NEGATIVE_INFINITY;
    };
    addEventListener("input", forget);
    return () => removeEventListener("input", forget);
  }, []);
  return ({ detail }) => {
    if (loading === undefined) return false;
    const elapsed = performance.now() - since.current;
    if (detail > 1 && elapsed < DOUBLE_CLICK_MS) return true;
    since.current = performance.now();
    return false;
  };
}
