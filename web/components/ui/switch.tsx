import { Field, Switch as HeadlessSwitch, Label } from "@headlessui/react";
import type { ReactNode } from "react";
import { cx } from "../../lib/cx";

type SwitchProps = {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  className?: string;
};

/** A switch with its label at the right; clicking the label toggles it too. */
export function Switch({ label, checked, onChange, disabled, className }: SwitchProps) {
  return (
    <Field
      as="span"
      disabled={disabled ?? false}
      className={cx("inline-flex items-center gap-2.5", className)}
    >
      <HeadlessSwitch
        checked={checked}
        onChange={onChange}
        className="group relative inline-flex touch:after:absolute touch:after:-inset-2 h-6 w-10 shrink-0 cursor-pointer items-center rounded-full border border-line-strong bg-sunken p-0.5 transition-colors duration-150 data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50"
      >
        <span className="size-4.5 rounded-full bg-line-strong transition-transform duration-150 group-data-checked:translate-x-4 group-data-checked:bg-accent-ink" />
      </HeadlessSwitch>
      <Label className="cursor-pointer text-sm">{label}</Label>
    </Field>
  );
}
