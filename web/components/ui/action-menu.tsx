import { Menu, MenuButton, MenuItem, MenuItems } from "@headlessui/react";
import { Ellipsis, type LucideIcon } from "lucide-react";
import { iconButtonClass } from "./icon-button";

export type MenuAction = { label: string; icon: LucideIcon; onAction: () => void };

/** A button that opens a menu with what is rarely done. */
export function ActionMenu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  if (actions.length === 0) return null;
  return (
    <Menu>
      <MenuButton
        aria-label={label}
        title={label}
        className={`${iconButtonClass} border border-line-strong bg-surface hover:bg-hover hover:text-ink`}
      >
        <Ellipsis aria-hidden className="size-4" />
      </MenuButton>
      <MenuItems
        anchor={{ to: "bottom end", gap: 4, padding: 8 }}
        className="appear z-50 min-w-44 rounded-control border border-line bg-surface p-1 text-sm shadow-float focus:outline-none"
      >
        {actions.map(({ label: text, icon: Icon, onAction }) => (
          <MenuItem key={text}>
            <button
              type="button"
              onClick={onAction}
              className="flex min-h-8 w-full select-none items-center gap-2 rounded-md px-2 py-1.5 text-left touch:min-h-10 data-focus:bg-hover"
            >
              <Icon aria-hidden className="size-4 shrink-0 text-ink-soft" />
              <span>{text}</span>
            </button>
          </MenuItem>
        ))}
      </MenuItems>
    </Menu>
  );
}
