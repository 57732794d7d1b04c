/** A PDF that is made for a test. */
type PdfOptions = {
  pages: number;
  /** Of the picture on each page; without it a page has its number alone. */
  bytesPerPage?: number;
  /** Run by programs that execute the scripts of a PDF. */
  script?: string;
};

const SIDE_BYTES = 3;

/** A PDF whose pages show their number, each beside a picture of random dots if wanted. */
export function pdfOfPages(name: string, { pages, bytesPerPage = 0, script }: PdfOptions): File {
  const parts: (string | Uint8Array<ArrayBuffer>)[] = [];
  const offsets: number[] = [];
  let length = 0;
  const write = (part: string | Uint8Array<ArrayBuffer>) => {
    parts.push(part);
    length += part.length;
  };
  const object = (number: number, ...body: (string | Uint8Array<ArrayBuffer>)[]) => {
    offsets[number] = length;
    write(`${number} 0 obj\n`);
    body.forEach(write);
    write("\nendobj\n");
  };
  const stream = (dictionary: string, data: string | Uint8Array<ArrayBuffer>) =>
    [`<< ${dictionary} /Length ${data.length} >>\nstream\n`, data, "\nendstream"] as const;

  const side = Math.floor(Math.sqrt(bytesPerPage / SIDE_BYTES));
  const pictures = side > 0;
  const numberOf = (page: number) => 5 + page * 3;
  write("%PDF-1.5\n");
  const opening = script ? "/OpenAction 4 0 R /AA << /WC 4 0 R >>" : "";
  object(1, `<< /Type /Catalog /Pages 2 0 R ${opening} >>`);
  const kids = Array.from({ length: pages }, (_, page) => `${numberOf(page)} 0 R`).join(" ");
  object(2, `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`);
  object(3, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  object(4, script ? `<< /S /JavaScript /JS (${script.replace(/[()\\]/g, "\\$&")}) >>` : "null");
  for (let page = 0; page < pages; page += 1) {
    const first = numberOf(page);
    const image = pictures ? `/XObject << /I ${first + 2} 0 R >>` : "";
    const actions = script ? "/AA << /O 4 0 R >>" : "";
    object(
      first,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${actions} /Contents ${first + 1} 0 R /Resources << /Font << /F 3 0 R >> ${image} >> >>`,
    );
    const draw = pictures ? "q 400 0 0 400 90 200 cm /I Do Q " : "";
    object(first + 1, ...stream("", `${draw}BT /F 96 Tf 90 680 Td (${page + 1}) Tj ET`));
    object(
      first + 2,
      ...(pictures
        ? stream(
            `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8`,
            dots(side * side * SIDE_BYTES, page),
          )
        : ["null"]),
    );
  }
  const size = numberOf(pages);
  const table = offsets.slice(1).map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const start = length;
  write(`xref\n0 ${size}\n0000000000 65535 f \n${table.join("")}`);
  write(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`);
  return new File(parts, name, { type: "application/pdf" });
}

/** The same dots for the same seed. */
function dots(length: number, seed: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = seed + 1;
  for (let index = 0; index < length; index += 1) {
    state = (state * 1_103_515_245 + 12_345) & 0x7f_ff_ff_ff;
    bytes[index] = state >> 16;
  }
  return bytes;
}
