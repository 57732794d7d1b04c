import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useFormat } from "../../../lib/use-format";

const TONES = {
  plain: "border-line bg-sunken text-ink-soft",
  good: "border-good bg-good-soft text-good",
  bad: "border-bad bg-bad-soft text-bad",
} as const;

export type TimelineTone = keyof typeof TONES;

type TimelineItemProps = {
  icon: LucideIcon;
  label: string;
  /** When it happened. */
  at: string;
  tone?: TimelineTone;
  children?: ReactNode;
  /** Buttons, under everything. */
  actions?: ReactNode;
};

/** One event. The exact time is shown on hover. */
export function TimelineItem({
  icon: Icon,
  label,
  at,
  tone = "plain",
  children,
  actions,
}: TimelineItemProps) {
  const format = useFormat();
  return (
    <li className="relative flex gap-3 not-last:before:absolute not-last:before:top-7 not-last:before:-bottom-4 not-last:before:left-3 not-last:before:w-px not-last:before:bg-line">
      <span
        aria-hidden
        className={`flex size-6 shrink-0 items-center justify-center rounded-full border ${TONES[tone]}`}
      >
        <Icon className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="break-words font-medium leading-6">{label}</p>
        {children}
        <p className="text-ink-soft text-xs tabular-nums">
          <time dateTime={at} title={format.exactly(at)}>
            {format.relative(at)}
          </time>
        </p>
        {actions}
      </div>
    </li>
  );
}
