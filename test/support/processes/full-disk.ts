/** Runs with a limit on file sizes, which has the same effect as a full disk. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createDiskFileStore } from "../../../worker/adapters/bun/files/disk-file-store";
import { StorageFullError } from "../../../worker/ports/file-store";

const folder = process.env.FOLDER ?? "";
const store = await createDiskFileStore(folder);
const large = await store.create("large.pdf");
try {
  for (let mib = 0; mib < 4; mib += 1) await large.write(new Uint8Array(1024 * 1024));
  await large.commit();
} catch (error) {
  process.stdout.write(`${error instanceof StorageFullError ? "StorageFullError" : String(error)}\n`);
}
process.stdout.write(`${(await readdir(join(folder, "tmp"))).length} temporary\n`);
const small = await store.create("small.pdf");
await small.write(new Uint8Array(10));
await small.commit();
process.stdout.write(`${(await readdir(join(folder, "uploads"))).length} small file\n`);
