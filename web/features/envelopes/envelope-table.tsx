import {
  columnFilteringFeature,
  createColumnHelper,
  createFilteredRowModel,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { EnvelopeRows } from "./envelope-rows";
import type { Envelope } from "./envelopes.queries";
import { SortHeader } from "./sort-header";

const features = tableFeatures({
  columnFilteringFeature,
  rowSortingFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
});

const helper = createColumnHelper<typeof features, Envelope>();
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

const columns = helper.columns([
  helper.accessor((envelope) => envelope.subject ?? "", {
    id: "subject",
    sortFn: (one, other) => collator.compare(one.original.subject ?? "", other.original.subject ?? ""),
    filterFn: (row, _column, words: string) =>
      (row.original.subject ?? "").toLocaleLowerCase().includes(words.toLocaleLowerCase()),
  }),
  helper.accessor("createdAt", {
    id: "created",
    sortFn: (one, other) => one.original.createdAt.localeCompare(other.original.createdAt),
    enableColumnFilter: false,
  }),
]);

type EnvelopeTableProps = {
  envelopes: Envelope[];
  /** The subject must contain this text. */
  filter: string;
  onEdit: (envelope: Envelope) => void;
  onDelete: (envelope: Envelope) => void;
};

const headClass =
  "sticky top-14 z-10 h-10 border-line border-b bg-surface px-3 text-left font-medium text-ink-soft text-xs lg:top-0";

export function EnvelopeTable({ envelopes, filter, onEdit, onDelete }: EnvelopeTableProps) {
  const { t } = useTranslation("envelopes");
  const columnFilters = useMemo(() => (filter ? [{ id: "subject", value: filter }] : []), [filter]);
  const table = useTable({
    features,
    columns,
    data: envelopes,
    state: { columnFilters },
    enableSortingRemoval: false,
    sortDescFirst: false,
    getRowId: (envelope) => String(envelope.id),
  });
  const { rows } = table.getRowModel();
  const found = rows.map(({ original }) => original);
  return (
    <table aria-rowcount={rows.length + 1} className="w-full table-fixed border-separate border-spacing-0">
      <thead>
        <tr aria-rowindex={1}>
          <SortHeader column={table.getColumn("subject")} className={headClass}>
            {t("columns.subject")}
          </SortHeader>
          <th scope="col" className={`${headClass} hidden w-[22%] xl:table-cell`}>
            {t("columns.recipient")}
          </th>
          <th scope="col" className={`${headClass} hidden w-36 md:table-cell`}>
            {t("columns.status")}
          </th>
          <SortHeader
            column={table.getColumn("created")}
            className={`${headClass} hidden w-40 md:table-cell`}
          >
            {t("columns.created")}
          </SortHeader>
          <th scope="col" className={`${headClass} w-12 md:w-20`}>
            <span className="sr-only">{t("columns.actions")}</span>
          </th>
        </tr>
      </thead>
      <EnvelopeRows envelopes={found} onEdit={onEdit} onDelete={onDelete} />
    </table>
  );
}
