import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../../lib/cx";
import type { BoardProps } from "./board-grid";
import { cellIn, clientOf, type Line } from "./board-model";
import { ICONS, LOOKS } from "./cell-state";

type BoardListProps = Pick<BoardProps, "lines" | "columns" | "words" | "onOpen">;

/** The board of a narrow screen: clients with a bar of their documents, which a tap opens. */
export function BoardList({ lines, ...props }: BoardListProps) {
  const { t } = useTranslation("board");
  return (
    <ul aria-label={t("label")} className="divide-y divide-line border-line border-y">
      {lines.map((line) => (
        <Client key={line.row.id} line={line} {...props} />
      ))}
    </ul>
  );
}

function Client({ line, columns, words, onOpen }: Omit<BoardListProps, "lines"> & { line: Line }) {
  const { t } = useTranslation("board");
  const [open, setOpen] = useState(false);
  const { row, cells, total } = line;
  const client = clientOf(line, words.noRecipient);
  return (
    <li className="[contain-intrinsic-size:auto_4rem] [content-visibility:auto]">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-16 w-full items-center gap-3 px-1 py-2 text-left -outline-offset-2!"
      >
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span title={client} className="min-w-0 flex-1 truncate font-medium">
              {client}
            </span>
            <span className="shrink-0 text-ink-soft text-xs tabular-nums">
              {words.total(total).join(" · ")}
            </span>
          </span>
          <span
            aria-hidden
            className="mt-2 block h-2 rounded-full bg-sunken"
            style={{ backgroundImage: barOf(line) }}
          />
        </span>
        <ChevronRight
          aria-hidden
          className={cx("size-4 shrink-0 text-ink-soft transition-transform", open && "rotate-90")}
        />
      </button>
      {open && (
        <ul className="pb-2">
          {columns.map((column) => {
            const { state, document } = cellIn(cells, column);
            if (!document) return null;
            return (
              <li key={column.key}>
                <button
                  type="button"
                  aria-label={`${client}, ${column.name}, ${words.states[state]}`}
                  onClick={() => onOpen(row.id, document.id)}
                  className="flex min-h-11 w-full items-center gap-2 rounded-control px-1 text-left hover:bg-hover -outline-offset-2!"
                >
                  {ICONS[state]}
                  <span className="min-w-0 flex-1 break-words">{column.name}</span>{" "}
                  <span className="shrink-0 text-ink-soft text-xs">{words.states[state]}</span>
                </button>
              </li>
            );
          })}
          <li>
            <button
              type="button"
              onClick={() => onOpen(row.id)}
              className="min-h-11 rounded-control px-2 font-medium text-accent -outline-offset-2!"
            >
              {t("openEnvelope")}
            </button>
          </li>
        </ul>
      )}
    </li>
  );
}

/** A part for each document that is asked for, in its colour; one background, since a list has thousands. */
export function barOf({ cells }: Pick<Line, "cells">): string {
  const parts = [...cells.values()]
    .filter(({ state }) => state !== "notAsked")
    .map(({ state }) => LOOKS[state].color);
  const width = 100 / Math.max(1, parts.length);
  const stops = parts.map((color, index) => {
    const [from, to] = [index * width, (index + 1) * width];
    return `${color} ${from}% calc(${to}% - 1px), transparent calc(${to}% - 1px) ${to}%`;
  });
  return `linear-gradient(to right, ${stops.join(", ")})`;
}
