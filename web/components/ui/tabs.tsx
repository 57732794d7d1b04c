import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

type TabEntry = { label: string; content: ReactNode };

type TabsProps = {
  label: string;
  tabs: readonly TabEntry[];
  selected: number;
  onSelect: (index: number) => void;
};

/** Headless UI's tabs render inline styles, which the security policy forbids in a prerendered page. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const to = tabAfter(event.key, selected, tabs.length);
    if (to === undefined) return;
    event.preventDefault();
    onSelect(to);
    list.current?.querySelectorAll("button")[to]?.focus();
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="flex rounded-control border border-line bg-sunken p-0.5"
      >
        {tabs.map((tab, index) => (
          <button
            key={tab.label}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === selected}
            aria-controls={index === selected ? `${id}-panel` : undefined}
            tabIndex={index === selected ? 0 : -1}
            onClick={() => onSelect(index)}
            onKeyDown={move}
            className="min-h-8 touch:min-h-10 flex-1 rounded-md px-2 py-1 max-[359px]:px-1 max-[359px]:text-xs font-medium text-ink-soft transition-colors duration-150 hover:text-ink aria-selected:bg-surface aria-selected:text-ink aria-selected:shadow-[0_0_0_1px_var(--line)]"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        key={selected}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-tab-${selected}`}
        tabIndex={-1}
        className="mt-6"
      >
        {tabs[selected]?.content}
      </div>
    </>
  );
}

/** The index of the tab that a key leads to; undefined for other keys. */
export const tabAfter = (key: string, index: number, count: number): number | undefined =>
  ({ ArrowLeft: (index + count - 1) % count, ArrowRight: (index + 1) % count, Home: 0, End: count - 1 })[key];
