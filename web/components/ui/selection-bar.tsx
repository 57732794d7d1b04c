import { type LucideIcon, X } from "lucide-react";
import { Button } from "./button";
import { IconButton } from "./icon-button";

type SelectionBarProps = {
  label: string;
  /** How many are selected. */
  text: string;
  clearLabel: string;
  actions: readonly { label: string; icon: LucideIcon; onAct: () => void }[];
  onClear: () => void;
};

/** The actions for the selected entries of a list. It floats at the bottom of the screen. */
export function SelectionBar({ label, text, clearLabel, actions, onClear }: SelectionBarProps) {
  return (
    <fieldset
      aria-label={label}
      className="rise sticky bottom-3 z-10 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center justify-center gap-x-2 gap-y-1.5 rounded-card border border-line bg-surface py-2 pr-3 pl-2 shadow-float short:static"
    >
      <IconButton icon={X} label={clearLabel} onClick={onClear} />
      <span role="status" className="mr-1 font-medium tabular-nums max-[379px]:text-xs">
        {text}
      </span>
      {actions.map(({ label, icon: Icon, onAct }) => (
        <Button key={label} size="sm" onClick={onAct}>
          <Icon aria-hidden />
          {label}
        </Button>
      ))}
    </fieldset>
  );
}
