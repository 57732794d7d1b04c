import { useElementScrollRestoration } from "@tanstack/react-router";
import { type MouseEvent, type ReactNode, useDeferredValue, useRef } from "react";
import { cx } from "../../lib/cx";
import { useFocusAfterRemoval } from "../../lib/focus";
import { matchesMedia } from "../../lib/use-media-query";
import { Skeleton, SkeletonGroup } from "./query-placeholder";
import { useOnNear } from "./when-near";

const rowsClass = "divide-y divide-line border-line border-y";
const gridClass = "grid grid-cols-1 gap-4 sm:grid-cols-2 md:grid-cols-3";

/** How far below the screen the next cards are loaded. */
const READ_AHEAD = "1500px";

/** A longer list is rendered again in short tasks. */
const LONG_LIST = 48;

/** As many as the screen shows. */
const renderedFirst = (rows: boolean): number =>
  rows
    ? Math.ceil(screen.height / 48)
    : Math.ceil(screen.height / 176) * (matchesMedia("(min-width: 48rem)") ? 3 : 1);

type CardGridProps = {
  label: string;
  /** Rows below each other instead of cards. */
  rows?: boolean;
  /** Loads more cards; undefined if there are none, or while it cannot. */
  onMore?: (() => void) | undefined;
  children: ReactNode[];
};

/** Cards, in three columns from medium screens on. Those below the screen are rendered after those on it are painted. */
export function CardGrid({ label, rows = false, onMore, children: cards }: CardGridProps) {
  // Who comes back to where the page was scrolled to gets all at once: the router scrolls after the first render.
  const isScrolled = (useElementScrollRestoration({ getElement: () => window })?.scrollY ?? 0) > 0;
  const isPainted = useDeferredValue(true, isScrolled);
  const deferred = useDeferredValue(cards);
  const all = cards.length > LONG_LIST ? deferred : cards;
  const rendered = isPainted ? all : cards.slice(0, renderedFirst(rows));
  useFocusAfterRemoval(rendered.length);
  const end = useRef<HTMLDivElement>(null);
  // Not while the end moves down with cards that are loaded.
  useOnNear(end, READ_AHEAD, rendered.length === cards.length ? onMore : undefined);
  return (
    <>
      <ul aria-label={label} className={rows ? rowsClass : gridClass}>
        {rendered}
      </ul>
      <div ref={end} />
    </>
  );
}

/** Longer than a new entry takes to show after it was created. */
const NEW_MS = 3000;

/** Moves an entry into the list that has just been created, but none that the page or a filter shows. */
export const insertedClass = (createdAt: string, now = Date.now()): string | false =>
  Math.abs(now - Date.parse(createdAt)) < NEW_MS && "rise";

type CardItemProps = {
  title: string;
  createdAt: string;
  /** Opens the entry; the whole card can be clicked. False if it cannot be opened. */
  onOpen: false | (() => void);
  /** The page of the entry, if it has one of its own. */
  href?: string;
  children?: ReactNode;
  /** Before the title, such as a box that selects the entry. */
  box?: ReactNode;
  actions: ReactNode;
};

/**
 * One card of the grid: its title, some lines, and its actions at the bottom. CSS containment keeps typing in
 * a dialog fast: without it, each key would lay out a thousand cards again.
 */
export function CardItem({ title, createdAt, onOpen, href, children, box, actions }: CardItemProps) {
  return (
    <li
      className={cx(
        "group @container relative flex min-w-0 flex-col rounded-card border border-line bg-surface p-4 contain-content [overflow-clip-margin:1.5rem] lg:p-5",
        insertedClass(createdAt),
      )}
    >
      <div className="flex items-start gap-3">
        <h2 className="line-clamp-2 min-w-0 flex-1 text-base [overflow-wrap:anywhere]" title={title}>
          {onOpen ? <CardOpener title={title} onOpen={onOpen} href={href} /> : title}
        </h2>
        {box}
      </div>
      {children}
      <div className="relative z-[1] mt-auto flex empty:hidden w-fit flex-wrap items-center gap-1 pt-4 @max-2xs:w-full @max-2xs:justify-end @max-2xs:[&>button]:grow">
        {actions}
      </div>
    </li>
  );
}

type CardOpenerProps = { title: string; onOpen: () => void; href: string | undefined };

/** The entry's title, which can be clicked in the whole element around it. */
export function CardOpener({ title, onOpen, href }: CardOpenerProps) {
  const className =
    "text-left outline-none after:absolute after:inset-0 after:rounded-card hover:after:bg-ink/2 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2";
  if (href === undefined)
    return (
      <button type="button" onClick={onOpen} className={className}>
        {title}
      </button>
    );
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <a href={href} onClick={open} className={className}>
      {title}
    </a>
  );
}

const KEYS = ["first", "second", "third", "fourth", "fifth", "sixth"];

/** The grid's shape while it loads. */
export function CardGridSkeleton({ label, rows = false }: { label: string; rows?: boolean }) {
  if (rows)
    return (
      <SkeletonGroup label={label} className={rowsClass}>
        {KEYS.map((key) => (
          <div key={key} className="flex h-12 items-center px-3">
            <Skeleton className="h-4 w-2/3" />
          </div>
        ))}
      </SkeletonGroup>
    );
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
