import { useEffect } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { cx } from "../../../lib/cx";
import { useFormat } from "../../../lib/use-format";
import { useSelectedWorkspace } from "../../workspaces/workspaces.queries";
import type { BoardProps } from "./board-grid";
import { cellIn, type Total } from "./board-model";
import { LOOKS } from "./cell-state";

const CELL = "border-current/40 border-b px-1 py-0.5";

type BoardSheetProps = Pick<BoardProps, "lines" | "columns" | "totals" | "words"> & {
  /** What is done of everything. */
  total: string;
  onPrinted: () => void;
};

/** All rows of the board on A4 landscape, while it is printed. */
export function BoardSheet({ lines, columns, totals, words, total, onPrinted }: BoardSheetProps) {
  const { t } = useTranslation("board");
  const format = useFormat();
  const workspace = useSelectedWorkspace();
  const [first] = lines;
  const isOneSubject = lines.every(({ row }) => row.subject === first?.row.subject);
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset.prints = "sheet";
    addEventListener("afterprint", onPrinted);
    print();
    return () => {
      removeEventListener("afterprint", onPrinted);
      delete dataset.prints;
    };
  }, [onPrinted]);
  return createPortal(
    <div data-print-sheet="landscape" aria-hidden className="hidden print:block">
      <table className="w-full table-fixed border-collapse text-[8pt] leading-tight">
        <thead>
          <tr>
            <th colSpan={columns.length + 1} className="p-1 pb-3 text-left">
              <span className="float-right font-normal">{format.dateTime(new Date().toISOString())}</span>
              <span className="text-[11pt]">{isOneSubject ? first?.row.subject : workspace?.name}</span>
              <span className="ml-3 font-normal">{total}</span>
            </th>
          </tr>
          <tr>
            <th className="w-[50mm] border-b p-1 text-left align-bottom">{t("client")}</th>
            {columns.map(({ key, name }, index) => (
              <th key={key} className="border-b p-1 text-center align-bottom [overflow-wrap:anywhere]">
                <span className="block">{name}</span>
                <span className="block font-normal">{words.total(totals[index] as Total).join(" · ")}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ row, cells, total }) => (
            <tr key={row.id} className="break-inside-avoid">
              <th className={cx(CELL, "text-left font-medium")}>
                {row.recipient ?? words.noRecipient}
                <span className="float-right pr-2 font-normal">{words.total(total).join(" · ")}</span>
              </th>
              {columns.map((column) => {
                const { state } = cellIn(cells, column);
                const { icon: Icon } = LOOKS[state];
                return (
                  <td key={column.key} className={CELL}>
                    <span className="flex flex-wrap items-center justify-center gap-x-1 text-[7pt]">
                      <Icon aria-hidden className="size-3" />
                      <span className="[overflow-wrap:anywhere]">{words.states[state]}</span>
                    </span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>,
    document.body,
  );
}
