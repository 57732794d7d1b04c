import type { ParseResult } from "papaparse";

/** What is wrong with a file as a whole. */
export type CsvProblem = "empty" | "notText" | "tooLarge" | "noTable";

export type CsvTable = {
  header: string[];
  rows: string[][];
  /** How many cells contain a formula, which is read as text. */
  formulas: number;
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
/** The mark that exports put before text that a spreadsheet would take for a formula. */
const MARKED = /^'(?=[=+\-@])/;

/**
 * Reads a list as spreadsheets save it, in any of their encodings and with any of their separators.
 * @param isKnown whether a cell names a column
 */
export async function readCsv(
  file: Blob,
  isKnown: (cell: string) => boolean,
): Promise<CsvTable | { problem: CsvProblem }> {
  if (file.size === 0) return { problem: "empty" };
  if (file.size > MAX_BYTES) return { problem: "tooLarge" };
  const text = decode(new Uint8Array(await file.arrayBuffer()));
  if (text === null) return { problem: "notText" };
  if (text.trim() === "") return { problem: "empty" };
  const { default: papa } = await import("papaparse");
  const parse = (delimiter: string, preview: number): ParseResult<string[]> =>
    papa.parse<string[]>(text, { delimiter, preview, skipEmptyLines: "greedy" });
  const candidates = DELIMITERS.map((delimiter) => {
    const { data } = parse(delimiter, HEADER_ROWS);
    return { delimiter, ...findHeader(data, isKnown) };
  });
  const best = candidates.reduce((one, other) => (other.score > one.score ? other : one));
  const { data } = parse(best.delimiter, 0);
  const header = data[best.index] ?? [];
  const rows = data.slice(best.index + 1);
  if (
    header.some((cell) => cell.length > MAX_CELL) ||
    rows.some((row) => row.some((cell) => cell.length > MAX_CELL))
  )
    return { problem: "noTable" };
  if (rows.length === 0) return { problem: "empty" };
  const formulas = rows.reduce((count, row) => count + row.filter((cell) => FORMULA.test(cell)).length, 0);
  return {
    header: header.map((cell) => cell.trim()),
    rows: rows.map((row) => header.map((_, index) => (row[index] ?? "").trim().replace(MARKED, ""))),
    formulas,
  };
}

/** The row that names most columns, or else the first one. Of separators, the one that makes more columns is better. */
function findHeader(rows: readonly string[][], isKnown: (cell: string) => boolean) {
  const known = rows.map((row) => row.filter((cell) => isKnown(cell.trim())).length);
  const most = Math.max(0, ...known);
  const index = most > 0 ? known.indexOf(most) : 0;
  return { index, score: most * 1000 + (rows[index]?.length ?? 0) };
}

/** The text of the bytes; null if they are none. */
function decode(bytes: Uint8Array): string | null {
  if (ZIP.every((byte, index) => bytes[index] === byte)) return null;
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  return text.includes("\0") ? null : text;
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}
