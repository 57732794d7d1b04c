export type Bytes = Uint8Array<ArrayBuffer>;
type Part = string | Bytes;
/** The body of an object, in pieces. */
export type PdfObject = Part[];

/** A stream, as the body of an object. */
export const stream = (dictionary: string, data: Part): PdfObject => [
  `<< ${dictionary} /Length ${data.length} >>\nstream\n`,
  data,
  "\nendstream",
];

/** A PDF of these objects, numbered from 1; the first is its catalog. */
export function pdfOfObjects(name: string, objects: readonly PdfObject[], trailer = ""): File {
  const parts: Part[] = [];
  const offsets: number[] = [];
  let length = 0;
  const write = (part: Part) => {
    parts.push(part);
    length += part.length;
  };
  write("%PDF-1.5\n");
  for (const [index, body] of objects.entries()) {
    offsets.push(length);
    write(`${index + 1} 0 obj\n`);
    body.forEach(write);
    write("\nendobj\n");
  }
  const start = length;
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const size = objects.length + 1;
  write(`xref\n0 ${size}\n0000000000 65535 f \n${table.join("")}`);
  write(`trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`);
  return new File(parts, name, { type: "application/pdf" });
}

/** The objects that pages share: the catalog, the list of pages, and a font. */
export const catalogOf = (pages: readonly number[], more = ""): PdfObject[] => [
  [`<< /Type /Catalog /Pages 2 0 R ${more} >>`],
  [`<< /Type /Pages /Kids [${pages.map((page) => `${page} 0 R`).join(" ")}] /Count ${pages.length} >>`],
  ["<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"],
];

/** A page of A4, in points. */
export const pageOf = (contents: number, more = "", image = ""): PdfObject => [
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${more} /Contents ${contents} 0 R /Resources << /Font << /F 3 0 R >> ${image} >> >>`,
];

/** Options of a generated PDF. */
type PdfOptions = {
  pages: number;
  /** The size of the picture on each page. Without it, a page shows only its number. */
  bytesPerPage?: number;
  /** A script for viewers that execute scripts in PDFs. */
  script?: string;
};

const SIDE_BYTES = 3;

/** A PDF whose pages show their number, each with a picture of random dots if `bytesPerPage` is set. */
export function pdfOfPages(name: string, { pages, bytesPerPage = 0, script }: PdfOptions): File {
  const side = Math.floor(Math.sqrt(bytesPerPage / SIDE_BYTES));
  const pictures = side > 0;
  const numberOf = (page: number) => 5 + page * 3;
  const opening = script ? "/OpenAction 4 0 R /AA << /WC 4 0 R >>" : "";
  const indexes = Array.from({ length: pages }, (_, page) => page);
  const objects = catalogOf(indexes.map(numberOf), opening);
  objects.push([script ? `<< /S /JavaScript /JS (${script.replace(/[()\\]/g, "\\$&")}) >>` : "null"]);
  for (const page of indexes) {
    const first = numberOf(page);
    const image = pictures ? `/XObject << /I ${first + 2} 0 R >>` : "";
    const draw = pictures ? "q 400 0 0 400 90 200 cm /I Do Q " : "";
    objects.push(
      pageOf(first + 1, script ? "/AA << /O 4 0 R >>" : "", image),
      stream("", `${draw}BT /F 96 Tf 90 680 Td (${page + 1}) Tj ET`),
      pictures
        ? stream(
            `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8`,
            dots(side * side * SIDE_BYTES, page),
          )
        : ["null"],
    );
  }
  return pdfOfObjects(name, objects);
}

/** The same dots for the same seed. */
function dots(length: number, seed: number): Bytes {
  const bytes = new Uint8Array(length);
  let state = seed + 1;
  for (let index = 0; index < length; index += 1) {
    state = (state * 1_103_515_245 + 12_345) & 0x7f_ff_ff_ff;
    bytes[index] = state >> 16;
  }
  return bytes;
}
