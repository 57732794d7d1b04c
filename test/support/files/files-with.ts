import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { file } from "bun";

/** The files of a folder in whose bytes one of the texts is. */
export async function filesWith(folder: string, texts: string[]): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(paths.map((path) => file(path).bytes().catch(noneIfGone)));
  return paths.filter((_, index) => {
    const bytes = Buffer.from(contents[index] ?? []);
    return texts.some((text) => bytes.includes(text));
  });
}

/** A running server renames what it has written. */
function noneIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
