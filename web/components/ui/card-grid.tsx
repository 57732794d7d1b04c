import { type ReactNode, useDeferredValue, useEffect, useRef } from "react";
import { focusContent } from "../../lib/focus-content";
import { Skeleton, SkeletonGroup } from "./skeleton";

const gridClass = "grid grid-cols-1 gap-4 sm:grid-cols-2 md:grid-cols-3";

/** More than any screen shows at once. */
const RENDERED_FIRST = 48;

/** Cards, in three columns from medium screens on. Of a long list, only the first are rendered at once. */
export function CardGrid({ label, children: cards }: { label: string; children: ReactNode[] }) {
  const deferred = useDeferredValue(cards, cards.slice(0, RENDERED_FIRST));
  const rendered = cards.length > RENDERED_FIRST ? deferred : cards;
  const previousCount = useRef(rendered.length);
  useEffect(() => {
    // The focused element may have been removed with its card.
    if (rendered.length < previousCount.current) focusContent();
    previousCount.current = rendered.length;
  }, [rendered.length]);
  return (
    <ul aria-label={label} className={gridClass}>
      {rendered}
    </ul>
  );
}

type CardItemProps = {
  title: string;
  /** Opens the entry; the whole card can be clicked. */
  onOpen: () => void;
  children?: ReactNode;
  actions: ReactNode;
};

/**
 * One card of the grid: its title, some lines, and its actions at the bottom. CSS containment keeps typing in
 * a dialog fast: without it, each key would lay out a thousand cards again.
 */
export function CardItem({ title, onOpen, children, actions }: CardItemProps) {
  return (
    <li className="group @container relative flex min-w-0 flex-col rounded-card border border-line bg-surface p-4 contain-content [overflow-clip-margin:1.5rem] lg:p-5">
      <h2 className="line-clamp-2 text-base [overflow-wrap:anywhere]" title={title}>
        <button
          type="button"
          onClick={onOpen}
          className="text-left outline-none after:absolute after:inset-0 after:rounded-card hover:after:bg-ink/2 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
        >
          {title}
        </button>
      </h2>
      {children}
      <div className="relative z-[1] mt-auto flex w-fit flex-wrap items-center gap-1 pt-4 @max-xs:w-full @max-xs:justify-end @max-xs:[&>button]:w-full">
        {actions}
      </div>
    </li>
  );
}

const KEYS = ["first", "second", "third", "fourth", "fifth", "sixth"];

/** The grid's shape while it loads. */
export function CardGridSkeleton({ label }: { label: string }) {
  return (
    <SkeletonGroup label={label} className={gridClass}>
      {KEYS.map((key) => (
        <div key={key} className="h-44 space-y-3 rounded-card border border-line p-4 lg:p-5">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-3 w-full" />
          <Skeleton className="h-3 w-1/2" />
        </div>
      ))}
    </SkeletonGroup>
  );
}
