import type { LucideIcon } from "lucide-react";
import { useId } from "react";
import { cx } from "../../lib/cx";

type Choice<Value> = { value: Value; label: string; icon?: LucideIcon };

export type SegmentedProps<Value> = {
  legend: string;
  value: Value;
  onChange: (value: Value) => void;
  choices: readonly Choice<Value>[];
  /** Shows icons only; the labels remain for screen readers and as tooltips. */
  compact?: boolean;
  className?: string;
};

/** A radio group styled as one bar. The native inputs cover their labels. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { legend, value, onChange, choices, compact = false, className } = props;
  const name = useId();
  return (
    <fieldset
      className={cx(
        "inline-flex min-w-0 rounded-control border huge:h-auto! huge:flex-wrap border-line bg-sunken p-0.5",
        className,
      )}
    >
      <legend className="sr-only">{legend}</legend>
      {choices.map(({ value: choice, label, icon: Icon }) => (
        <label
          key={choice}
          title={compact ? label : undefined}
          className={cx(
            "relative inline-flex h-7.5 touch:h-10 flex-1 items-center justify-center gap-1.5 whitespace-nowrap rounded-md px-2.5 touch:px-3 text-ink-soft",
            "has-[:checked]:bg-surface has-[:checked]:text-ink has-[:checked]:shadow-[0_0_0_1px_var(--line)]",
            "has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:focus-visible]:outline-offset-2",
          )}
        >
          <input
            type="radio"
            name={name}
            value={choice}
            checked={choice === value}
            onChange={() => onChange(choice)}
            // Choosing the checked one is a choice too, but no change.
            onClick={() => choice === value && onChange(choice)}
            className="absolute inset-0 size-full cursor-pointer appearance-none rounded-md outline-none"
          />
          {Icon && <Icon aria-hidden className="size-4" />}
          <span className={compact ? "sr-only" : undefined}>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
