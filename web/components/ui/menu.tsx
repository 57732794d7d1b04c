import { Menu as HeadlessMenu, MenuButton, MenuItem, MenuItems } from "@headlessui/react";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../../lib/cx";

type MenuEntry = { label: string; icon?: LucideIcon; danger?: boolean; onSelect: () => void };

type MenuProps = {
  /** The button's accessible name, where its content does not say it. */
  label?: string;
  button: ReactNode;
  buttonClassName?: string;
  entries: readonly MenuEntry[];
};

export function Menu({ label, button, buttonClassName, entries }: MenuProps) {
  return (
    <HeadlessMenu>
      <MenuButton aria-label={label} className={buttonClassName}>
        {button}
      </MenuButton>
      <MenuItems
        anchor={{ to: "bottom end", gap: 4, padding: 8 }}
        className="appear z-50 min-w-44 rounded-control border border-line bg-surface p-1 text-sm shadow-float focus:outline-none"
      >
        {entries.map(({ label: text, icon: Icon, danger, onSelect }) => (
          <MenuItem key={text}>
            <button
              type="button"
              onClick={onSelect}
              className={cx(
                "flex min-h-8 w-full items-center gap-2 rounded-md px-2 text-left data-focus:bg-hover",
                danger && "text-bad",
              )}
            >
              {Icon && <Icon aria-hidden className="size-4" />}
              {text}
            </button>
          </MenuItem>
        ))}
      </MenuItems>
    </HeadlessMenu>
  );
}
