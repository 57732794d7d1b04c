import { useId } from "react";
import { cx } from "../../lib/cx";

type RadioCardsProps<Value> = {
  legend: string;
  value: Value;
  onChange: (value: Value) => void;
  choices: readonly { value: Value; label: string }[];
};

/** A radio group styled as cards; the native inputs cover their labels. */
export function RadioCards<Value extends string>({
  legend,
  value,
  onChange,
  choices,
}: RadioCardsProps<Value>) {
  const id = useId();
  return (
    <div role="radiogroup" aria-labelledby={`${id}-legend`}>
      <p id={`${id}-legend`} className="mb-1.5 font-medium text-sm">
        {legend}
      </p>
      <div className={cx("grid gap-2", choices.length === 3 ? "sm:grid-cols-3" : "sm:grid-cols-2")}>
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={cx(
              "relative flex min-h-11 items-center gap-2.5 rounded-control border border-line-strong px-3 py-2",
              "hover:bg-hover has-[:checked]:border-accent has-[:checked]:bg-accent-soft",
              "has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent has-[:focus-visible]:outline-offset-2",
            )}
          >
            <input
              type="radio"
              name={id}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              className="size-4 shrink-0 appearance-none rounded-full border border-line-strong bg-surface outline-none after:absolute after:inset-0 after:cursor-pointer checked:border-5 checked:border-accent"
            />
            {choice.label}
          </label>
        ))}
      </div>
    </div>
  );
}
