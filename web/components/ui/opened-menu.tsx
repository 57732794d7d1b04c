import type { LucideIcon } from "lucide-react";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";

export type MenuEntry = { icon: LucideIcon; label: string; onSelect: () => void; disabled?: boolean };

type OpenedMenuProps = {
  label: string;
  /** Shown above the entries: the whole text of a button that has no room for it. */
  title?: string;
  /** The button that has opened it. */
  button: HTMLElement;
  entries: readonly MenuEntry[];
  onClose: () => void;
};

/** The menu of a button that is pressed: for one that should cost nothing before, or of which there are many. */
export default function OpenedMenu({ label, title, button, entries, onClose }: OpenedMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ top: 0, left: 0 });
  useLayoutEffect(() => {
    const at = button.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = menu.current as HTMLElement;
    // Without the scroll bar, which some browsers place beside the page.
    const fits = at.left + offsetWidth + 8 <= document.documentElement.clientWidth;
    const fitsBelow = at.bottom + offsetHeight + 12 <= innerHeight;
    setPlace({
      top: fitsBelow ? at.bottom + 4 : Math.max(8, at.top - offsetHeight - 4),
      left: Math.max(8, fits ? at.left : at.right - offsetWidth),
    });
    menu.current?.querySelector("button")?.focus();
  }, [button]);
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      if (!(target instanceof Node) || menu.current?.contains(target) || button.contains(target)) return;
      onClose();
    };
    addEventListener("pointerdown", onPress);
    addEventListener("resize", onClose);
    return () => {
      removeEventListener("pointerdown", onPress);
      removeEventListener("resize", onClose);
    };
  }, [button, onClose]);
  const close = () => {
    button.focus();
    onClose();
  };
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const items = [...event.currentTarget.querySelectorAll("button")];
    const index = items.indexOf(document.activeElement as HTMLButtonElement);
    const steps: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 };
    const to = steps[event.key];
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (to !== undefined) items.at(to % items.length)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return createPortal(
    <div
      ref={menu}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={press}
      style={place}
      className="appear fixed z-30 w-max max-w-80 rounded-control border border-line bg-surface p-1 text-ink text-sm shadow-float"
    >
      {title && (
        <p
          aria-hidden
          className="max-h-[40dvh] overflow-y-auto break-words px-2 py-1.5 text-ink-soft text-xs"
        >
          {title}
        </p>
      )}
      {entries.map(({ icon: Icon, label, onSelect, disabled }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-disabled={disabled}
          onClick={() => {
            if (disabled) return;
            close();
            onSelect();
          }}
          className="flex min-h-9 w-full touch:min-h-10 items-center gap-2 rounded-md px-2 py-1.5 text-left aria-disabled:cursor-default aria-disabled:opacity-55 hover:bg-hover focus-visible:bg-hover -outline-offset-2!"
        >
          <Icon aria-hidden className="size-4 shrink-0 text-ink-soft" />
          <span>{label}</span>
        </button>
      ))}
    </div>,
    document.body,
  );
}
