import { type Row, readPages } from "../../../db/archive/rows";
import { ARCHIVED_TABLES } from "../../../db/archive/tables";
import type { Database } from "../../../db/client";

const UPLOADS = "/uploads/";

/** The keys of all files that rows reference, one page of rows at a time. */
export async function* readFileKeys(db: Database): AsyncGenerator<string[]> {
  for (const table of Object.values(ARCHIVED_TABLES)) {
    for await (const page of readPages(db, table)) {
      const keys = page.flatMap(fileKeys);
      if (keys.length > 0) yield keys;
    }
  }
}

/** The keys of a submission that still has its file, and of a user's picture. */
export function fileKeys({ filePath, deletedAt, avatarUrl }: Row): string[] {
  if (typeof filePath === "string") return deletedAt ? [] : [filePath];
  const isPicture = typeof avatarUrl === "string" && avatarUrl.startsWith(UPLOADS);
  return isPicture ? [avatarUrl.slice(UPLOADS.length)] : [];
}
