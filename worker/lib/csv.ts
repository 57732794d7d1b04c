/** Spreadsheets interpret text that begins like this as a formula. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/**
 * One line of a CSV file (RFC 4180), with its line break. Text that a spreadsheet would interpret as a formula is
 * marked as text.
 */
export function csvLine(values: readonly (string | number)[]): string {
  return `${values.map((value) => (typeof value === "number" ? String(value) : cell(value))).join(",")}\r\n`;
}

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
