import { lazy, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { Skeleton } from "../../components/ui/query-placeholder";
import type { BulkSend } from "./bulk-sends.queries";
import { useGroupText } from "./group-text";

const SelectedGroup = lazy(() => import("./selected-group"));

/** How many are shown at first. */
const SHOWN = 3;

type GroupStripProps = {
  /** Undefined while they are loading. */
  groups: readonly BulkSend[] | undefined;
  selected: number | undefined;
  onSelect: (id: number | undefined) => void;
  /** Shows the board of the selected one; undefined if it is shown. */
  onBoard: (() => void) | undefined;
  /** Undefined for who may not send. */
  onRetry: ((id: number) => void) | undefined;
};

/** The requests that were sent to several recipients at once: how far each is, and a filter for its envelopes. */
export function GroupStrip({ groups, selected, onSelect, onBoard, onRetry }: GroupStripProps) {
  const { t } = useTranslation("envelopes");
  const textOf = useGroupText();
  const [showsAll, setShowsAll] = useState(false);
  const strip = useRef<HTMLDivElement>(null);
  const select = (id: number | undefined) => {
    onSelect(id);
    // The pressed button is then removed.
    strip.current?.focus({ preventScroll: true });
  };
  const others = selected === undefined ? (groups ?? []) : [];
  const hidden = showsAll ? 0 : Math.max(0, others.length - SHOWN);
  return (
    <div ref={strip} tabIndex={-1}>
      {selected !== undefined && (
        <Suspense fallback={<Skeleton className="mb-4 h-18 rounded-card" />}>
          <SelectedGroup
            key={selected}
            id={selected}
            known={groups?.find(({ id }) => id === selected)}
            onEnd={() => select(undefined)}
            onBoard={onBoard}
            onRetry={onRetry && (() => onRetry(selected))}
          />
        </Suspense>
      )}
      {others.length > 0 && (
        <ul aria-label={t("groups.label")} className="strip mb-2 gap-2 py-1">
          {others.slice(0, others.length - hidden).map((group, index) => (
            <li key={group.id} className="max-w-4/5 sm:max-w-md">
              <Button
                autoFocus={showsAll && index === SHOWN}
                size="sm"
                className="h-auto! min-h-8 w-full whitespace-normal! py-1"
                title={textOf(group)}
                onClick={() => select(group.id)}
              >
                <span className="line-clamp-2 break-words">{textOf(group)}</span>
              </Button>
            </li>
          ))}
          {hidden > 0 && (
            <li>
              <Button size="sm" onClick={() => setShowsAll(true)}>
                {t("timeline.more", { count: hidden })}
              </Button>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
