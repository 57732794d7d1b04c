import { X } from "lucide-react";
import type { ReactNode } from "react";
import { focusContent } from "../../lib/focus";
import { IconButton } from "./icon-button";

type SelectionBarProps = {
  label: string;
  /** How many are selected; empty for none, which shows no bar. */
  text: string;
  clearLabel: string;
  onClear: () => void;
  /** The actions, as buttons. */
  children: ReactNode;
};

/** The actions for the selected entries of a list. It floats at the bottom of the screen. */
export function SelectionBar({ label, text, clearLabel, onClear, children }: SelectionBarProps) {
  const clear = () => {
    onClear();
    // The bar is removed.
    focusContent();
  };
  return (
    <>
      <p role="status" className="sr-only">
        {text}
      </p>
      {text && (
        <fieldset
          aria-label={label}
          onKeyDown={({ key, target, currentTarget }) => {
            // Not from a menu or dialog of an action, which is elsewhere on the page.
            if (key === "Escape" && currentTarget.contains(target as Node)) clear();
          }}
          className="rise sticky bottom-3 z-10 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center justify-center gap-x-2 gap-y-1.5 rounded-card border border-line bg-surface py-2 pr-3 pl-2 max-[379px]:gap-x-1 max-[379px]:pr-2 shadow-float short:static"
        >
          <IconButton icon={X} label={clearLabel} onClick={clear} />
          <span className="mr-1 font-medium tabular-nums max-[379px]:text-xs" aria-hidden>
            {text}
          </span>
          {children}
        </fieldset>
      )}
    </>
  );
}
