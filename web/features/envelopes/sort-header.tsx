import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";

type SortableColumn = {
  getIsSorted: () => false | "asc" | "desc";
  toggleSorting: () => void;
};

type SortHeaderProps = { column: SortableColumn | undefined; className: string; children: ReactNode };

const ORDERS = { asc: "ascending", desc: "descending" } as const;
const ICONS = { asc: ArrowUp, desc: ArrowDown };

export function SortHeader({ column, className, children }: SortHeaderProps) {
  const sorted = column?.getIsSorted() || undefined;
  const Icon = sorted ? ICONS[sorted] : ChevronsUpDown;
  return (
    <th scope="col" aria-sort={sorted && ORDERS[sorted]} className={className}>
      <button
        type="button"
        onClick={() => column?.toggleSorting()}
        className="-ml-2 inline-flex h-7 items-center gap-1.5 rounded-md px-2 hover:bg-hover hover:text-ink"
      >
        {children}
        <Icon aria-hidden className="size-3.5" />
      </button>
    </th>
  );
}
