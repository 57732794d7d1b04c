import { cx } from "../../lib/cx";

type SegmentProgressProps = { label: string; value: number; max: number };

/** A progress bar of as many segments as there are steps. */
export function SegmentProgress({ label, value, max }: SegmentProgressProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      className="flex gap-2"
    >
      {Array.from({ length: max }, (_, index) => index + 1).map((step) => (
        <span key={step} className={cx("h-1 flex-1 rounded-full", step <= value ? "bg-accent" : "bg-line")} />
      ))}
    </div>
  );
}
