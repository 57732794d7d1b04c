import { file, write } from "bun";
import {
  fingerprintLists,
  readManifest,
  rowsPath,
  writeManifest,
} from "../../../worker/cli/archive/archive-folder";

/** Changes rows of an archive and recomputes its hashes, as a forger would. */
export async function forgeRows(folder: string, table: string, what: RegExp, by: string): Promise<void> {
  await replaceRows(folder, table, what, by);
  const manifest = await readManifest(folder);
  const lists = await fingerprintLists(folder, Object.keys(manifest.rows));
  await writeManifest(folder, { ...manifest, lists });
}

/** Changes rows of an archive, but not its hashes. */
export async function replaceRows(folder: string, table: string, what: RegExp, by: string): Promise<void> {
  const path = rowsPath(folder, table);
  const before = await file(path).text();
  const after = before.replace(what, by);
  if (after === before) throw new Error(`${path} has nothing to replace`);
  await write(path, after);
}
