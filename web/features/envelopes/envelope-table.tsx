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
import { EnvelopeRow } from "./envelope-row";
import type { Envelope } from "./envelopes.queries";
import { SortHeader } from "./sort-header";
import { useRowWindow } from "./use-row-window";

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
  /** Words the subject must contain. */
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
  const shown = useRowWindow(rows.length);
  const visible = rows.slice(shown.first, shown.last);
  return (
    <table
      ref={shown.ref}
      aria-rowcount={rows.length + 1}
      className="w-full table-fixed border-separate border-spacing-0"
    >
      <thead>
        <tr aria-rowindex={1}>
          <SortHeader column={table.getColumn("subject")} className={headClass}>
            {t("columns.subject")}
          </SortHeader>
          <th scope="col" className={`${headClass} hidden w-[22%] lg:table-cell`}>
            {t("columns.recipient")}
          </th>
          <th scope="col" className={`${headClass} hidden w-32 sm:table-cell`}>
            {t("columns.status")}
          </th>
          <SortHeader
            column={table.getColumn("created")}
            className={`${headClass} hidden w-32 sm:table-cell`}
          >
            {t("columns.created")}
          </SortHeader>
          <th scope="col" className={`${headClass} w-20`}>
            <span className="sr-only">{t("columns.actions")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        <Spacer height={shown.before} />
        {visible.map((row, place) => (
          <EnvelopeRow
            key={row.id}
            envelope={row.original}
            place={shown.first + place + 2}
            onEdit={onEdit}
            onDelete={onDelete}
          />
        ))}
        <Spacer height={shown.after} />
        {rows.length === 0 && (
          <tr>
            <td colSpan={5} className="h-32 text-center text-ink-soft">
              {t("noResults")}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** Holds the place of rows that are not drawn. */
function Spacer({ height }: { height: number }) {
  if (height === 0) return null;
  return (
    <tr aria-hidden>
      <td colSpan={5} style={{ height }} />
    </tr>
  );
}
