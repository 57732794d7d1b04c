import { join } from "node:path";
import { CryptoHasher, file } from "bun";
import type { LastIds } from "../../../db/archive/rows";

/** The version of the folder format; the migration defines the format of the rows. */
export const FORMAT = 1;

/** The contents of an archive. Written last, so that a folder with a manifest is complete. */
export type Manifest = {
  format: number;
  migration: string;
  madeAt: string;
  /** The number of rows per table. */
  rows: Record<string, number>;
  lastIds: LastIds;
  files: number;
};

export type FileEntry = { key: string; size: number; sha256: string };

export const manifestPath = (folder: string) => join(folder, "archive.json");
export const rowsPath = (folder: string, table: string) => join(folder, "rows", `${table}.ndjson`);
export const fileListPath = (folder: string) => join(folder, "files.ndjson");
export const filePath = (folder: string, key: string) => join(folder, "files", key);

/** Streams the values of a file of JSON lines. */
export async function* readLines<T>(path: string): AsyncGenerator<T> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of file(path).stream()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
  if (rest !== "") throw new Error(`${path} ends within a line`);
}

/** Passes the bytes on chunk by chunk and returns their size and hash. */
export async function pump(
  bytes: AsyncIterable<Uint8Array>,
  write: (chunk: Uint8Array) => unknown,
): Promise<Pick<FileEntry, "size" | "sha256">> {
  const hash = new CryptoHasher("sha256");
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
    await write(chunk);
  }
  return { size, sha256: hash.digest("hex") };
}
