import { markFormulas } from "./formula-marks";

/** A decimal number is written as it is, however many digits it has. */
export type CsvCell = string | number | { decimal: string };
/** Cells of one line. */
export type CsvCells = readonly CsvCell[];

/**
 * One line of a CSV file (RFC 4180), with its line break. Text that a spreadsheet would interpret as a formula is
 * marked as text.
 */
export function csvLine(values: CsvCells, separator: "," | ";" = ","): string {
  const cells = values.map((value) => {
    if (typeof value === "object") return value.decimal;
    return typeof value === "number" ? String(value) : cell(value, separator);
  });
  return `${cells.join(separator)}\r\n`;
}

function cell(text: string, separator: "," | ";"): string {
  const harmless = markFormulas(text, separator);
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
