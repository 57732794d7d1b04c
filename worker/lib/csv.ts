import { type CsvCells, csvLine } from "../contract/csv-line";

/** A CSV file as bytes, with a byte order mark for spreadsheets. Its pages are read one after the other. */
export function csvFile(
  head: CsvCells,
  pages: AsyncIterator<readonly CsvCells[]>,
): ReadableStream<Uint8Array> {
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
