import { useTranslation } from "react-i18next";
import { SelectAll } from "./bulk/select-row";
import type { EnvelopeRowsProps } from "./envelope-row";
import { EnvelopeRows } from "./envelope-rows";
import type { Sort } from "./list-view";
import { SortHeader } from "./sort-header";

type EnvelopeTableProps = EnvelopeRowsProps & {
  /** How many of the envelopes are selected. */
  selectedCount: number;
  sort: Sort | undefined;
  onSort: (sort: Sort) => void;
};

const headClass =
  "sticky top-14 z-10 h-10 border-line border-b bg-surface px-3 text-left font-medium text-ink-soft text-xs lg:top-0";

export function EnvelopeTable({ selectedCount, sort, onSort, ...rows }: EnvelopeTableProps) {
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
          <th scope="col" className={`${headClass} hidden w-[20%] xl:table-cell`}>
            {t("columns.recipient")}
          </th>
          <th scope="col" className={`${headClass} hidden w-36 md:table-cell`}>
            {t("columns.status")}
          </th>
          <SortHeader
            column="created"
            sort={sort}
            onSort={onSort}
            className={`${headClass} hidden w-40 md:table-cell`}
          >
            {t("columns.created")}
          </SortHeader>
          <th scope="col" className={`${headClass} w-9 px-0.5! md:w-26`}>
            <span className="sr-only">{t("columns.actions")}</span>
          </th>
        </tr>
      </thead>
      <EnvelopeRows {...rows} />
    </table>
  );
}
