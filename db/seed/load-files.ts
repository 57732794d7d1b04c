import { asc, count, gt, max } from "drizzle-orm";
import type { FileStore } from "../../worker/ports/file-store";
import type { Database } from "../client";
import { envelopes, submissions } from "../schema";
import { samplePdf } from "./sample-pdf";

/** Files written concurrently: each waits for the disk. */
const AT_A_TIME = 16;

/**
 * Stores the file of each submission with an id above `after`, which only has a row so far. @returns the number of
 * files
 */
export async function storeLoadFiles(
  { db, files }: { db: Database; files: FileStore },
  after: number,
): Promise<number> {
  let stored = 0;
  for (let last = after; ; ) {
    const page = await db
      .select({ id: submissions.id, key: submissions.filePath, documentName: submissions.documentName })
      .from(submissions)
      .where(gt(submissions.id, last))
      .orderBy(asc(submissions.id))
      .limit(AT_A_TIME);
    await Promise.all(page.map((row) => store(files, row)));
    stored += page.length;
    const [end] = page.slice(-1);
    if (!end) return stored;
    last = end.id;
  }
}

/** The number of envelopes and submitted files, and the last file's id. */
export async function countSeeded(db: Database) {
  const [envelopeRows] = await db.select({ count: count() }).from(envelopes);
  const [fileRows] = await db.select({ count: count(), last: max(submissions.id) }).from(submissions);
  return {
    envelopes: envelopeRows?.count ?? 0,
    files: fileRows?.count ?? 0,
    lastFile: fileRows?.last ?? 0,
  };
}

async function store(files: FileStore, { key, documentName }: { key: string; documentName: string }) {
  const writer = await files.create(key);
  await writer.write(new TextEncoder().encode(samplePdf(documentName)));
  await writer.commit();
}
