import { type KeyboardEvent, memo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../lib/use-format";
import { type Counts, TABS, type Tab } from "./list-view";

type EnvelopeTabsProps = {
  /** The id of the element that holds the list. */
  panel: string;
  selected: Tab;
  counts: Counts;
  onSelect: (tab: Tab) => void;
};

export const tabId = (panel: string, tab: Tab) => `${panel}-${tab}`;

/** The arrow keys move the focus; Enter selects, so that not every key press becomes a history entry. */
export const EnvelopeTabs = memo(function EnvelopeTabs(props: EnvelopeTabsProps) {
  const { panel, selected, counts, onSelect } = props;
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent, index: number) => {
    const last = TABS.length - 1;
    const to = {
      ArrowLeft: index === 0 ? last : index - 1,
      ArrowRight: index === last ? 0 : index + 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll("button")[to]?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={t("tabs.label")}
      className="mb-4 flex flex-wrap gap-x-1 gap-y-0.5 border-line border-b pb-2"
    >
      {TABS.map((tab, index) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={tabId(panel, tab)}
          aria-selected={tab === selected}
          aria-controls={panel}
          tabIndex={tab === selected ? 0 : -1}
          onClick={() => onSelect(tab)}
          onKeyDown={(event) => move(event, index)}
          className="inline-flex h-8 touch:h-10 items-center gap-1.5 rounded-control px-2.5 font-medium text-ink-soft transition-colors duration-150 hover:bg-hover hover:text-ink aria-selected:bg-accent-soft aria-selected:text-accent"
        >
          {t(`tabs.${tab}`)}
          <span className="text-xs tabular-nums">{format.number(counts[tab])}</span>
        </button>
      ))}
    </div>
  );
});
