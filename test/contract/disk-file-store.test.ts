import { expect, test } from "bun:test";
import { mkdir, readdir, rm, statfs, symlink, truncate, utimes } from "node:fs/promises";
import { join } from "node:path";
import { $ } from "bun";
import { createDiskFileStore } from "../../worker/adapters/bun/files/disk-file-store";
import { StorageFullError, StoreUnavailableError } from "../../worker/ports/file-store";
import { seededBytes } from "../support/files/bytes";
import { makeFolder } from "../support/temporary-folder";
import { fileStoreSuite } from "./file-store-suite";

const folder = makeFolder();
const list = (name: string) => readdir(join(folder, name));

fileStoreSuite("disk", async () => ({ store: await createDiskFileStore(makeFolder()), close: () => {} }));

test("opening leaves every file with a key and removes leftovers of version 0.1", async () => {
  const store = await createDiskFileStore(folder);
  await (await store.create("whole.pdf")).commit();
  const writer = await store.create("half.pdf");
  await writer.write(seededBytes(10));
  await Bun.write(join(folder, "tmp", "host~17~leftover"), "half a file");
  await Bun.write(join(folder, "claims", "host~17~whole.pdf"), "");

  const next = await createDiskFileStore(folder);

  expect(await next.listUnfinished()).toEqual(["half.pdf"]);
  expect(await list("tmp")).toEqual(["half.pdf"]);
  expect(await list("uploads")).toEqual(["whole.pdf"]);
  expect(await list(".")).not.toContain("claims");
  await writer.abort();
});

test("a file that has ended has no descriptor", async () => {
  const openFiles = async () => (await readdir("/dev/fd")).length;
  const store = await createDiskFileStore(join(folder, "ended"));
  const before = await openFiles();
  const writers = [];
  for (let index = 0; index < 100; index++) {
    const writer = await store.create(`ended${index}.pdf`);
    await writer.write(seededBytes(10));
    await writer.end();
    writers.push(writer);
  }
  expect(await openFiles()).toBeLessThan(before + 50);
  await Promise.all(writers.map((writer) => writer.commit()));
  expect(await readdir(join(folder, "ended", "uploads"))).toHaveLength(100);
});

test("a file that is removed while it is written cannot be committed", async () => {
  const store = await createDiskFileStore(join(folder, "taken"));
  const writer = await store.create("taken.pdf");
  await writer.write(seededBytes(10));
  await store.remove(["taken.pdf"]);
  await expect(writer.commit()).rejects.toBeInstanceOf(StoreUnavailableError);
  expect(await store.read("taken.pdf")).toBeNull();
});

test("a file that is truncated while it is read fails instead of appearing complete", async () => {
  const store = await createDiskFileStore(join(folder, "shorter"));
  const writer = await store.create("long.pdf");
  await writer.write(seededBytes(1024 * 1024));
  await writer.commit();
  const reader = (await store.read("long.pdf"))?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await truncate(join(folder, "shorter", "uploads", "long.pdf"), 1000);
  const readOn = async () => {
    while (!(await reader?.read())?.done);
  };
  await expect(readOn()).rejects.toBeInstanceOf(StoreUnavailableError);
});

test("files of other programs are neither listed nor a problem", async () => {
  const store = await createDiskFileStore(join(folder, "shared"));
  for (const path of ["uploads/.DS_Store", "uploads/a b.pdf", "tmp/.hidden"])
    await Bun.write(join(folder, "shared", path), "");
  expect(await Array.fromAsync(store.list())).toEqual([]);
  expect(await store.listUnfinished()).toEqual([]);
});

test("a file that does not fit on the disk fails as full, leaves no partial file, and the store continues", async () => {
  const child = Bun.spawnSync(
    [
      "sh",
      "-c",
      'ulimit -f 200; exec "$0" "$@"',
      process.execPath,
      `${import.meta.dir}/../support/processes/full-disk.ts`,
    ],
    { env: { ...process.env, FOLDER: join(folder, "full") } },
  );
  expect(child.stdout.toString()).toBe("StorageFullError\n0 temporary\n1 small file\n");
});

test("with less than the minimum free space, no file is created", async () => {
  const { bavail, bsize } = await statfs(folder);
  const scarce = await createDiskFileStore(join(folder, "scarce"), {
    minFreeBytes: (bavail + 2 ** 20) * bsize,
  });
  await expect(scarce.create("a.pdf")).rejects.toBeInstanceOf(StorageFullError);
  expect(await scarce.listUnfinished()).toEqual([]);
  const ample = await createDiskFileStore(join(folder, "ample"), { minFreeBytes: 1 });
  await (await ample.create("a.pdf")).commit();
  expect(await ample.read("a.pdf")).not.toBeNull();
});

test("a deleted folder is reported as unavailable", async () => {
  const gone = join(folder, "gone");
  const store = await createDiskFileStore(gone);
  const writer = await store.create("late.pdf");
  await writer.write(seededBytes(10));
  await rm(gone, { recursive: true });
  await expect(writer.commit()).rejects.toBeInstanceOf(StoreUnavailableError);
  await expect(store.create("later.pdf")).rejects.toBeInstanceOf(StoreUnavailableError);
  await mkdir(gone);
});

test("a long list is returned in pages", async () => {
  const many = join(folder, "many");
  const store = await createDiskFileStore(many);
  for (let index = 0; index < 1100; index += 1) await Bun.write(join(many, "uploads", `f${index}.pdf`), "");
  const pages = await Array.fromAsync(store.list());
  expect(pages.map((page) => page.length)).toEqual([500, 500, 100]);
  expect(new Set(pages.flat()).size).toBe(1100);
});

test("a body that is not read keeps no descriptor open", async () => {
  const store = await createDiskFileStore(folder);
  const before = (await readdir("/dev/fd")).length;
  for (let index = 0; index < 50; index += 1) await store.read("whole.pdf");
  expect((await readdir("/dev/fd")).length).toBeLessThan(before + 10);
});

test("abandoned writers and readers, as of a lost connection, are closed", async () => {
  const store = await createDiskFileStore(folder);
  const writer = await store.create("read-half.pdf");
  await writer.write(seededBytes(1024 * 1024));
  await writer.commit();
  const descriptors = async () => (await readdir("/dev/fd")).length;
  const before = await descriptors();
  const forget = async () => {
    const forgotten = await store.create("forgotten.pdf");
    await forgotten.write(seededBytes(10));
    await (await store.read("read-half.pdf"))?.getReader().read();
  };
  for (let times = 0; times < 50; times += 1) await forget();
  // The last few may still be on the stack.
  while ((await descriptors()) > before + 10 || (await list("tmp")).length > 10) {
    Bun.gc(true);
    await new Promise((resolve) => setImmediate(resolve));
  }
});

test("a served file has a Content-Length, whole or in part", async () => {
  const store = await createDiskFileStore(join(folder, "served"));
  const bytes = seededBytes(300_000);
  const writer = await store.create("served.pdf");
  await writer.write(bytes);
  await writer.commit();
  const range = { offset: 100_000, length: 150_000 };
  const server = Bun.serve({
    port: 0,
    fetch: async ({ url }) =>
      new Response(
        await store.read("served.pdf", url.endsWith("part") ? range : undefined, { toSend: true }),
      ),
  });

  const whole = await fetch(new URL("/whole", server.url));
  const part = await fetch(new URL("/part", server.url));

  expect(whole.headers.get("content-length")).toBe("300000");
  expect(part.headers.get("content-length")).toBe("150000");
  expect(Bun.SHA256.hash(await part.bytes(), "hex")).toBe(
    Bun.SHA256.hash(bytes.subarray(100_000, 250_000), "hex"),
  );
  await server.stop(true);
});

test("a file of unknown origin stays in another folder for a week, whatever its age", async () => {
  const own = join(folder, "orphans-of-a-week");
  const store = await createDiskFileStore(own);
  const long = new Date(Date.now() - 400 * 24 * 60 * 60 * 1000);
  for (const key of ["old.pdf", "older.pdf"]) {
    await (await store.create(key)).commit();
    await utimes(join(own, "uploads", key), long, long);
  }
  expect(await store.olderThan(["old.pdf", "older.pdf"], 399 * 24 * 60 * 60 * 1000)).toHaveLength(2);
  await store.removeOrphans(["old.pdf", "older.pdf"]);
  expect((await readdir(join(own, "orphans"))).sort()).toEqual(["old.pdf", "older.pdf"]);
  expect(await store.read("old.pdf")).toBeNull();
  const week = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000);
  await utimes(join(own, "orphans", "older.pdf"), week, week);
  await Bun.write(join(own, "orphans", "notes of the operator.txt"), "");
  await utimes(join(own, "orphans", "notes of the operator.txt"), long, long);
  await store.removeOrphans([]);
  expect((await readdir(join(own, "orphans"))).sort()).toEqual(["notes of the operator.txt", "old.pdf"]);
});

test("a link in place of a file about to be written, or of the owner's id, is not followed", async () => {
  const own = join(folder, "links");
  const store = await createDiskFileStore(own);
  await Bun.write(join(folder, "elsewhere.txt"), "a secret");
  await symlink(join(folder, "elsewhere.txt"), join(own, "tmp", "linked.pdf"));
  await symlink(join(folder, "elsewhere.txt"), join(own, "uploads", ".instance"));
  const writer = await store.create("linked.pdf");
  await writer.write(seededBytes(10));
  await writer.commit();
  expect(await Bun.file(join(own, "uploads", "linked.pdf")).bytes()).toEqual(seededBytes(10));
  await expect(store.readOwner()).rejects.toBeInstanceOf(StoreUnavailableError);
  expect(await Bun.file(join(folder, "elsewhere.txt")).text()).toBe("a secret");
});

test("a file in place of a folder is named", async () => {
  const own = join(folder, "misplaced");
  await Bun.write(join(own, "orphans"), "");
  await expect(createDiskFileStore(own)).rejects.toThrow(/misplaced\/orphans is not a folder/);
});

test("pipes in place of the owner's id and of a file hold nothing up", async () => {
  const own = join(folder, "pipes");
  const store = await createDiskFileStore(own);
  await $`mkfifo ${join(own, "uploads", ".instance")} ${join(own, "uploads", "piped.pdf")}`;
  await expect(store.readOwner()).rejects.toBeInstanceOf(StoreUnavailableError);
  const bytes = await store.read("piped.pdf");
  expect(bytes && (await new Response(bytes).bytes())).toEqual(new Uint8Array(0));
});
