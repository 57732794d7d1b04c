import { samplePdf } from "../../../worker/cli/seed/load";
import { EICAR } from "../servers/clamd-server";

/** Small valid files of each type, created for each test. */

const text = new TextEncoder();

/** A one-page PDF that shows `content`. */
export function pdfFile(name = "contract.pdf", content = "Hello"): File {
  return new File([samplePdf(content)], name, { type: "application/pdf" });
}

/** A Word document with one paragraph: a ZIP with stored entries. */
export function docxFile(name = "letter.docx", content = "Hello"): File {
  const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  const parts = {
    "[Content_Types].xml": `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `<?xml version="1.0"?><w:document xmlns:w="${word}"><w:body><w:p><w:r><w:t>${content}</w:t></w:r></w:p></w:body></w:document>`,
  };
  const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  return new File(zip(parts), name, { type });
}

/** A grey JPEG of one pixel. */
export function jpegFile(name = "photo.jpg"): File {
  const base64 =
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z";
  return new File([Uint8Array.fromBase64(base64)], name, { type: "image/jpeg" });
}

/** A PNG of one transparent pixel. */
export function pngFile(name = "picture.png"): File {
  const base64 =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
  return new File([Uint8Array.fromBase64(base64)], name, { type: "image/png" });
}

/** A PNG whose header declares this size. */
export async function pngOfSize(width: number, height: number): Promise<File> {
  const bytes = await pngFile().bytes();
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return new File([bytes], "large.png");
}

/** `bytes` of PDF: the page above, followed by bytes that every reader ignores. */
export function largePdfFile(bytes: number, name = "large.pdf"): File {
  const page = pdfFile();
  return new File([page, new Uint8Array(bytes - page.size)], name, { type: "application/pdf" });
}

/** A PDF with the text that every scanner reports as a virus. */
export function infectedFile(name = "infected.pdf"): File {
  return new File([pdfFile(), EICAR], name, { type: "application/pdf" });
}

export async function sha256(data: Blob | Uint8Array): Promise<string> {
  const bytes = data instanceof Blob ? await data.arrayBuffer() : Uint8Array.from(data).buffer;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** A ZIP archive of these texts, without compression. */
export function zip(parts: Record<string, string>): Uint8Array<ArrayBuffer>[] {
  const local: Uint8Array<ArrayBuffer>[] = [];
  const central: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(parts)) {
    const name = text.encode(path);
    const data = text.encode(content);
    const shared = [
      20,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0x21,
      0x5a,
      ...u32(Bun.hash.crc32(data)),
      ...u32(data.length),
      ...u32(data.length),
    ];
    const header = Uint8Array.from([0x50, 0x4b, 3, 4, ...shared, ...u16(name.length), 0, 0, ...name]);
    local.push(header, Uint8Array.from(data));
    const rest = [...u16(name.length), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...u32(offset), ...name];
    central.push(Uint8Array.from([0x50, 0x4b, 1, 2, 20, 0, ...shared, ...rest]));
    offset += header.length + data.length;
  }
  const directory = central.reduce((sum, entry) => sum + entry.length, 0);
  const count = u16(central.length);
  const end = [0x50, 0x4b, 5, 6, 0, 0, 0, 0, ...count, ...count, ...u32(directory), ...u32(offset), 0, 0];
  return [...local, ...central, Uint8Array.from(end)];
}

const u16 = (value: number) => [value & 0xff, (value >> 8) & 0xff];
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)];
