import { useEffect } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import type { BoardProps } from "./board-grid";
import { cellIn, type Total } from "./board-model";
import { LOOKS } from "./cell-state";

type BoardSheetProps = Pick<BoardProps, "lines" | "columns" | "totals" | "words"> & { onPrinted: () => void };

/** All rows of the board on A4 landscape, while it is printed. */
export function BoardSheet({ lines, columns, totals, words, onPrinted }: BoardSheetProps) {
  const { t } = useTranslation("board");
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
      <table className="w-full table-fixed border-collapse text-[7pt]">
        <thead>
          <tr>
            <th className="w-[45mm] border-b p-1 text-left">{t("client")}</th>
            {columns.map(({ key, name }, index) => (
              <th key={key} className="border-b p-0.5 text-center align-bottom [overflow-wrap:anywhere]">
                <span className="block">{name}</span>
                <span className="block font-normal">{words.total(totals[index] as Total).join(" · ")}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ row, cells, total }) => (
            <tr key={row.id} className="break-inside-avoid">
              <th className="border-b p-1 text-left font-medium">
                <span className="block">{row.recipient ?? words.noRecipient}</span>
                <span className="block font-normal">{words.total(total).join(" · ")}</span>
              </th>
              {columns.map((column) => {
                const { state } = cellIn(cells, column);
                const { icon: Icon } = LOOKS[state];
                return (
                  <td key={column.key} className="border-b p-0.5 text-center text-[5pt]">
                    <Icon aria-hidden className="mx-auto size-3.5" />
                    <span className="[overflow-wrap:anywhere]">{words.states[state]}</span>
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
