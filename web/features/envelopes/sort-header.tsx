import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import type { Sort } from "./list-view";

type SortHeaderProps = {
  column: "subject" | "created";
  sort: Sort | undefined;
  onSort: (sort: Sort) => void;
  className: string;
  children: ReactNode;
};

/** The header of a column that sorts: ascending first, then alternating. */
export function SortHeader({ column, sort, onSort, className, children }: SortHeaderProps) {
  const ascending = sort === column;
  const descending = sort === `-${column}`;
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
        className="-ml-2 inline-flex h-7 items-center gap-1.5 rounded-md px-2 hover:bg-hover hover:text-ink"
      >
        {children}
        <Icon aria-hidden className="size-3.5" />
      </button>
    </th>
  );
}
