import type { ParseResult } from "papaparse";
import { unmarkFormulas } from "../../worker/contract/formula-marks";
import type { Language } from "../../worker/contract/options";
import { isEmailAddress, normalizeAddress } from "../../worker/contract/patterns";
import { decodeList, type ListEncoding } from "./list-encoding";

/** What is wrong with a file as a whole. */
export type CsvProblem = "empty" | "notText" | "tooLarge" | "noTable";

export type CsvTable = {
  header: string[];
  rows: string[][];
  /** How many cells contain a formula, which is read as text. */
  formulas: number;
  /** The encoding that was chosen or guessed; null if the file is in Unicode. */
  encoding: ListEncoding | null;
};

const MAX_BYTES = 5 * 1024 * 1024;
/** A longer cell is not from a list of people. */
const MAX_CELL = 20_000;
const DELIMITERS = [",", ";", "\t"] as const;
/** How far down the header may be: a bank writes some lines above it. */
const HEADER_ROWS = 12;
const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** A phone number and a negative number are none, though a spreadsheet computes with them. */
const FORMULA = /^(?:[=@]|[+-](?=\S)(?![\d\s().,/-]*$))/;

/**
 * Reads a list as spreadsheets save it, in any of their encodings and with any of their separators.
 * @param isKnown whether a cell names a column
 * @param language of the reader
 * @param chosen the encoding, if the reader has chosen one
 */
export async function readCsv(
  file: Blob,
  isKnown: (cell: string) => boolean,
  language: Language,
  chosen?: ListEncoding,
): Promise<CsvTable | { problem: CsvProblem }> {
  if (file.size === 0) return { problem: "empty" };
  if (file.size > MAX_BYTES) return { problem: "tooLarge" };
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (ZIP.every((byte, index) => bytes[index] === byte)) return { problem: "notText" };
  const { text, encoding } = decodeList(bytes, language, isKnown, chosen);
  if (text.includes("\0")) return { problem: "notText" };
  if (text.trim() === "") return { problem: "empty" };
  const { default: papa } = await import("papaparse");
  const parse = (delimiter: string, preview: number, from = text): ParseResult<string[]> =>
    papa.parse<string[]>(from, { delimiter, preview, skipEmptyLines: "greedy" });
  const candidates = DELIMITERS.map((delimiter) => {
    const { data } = parse(delimiter, HEADER_ROWS);
    return { delimiter, ...findHeader(data, isKnown) };
  });
  const best = candidates.reduce((one, other) => (other.score > one.score ? other : one));
  const whole = parse(best.delimiter, 0);
  const { data } = whole.errors.some(({ type }) => type === "Quotes")
    ? parse(best.delimiter, 0, quoteStrayQuotes(text, best.delimiter))
    : whole;
  const header = data[best.index] ?? [];
  // Without a line of names, the first one is somebody: its cells stand for the columns' names, but it stays in the list.
  const isSomebody = best.known === 0 && header.some((cell) => isEmailAddress(normalizeAddress(cell)));
  const rows = data.slice(isSomebody ? best.index : best.index + 1);
  if (
    header.some((cell) => cell.length > MAX_CELL) ||
    rows.some((row) => row.some((cell) => cell.length > MAX_CELL))
  )
    return { problem: "noTable" };
  if (rows.length === 0) return { problem: "empty" };
  const formulas = rows.reduce((count, row) => count + row.filter((cell) => FORMULA.test(cell)).length, 0);
  // A spreadsheet may save thousands of columns that nobody has written in.
  const lines = data.slice(best.index);
  const used = [...header.keys()].filter((index) => lines.some((line) => (line[index] ?? "").trim() !== ""));
  return {
    header: used.map((index) => (header[index] ?? "").trim()),
    rows: rows.map((row) => used.map((index) => unmarkFormulas((row[index] ?? "").trim()))),
    formulas,
    encoding,
  };
}

/** The row that names most columns, or else the first one. Of separators, the one that makes more columns is better. */
function findHeader(rows: readonly string[][], isKnown: (cell: string) => boolean) {
  const known = rows.map((row) => row.filter((cell) => isKnown(cell.trim())).length);
  const most = Math.max(0, ...known);
  const index = most > 0 ? known.indexOf(most) : 0;
  return { index, known: most, score: most * 1000 + (rows[index]?.length ?? 0) };
}

/**
 * The text with every quote that neither begins nor ends a cell doubled within quotes, so that it is read as typed and
 * takes no further lines into its cell.
 */
function quoteStrayQuotes(text: string, delimiter: string): string {
  const mended: string[] = [];
  for (let at = 0; at < text.length; ) {
    const cell = text[at] === '"' ? endOfQuoted(text, at) : undefined;
    const isWhole = cell !== undefined && isCellEnd(text, cell, delimiter);
    const end = isWhole ? cell : endOfCell(text, at, delimiter);
    const raw = text.slice(at, end);
    mended.push(isWhole || !raw.startsWith('"') ? raw : `"${raw.replaceAll('"', '""')}"`, text[end] ?? "");
    at = end + 1;
  }
  return mended.join("");
}

/** The index after the quote that ends the quoted text; undefined if none does. */
function endOfQuoted(text: string, start: number): number | undefined {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at + 1;
  return undefined;
}

const isCellEnd = (text: string, at: number, delimiter: string) =>
  at >= text.length || text[at] === delimiter || text[at] === "\n" || text[at] === "\r";

function endOfCell(text: string, start: number, delimiter: string): number {
  let at = start;
  while (!isCellEnd(text, at, delimiter)) at += 1;
  return at;
}
