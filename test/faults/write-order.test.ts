import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { which } from "bun";
import { createDiskFileStore } from "../../worker/adapters/bun/files/disk-file-store";
import { makeFolder } from "../support/temporary-folder";

setDefaultTimeout(300_000);

const folder = makeFolder();

const SCRIPT = `
  const { createDiskFileStore } = await import(process.env.STORE);
  const writer = await (await createDiskFileStore(process.env.FOLDER)).create("order.pdf");
  await writer.write(new Uint8Array(1000));
  await writer.commit();
  await Bun.write(process.env.FOLDER + "/answered", "");
`;

test("a commit is reported only after fsync of the file, rename, and fsync of the folder", async () => {
  const strace = which("strace");
  if (!strace) {
    // Without strace: a committed file exists under its name, and nowhere else.
    const store = await createDiskFileStore(folder);
    const writer = await store.create("order.pdf");
    await writer.write(new Uint8Array(1000));
    expect(await readdir(join(folder, "uploads"))).toEqual([]);
    await writer.commit();
    expect(await readdir(join(folder, "uploads"))).toEqual(["order.pdf"]);
    expect(await readdir(join(folder, "tmp"))).toEqual([]);
    return;
  }
  const trace = join(folder, "trace.txt");
  const calls = "trace=fsync,fdatasync,rename,renameat,renameat2,openat,open";
  const store = `${import.meta.dir}/../../worker/adapters/bun/files/disk-file-store.ts`;
  const command = [strace, "-f", "-y", "-o", trace, "-e", calls, process.execPath, "-e", SCRIPT];
  const child = Bun.spawnSync(command, { env: { ...process.env, STORE: store, FOLDER: folder } });
  expect(child.exitCode).toBe(0);
  const lines = (await readFile(trace, "utf8")).split("\n");
  const steps = [
    /fsync\(\d+<[^>]*\/tmp\/order\.pdf>/,
    /rename\w*\(.*tmp\/order\.pdf".*uploads\/order\.pdf"/,
    /fsync\(\d+<[^>]*\/uploads>/,
    /open\w*\(.*\/answered"/,
  ].map((step) => lines.findIndex((line) => step.test(line)));
  expect(steps).not.toContain(-1);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
});
