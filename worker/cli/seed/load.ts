import type { Database } from "../../../db/client";
import { fillListColumns } from "../../../db/queries/list-columns";
import { insertLoad, listSeededFiles } from "../../../db/queries/seed";
import { DOCUMENT_DEFAULTS } from "../../contract/documents";
import { textBytesOf } from "../../features/envelopes/envelope-fields";
import type { FileStore } from "../../ports/file-store";

/** Files written concurrently: each waits for the disk. */
const AT_A_TIME = 16;

/** Adds rows of `count` envelopes and their files; `storeLoadFiles` stores the bytes. */
export async function seedLoad(
  db: Database,
  owner: { userId: number; workspaceId: number },
  count: number,
  now: Date,
): Promise<void> {
  const [passport, address] = await Promise.all([sampleFile("Passport"), sampleFile("Proof of address")]);
  const documents = ["Passport", "Proof of address"].map((name) => ({ ...DOCUMENT_DEFAULTS, name }));
  const textBytes = textBytesOf({ subject: `Documents for file ${count}`, message: null, documents });
  await insertLoad(db, owner, { count, now, textBytes, samples: { passport, address } });
  while (await fillListColumns(db, 1000));
}

/** Stores the file of each submission with an id above `after`, which only has a row so far. */
export async function storeLoadFiles(
  { db, files }: { db: Database; files: FileStore },
  after: number,
): Promise<void> {
  for (let last = after; ; ) {
    const page = await listSeededFiles(db, last, AT_A_TIME);
    await Promise.all(page.map((row) => store(files, row)));
    const [end] = page.slice(-1);
    if (!end) return;
    last = end.id;
  }
}

async function store(files: FileStore, { key, documentName }: { key: string; documentName: string }) {
  const writer = await files.create(key);
  await writer.write((await sampleFile(documentName)).bytes);
  await writer.commit();
}

/** The text of a one-page PDF that shows `line`. ASCII only, so that its length is its size in bytes. */
export function samplePdf(line: string): string {
  const stream = `BT /F1 24 Tf 72 720 Td (${line.replace(/[^\x20-\x7e]|[()\\]/g, " ")}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, position) => {
    const offset = body.length;
    body += `${position + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  return `${body}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
}

/** The same as a file, with its SHA-256. */
export async function sampleFile(text: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; sha256: string }> {
  const bytes = new TextEncoder().encode(samplePdf(text));
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return { bytes, sha256: new Uint8Array(hash).toHex() };
}
