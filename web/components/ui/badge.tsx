import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../lib/cx";
import { WrappedTexts } from "./wrapped-texts";

const TONES = {
  default: "border-transparent bg-accent-soft text-accent-text",
  secondary: "border-transparent bg-hover text-ink-soft",
  outline: "border-line-strong text-ink",
  good: "border-transparent bg-good-soft text-good",
  warn: "border-transparent bg-warn-soft text-warn",
  bad: "border-transparent bg-bad-soft text-bad",
} as const;

export type BadgeTone = keyof typeof TONES;

export function Badge({
  tone = "default",
  icon: Icon,
  children,
}: {
  tone?: BadgeTone;
  icon?: LucideIcon;
  children: ReactNode;
}) {
  return (
    <span
      className={cx(
        "inline-flex h-6 items-center gap-1 whitespace-nowrap rounded-full border px-2.5 font-medium text-xs",
        TONES[tone],
      )}
    >
      {Icon && <Icon aria-hidden className="size-3.5" />}
      <WrappedTexts>{children}</WrappedTexts>
    </span>
  );
}
