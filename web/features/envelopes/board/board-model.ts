import { documentKey } from "../../../../worker/contract/document-names";
import type { BoardRow, EnvelopeRow } from "../../../../worker/contract/envelopes";
import { isUnsent } from "../../../../worker/contract/options";

export type BoardDocument = BoardRow["documents"][number];

/** What a cell shows. */
export type CellState =
  | "missing"
  | "arriving"
  | "toReview"
  | "accepted"
  | "returned"
  | "skipped"
  | "notAsked"
  | "deleted";

/** What an envelope asks for under a column's name. */
export type Cell = { state: CellState; document?: BoardDocument };

/** The documents across. */
export const COLUMNS_MAX = 40;

export type Column = { key: string; name: string };

/** The names of the documents, in the order of the first envelope. Those of the others follow. */
export function columnsOf(rows: readonly BoardRow[]): Column[] {
  const names = new Map<string, string>();
  for (const { documents } of rows)
    for (const { name } of documents) {
      const key = documentKey(name);
      if (!names.has(key)) names.set(key, name);
    }
  return [...names].map(([key, name]) => ({ key, name }));
}

const NOT_ASKED: Cell = { state: "notAsked" };

/** The cells of an envelope by the keys of their columns. */
function cellsOf(row: BoardRow): ReadonlyMap<string, Cell> {
  return new Map(
    row.documents.map((document) => [
      documentKey(document.name),
      { state: stateOf(row, document), document },
    ]),
  );
}

export const cellIn = (cells: ReadonlyMap<string, Cell>, { key }: Column): Cell =>
  cells.get(key) ?? NOT_ASKED;

function stateOf({ status }: BoardRow, { state, toReview }: BoardDocument): CellState {
  if (toReview || state === "received") return "toReview";
  if (state === "hidden") return "notAsked";
  if (state !== "open") return state;
  if (isUnsent(status)) return "notAsked";
  // An optional document, which the recipient has left out.
  return status === "completed" ? "skipped" : "missing";
}

const OPEN: readonly CellState[] = ["missing", "arriving", "returned"];
export const isOwed = (state: CellState) => OPEN.includes(state);

export type Total = { done: number; asked: number; toReview: number };

/** How many of these are there, of those that were asked for. */
export function totalOf(cells: Iterable<Cell>): Total {
  const total = { done: 0, asked: 0, toReview: 0 };
  for (const { state } of cells) {
    if (state === "notAsked") continue;
    total.asked += 1;
    if (!isOwed(state)) total.done += 1;
    if (state === "toReview") total.toReview += 1;
  }
  return total;
}

export type Line = {
  row: BoardRow;
  cells: ReadonlyMap<string, Cell>;
  total: Total;
  /** The subject, of a client with several envelopes: their names would be the same. */
  subject: string | null;
};

/** What tells the client of a line from the others. */
export const clientOf = ({ row, subject }: Line, noRecipient: string): string =>
  [row.recipient ?? noRecipient, subject].filter(Boolean).join(", ");

/** The envelope as the table has it. */
export const asRow = ({ row }: Pick<Line, "row">): EnvelopeRow => ({
  ...row,
  documents: row.documents.filter(({ state }) => state !== "hidden").length,
});

export function linesOf(rows: readonly BoardRow[]): Line[] {
  const envelopes = new Map<BoardRow["recipient"], number>();
  for (const { recipient } of rows) envelopes.set(recipient, (envelopes.get(recipient) ?? 0) + 1);
  return rows.map((row) => {
    const cells = cellsOf(row);
    const subject = envelopes.get(row.recipient) === 1 ? null : row.subject;
    return { row, cells, total: totalOf(cells.values()), subject };
  });
}
