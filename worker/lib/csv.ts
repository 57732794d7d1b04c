/** Spreadsheets interpret text that begins like this as a formula. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/** The same behind a character that other spreadsheets read as the end of a cell; quotes do not prevent that. */
const LATER_FORMULA = /([;\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])/g;

/**
 * One line of a CSV file (RFC 4180), with its line break. Text that a spreadsheet would interpret as a formula is
 * marked as text.
 */
export function csvLine(values: readonly (string | number)[]): string {
  return `${values.map((value) => (typeof value === "number" ? String(value) : cell(value))).join(",")}\r\n`;
}

function cell(text: string): string {
  const marked = text.replace(LATER_FORMULA, "$1'");
  const harmless = FORMULA.test(text) ? `'${marked}` : marked;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
