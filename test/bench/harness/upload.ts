import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { file } from "bun";
import { samplePdf } from "../../../worker/cli/seed/load";

const CHUNK = 1024 * 1024;

/** A file that starts like a PDF. Sending it from disk uses no memory of this process. */
export async function makeFile(folder: string, bytes: number): Promise<string> {
  const path = join(folder, `upload-${bytes}.pdf`);
  const writer = file(path).writer();
  const head = samplePdf("bench");
  writer.write(head);
  for (let left = bytes - head.length; left > 0; left -= CHUNK) {
    writer.write(new Uint8Array(Math.min(left, CHUNK)));
    await writer.flush();
  }
  await writer.end();
  return path;
}

/** Posts the file once per name. @returns MB per second; throws if it is rejected */
export async function upload(url: string, path: string, names: readonly string[]): Promise<number> {
  const form = new FormData();
  for (const name of names) form.append(name, file(path), "file.pdf");
  const started = performance.now();
  const response = await fetch(url, { method: "POST", body: form });
  if (!response.ok) throw new Error(`The upload was rejected: ${await response.text()}`);
  const seconds = (performance.now() - started) / 1000;
  return (file(path).size * names.length) / 1024 / 1024 / seconds;
}

/** Posts the file as the raw body. */
export async function uploadRaw(url: string, path: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, { method: "POST", body: file(path) });
  if (!response.ok) throw new Error(`The upload was rejected: ${await response.text()}`);
  return file(path).size / 1024 / 1024 / ((performance.now() - started) / 1000);
}

/** Deletes the files of earlier uploads from the app's and the baseline's folder. */
export async function emptyUploads(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (/^(?:raw|part)-/.test(name)) await rm(join(folder, name), { force: true });
  for (const name of await readdir(join(folder, "uploads")).catch(() => []))
    await rm(join(folder, "uploads", name), { force: true });
}
