import { markFormulas } from "../contract/formula-marks";

/** Cells of one line. */
type Cells = readonly (string | number)[];

/** A CSV file as bytes, with a byte order mark for spreadsheets. Its pages are read one after the other. */
export function csvFile(head: Cells, pages: AsyncIterator<readonly Cells[]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start: (file) => file.enqueue(encoder.encode(`\ufeff${csvLine(head)}`)),
    async pull(file) {
      const { done, value } = await pages.next();
      if (done) file.close();
      else file.enqueue(encoder.encode(value.map((cells) => csvLine(cells)).join("")));
    },
    async cancel() {
      await pages.return?.();
    },
  });
}

/** The headers of a download of such a file. */
export const csvHeaders = (name: string) => ({
  "content-type": "text/csv; charset=utf-8",
  "content-disposition": `attachment; filename="${name}"`,
});

/**
 * One line of a CSV file (RFC 4180), with its line break. Text that a spreadsheet would interpret as a formula is
 * marked as text.
 */
export function csvLine(values: Cells, separator: "," | ";" = ","): string {
  const cells = values.map((value) => (typeof value === "number" ? String(value) : cell(value, separator)));
  return `${cells.join(separator)}\r\n`;
}

function cell(text: string, separator: "," | ";"): string {
  const harmless = markFormulas(text, separator);
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
