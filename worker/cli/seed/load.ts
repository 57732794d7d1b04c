import type { Database } from "../../../db/client";
import { insertLoad, listSeededFiles } from "../../../db/queries/seed";
import type { FileStore } from "../../ports/file-store";
import { sampleFile } from "./sample-pdf";

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
  await insertLoad(db, owner, { count, now, samples: { passport, address } });
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
