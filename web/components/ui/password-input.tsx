import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { cx } from "../../lib/cx";
import { useFieldLabelId } from "./field";
import { Input } from "./input";

type PasswordInputProps = Omit<ComponentProps<"input">, "type"> & {
  /** The names of the button in its two states. They omit "password", so that only the field has that name. */
  showLabel: string;
  hideLabel: string;
};

export function PasswordInput({ showLabel, hideLabel, className, ...rest }: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  const labelId = useFieldLabelId();
  const Icon = shown ? EyeOff : Eye;
  return (
    <span className="relative block">
      <Input {...rest} type={shown ? "text" : "password"} className={cx("pr-10", className)} />
      <button
        type="button"
        title={shown ? hideLabel : showLabel}
        aria-label={shown ? hideLabel : showLabel}
        aria-describedby={labelId}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0.5 right-0.5 inline-flex w-8 touch:inset-y-0 touch:right-0 touch:w-10 items-center justify-center rounded-md text-ink-soft hover:text-ink"
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </span>
  );
}
