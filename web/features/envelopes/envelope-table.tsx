import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SelectAll } from "./bulk/select-row";
import type { EnvelopeRowsProps } from "./envelope-row";
import { EnvelopeRows, type FoundElsewhere } from "./envelope-rows";
import { type Sort, type SortKey, sortState } from "./list-view";

type EnvelopeTableProps = EnvelopeRowsProps &
  FoundElsewhere & {
    /** How many of the envelopes are selected. */
    selectedCount: number;
    sort: Sort | undefined;
    onSort: (sort: Sort) => void;
  };

const headClass =
  "sticky top-14 z-10 h-10 border-line border-b bg-surface px-3 text-left font-medium text-ink-soft text-xs lg:top-0";

export const EnvelopeTable = memo(function EnvelopeTable(props: EnvelopeTableProps) {
  const { selectedCount, sort, onSort, ...rows } = props;
  const { t } = useTranslation("envelopes");
  const { envelopes, handlers } = rows;
  return (
    <table
      aria-rowcount={envelopes.length + 1}
      className="w-full table-fixed border-separate border-spacing-0"
    >
      <thead>
        <tr aria-rowindex={1}>
          <td className={`${headClass} w-9 px-0!`}>
            <SelectAll count={envelopes.length} selected={selectedCount} {...handlers} />
          </td>
          <SortHeader column="subject" sort={sort} onSort={onSort} className={`${headClass} pl-2!`}>
            {t("columns.subject")}
          </SortHeader>
          <SortHeader
            column="recipient"
            sort={sort}
            onSort={onSort}
            className={`${headClass} hidden w-[20%] xl:table-cell`}
          >
            {t("columns.recipient")}
          </SortHeader>
          <SortHeader
            column="status"
            sort={sort}
            onSort={onSort}
            className={`${headClass} hidden w-36 md:table-cell`}
          >
            {t("columns.status")}
          </SortHeader>
          <SortHeader
            column="created"
            sort={sort}
            onSort={onSort}
            className={`${headClass} hidden w-36 md:table-cell`}
          >
            {t("columns.created")}
          </SortHeader>
          <th scope="col" className={`${headClass} w-11 px-0.5! md:w-42 touch:md:w-54`}>
            <span className="sr-only">{t("columns.actions")}</span>
          </th>
        </tr>
      </thead>
      <EnvelopeRows {...rows} />
    </table>
  );
});

type SortHeaderProps = {
  column: SortKey;
  sort: Sort | undefined;
  onSort: (sort: Sort) => void;
  className: string;
  children: ReactNode;
};

/** The header of a column that sorts: ascending first, then alternating. */
function SortHeader({ column, sort, onSort, className, children }: SortHeaderProps) {
  const state = sort ? sortState(sort) : undefined;
  const ascending = state?.key === column && !state.descending;
  const descending = state?.key === column && state.descending;
  const Icon = ascending ? ArrowUp : descending ? ArrowDown : ChevronsUpDown;
  return (
    <th
      scope="col"
      aria-sort={ascending ? "ascending" : descending ? "descending" : undefined}
      className={className}
    >
      <button
        type="button"
        onClick={() => onSort(ascending ? `-${column}` : column)}
        className="-ml-2 inline-flex h-7 touch:h-[39px] items-center gap-1.5 rounded-md px-2 hover:bg-hover hover:text-ink"
      >
        {children}
        <Icon aria-hidden className="size-4" />
      </button>
    </th>
  );
}
