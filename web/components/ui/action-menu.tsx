import { Menu, MenuButton, MenuItem, MenuItems } from "@headlessui/react";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ElementType } from "react";

export type MenuAction = { label: string; icon?: LucideIcon; onAction: () => void };

type ActionMenuProps = ComponentProps<"button"> & {
  /** What the button is, if not a plain one. */
  as?: ElementType;
  /** Where the menu is at its button. */
  to: "bottom end" | "top start";
  actions: readonly MenuAction[];
};

/** A button that opens a menu. */
export function ActionMenu({ to, actions, ...button }: ActionMenuProps) {
  return (
    <Menu>
      <MenuButton {...button} />
      <MenuItems
        anchor={{ to, gap: 4, padding: 8 }}
        className="appear z-50 min-w-44 rounded-control border border-line bg-surface p-1 text-sm shadow-float focus:outline-none"
      >
        {actions.map(({ label: text, icon: Icon, onAction }) => (
          <MenuItem key={text}>
            <button
              type="button"
              onClick={onAction}
              className="flex min-h-8 w-full select-none items-center gap-2 rounded-md px-2 py-1.5 text-left touch:min-h-10 data-focus:bg-hover"
            >
              {Icon && <Icon aria-hidden className="size-4 shrink-0 text-ink-soft" />}
              <span>{text}</span>
            </button>
          </MenuItem>
        ))}
      </MenuItems>
    </Menu>
  );
}
