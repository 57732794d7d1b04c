import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { createDiskFileStore } from "../../worker/adapters/bun/files/disk-file-store";
import { createDiskResumableStore } from "../../worker/adapters/bun/files/disk-resumable-store";
import { type S3Options, s3Bucket } from "../../worker/adapters/bun/files/s3-bucket";
import { createMultipartStore } from "../../worker/adapters/shared/multipart-uploads";
import { createObjectFileStore } from "../../worker/adapters/shared/object-file-store";
import { StorageFullError, StoreUnavailableError } from "../../worker/ports/file-store";
import { seededBytes } from "../support/files/bytes";
import { createMemoryFileStore } from "../support/memory/memory-file-store";
import { createMemoryResumableStore } from "../support/memory/memory-resumable-store";
import { startS3Server } from "../support/servers/s3-server";
import { makeFolder } from "../support/temporary-folder";
import { resumableStoreSuite } from "./resumable-store-suite";

setDefaultTimeout(240_000);

const MIB = 1024 * 1024;
const createS3FileStore = (options: S3Options) => createObjectFileStore(s3Bucket(options));
const createS3ResumableStore = (options: S3Options) => createMultipartStore(s3Bucket(options));
const credentials = { accessKeyId: "key-id", secretAccessKey: "secret/with+signs" };
const noUploads = async () => 0;

resumableStoreSuite("memory", async () => {
  const files = createMemoryFileStore();
  const store = createMemoryResumableStore(files);
  return { store, other: store, files, openUploads: noUploads, close: () => {} };
});

resumableStoreSuite("disk", async () => {
  const folder = makeFolder();
  return {
    files: await createDiskFileStore(folder),
    store: await createDiskResumableStore(folder),
    other: await createDiskResumableStore(folder),
    openUploads: noUploads,
    close: () => {},
  };
});

resumableStoreSuite("S3", async () => {
  const s3 = startS3Server("documents", credentials);
  const options = { endpoint: s3.endpoint, bucket: "documents", ...credentials };
  return {
    files: createS3FileStore(options),
    store: createS3ResumableStore(options),
    other: createS3ResumableStore(options),
    openUploads: async () => s3.uploads.size,
    close: () => s3.stop(),
  };
});

test("a disk reports an offset only for stored bytes, and saves it during a long request", async () => {
  const folder = makeFolder();
  const store = await createDiskResumableStore(folder);
  const reported: number[] = [];
  const sizes: number[] = [];
  const path = join(folder, "uploads", "long.pdf");
  const file = { key: "long.pdf", size: 40 * MIB, offset: 0, state: "" };
  const writer = await store.append(file, async ({ offset }) => {
    reported.push(offset);
    sizes.push(Bun.file(path).size);
  });
  for (let sent = 0; sent < 40; sent += 1) await writer.write(seededBytes(MIB));
  await writer.discard();
  expect(reported).toEqual([8, 16, 24, 32, 40].map((count) => count * MIB));
  expect(sizes).toEqual(reported);
  await store.abandon("long.pdf", "");
  expect(await readdir(join(folder, "uploads"))).toEqual([]);
});

test("with a minimum of free space, a disk takes no file that would not leave it", async () => {
  const folder = makeFolder();
  const store = await createDiskResumableStore(folder, { minFreeBytes: 1 });
  const file = { key: "large.pdf", size: 2 ** 60, offset: 2 ** 59, state: "" };
  await expect(store.requireSpace(file.size)).rejects.toBeInstanceOf(StorageFullError);
  await expect(store.append(file, async () => {})).rejects.toBeInstanceOf(StorageFullError);
  await store.requireSpace(MIB);
});

test("a disk stops a long request when others have used the space, and keeps what is stored", async () => {
  const folder = makeFolder();
  const { bavail, bsize } = await statfs(folder);
  const store = await createDiskResumableStore(folder, { minFreeBytes: bavail * bsize - 4 * MIB });
  const saved: number[] = [];
  const file = { key: "long.pdf", size: 1, offset: 0, state: "" };
  const writer = await store.append(file, async ({ offset }) => void saved.push(offset));
  const writeAll = async () => {
    for (let sent = 0; sent < 32; sent += 1) await writer.write(seededBytes(MIB));
  };
  await expect(writeAll()).rejects.toBeInstanceOf(StorageFullError);
  expect(saved.length).toBeGreaterThan(0);
  expect(Bun.file(join(folder, "uploads", "long.pdf")).size).toBe(saved.at(-1) ?? 0);
  await writer.discard();
});

test("a disk accepts a chunk that it has stored, although the space has been used meanwhile", async () => {
  const folder = makeFolder();
  const { bavail, bsize } = await statfs(folder);
  const store = await createDiskResumableStore(folder, { minFreeBytes: bavail * bsize - 4 * MIB });
  const writer = await store.append({ key: "long.pdf", size: 1, offset: 0, state: "" }, async () => {});
  for (let sent = 0; sent < 8; sent += 1) await writer.write(seededBytes(MIB));
  expect((await writer.end()).offset).toBe(8 * MIB);
});

test("a failing S3 is reported as unavailable by every call, and saved progress can be continued", async () => {
  const s3 = startS3Server("documents", credentials);
  const options = { endpoint: s3.endpoint, bucket: "documents", ...credentials };
  const store = createS3ResumableStore(options);
  const stranger = createS3ResumableStore({ ...options, secretAccessKey: "another" });
  const bytes = seededBytes(10 * MIB);
  const file = { key: "file.pdf", size: bytes.length, offset: 0, state: "" };
  const writer = await store.append(file, async () => {});
  await writer.write(bytes.slice(0, 9 * MIB));
  const progress = { ...file, ...(await writer.end()) };
  for (const failing of [store, stranger]) {
    s3.failWith = failing === store ? 500 : null;
    await expect(failing.append(progress, async () => {})).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(failing.finish(progress)).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(failing.abandon("file.pdf", progress.state)).rejects.toBeInstanceOf(StoreUnavailableError);
    const listing = Array.fromAsync(failing.listAbandoned(new Date()));
    await expect(listing).rejects.toBeInstanceOf(StoreUnavailableError);
  }
  s3.failWith = null;
  const again = await store.append(progress, async () => {});
  await again.write(bytes.slice(9 * MIB));
  await store.finish({ ...file, ...(await again.end()) });
  expect(Bun.hash(s3.objects.get("uploads/file.pdf")?.bytes ?? "")).toBe(Bun.hash(bytes));
  expect([...s3.objects.keys()]).toEqual(["uploads/file.pdf"]);
  await s3.stop();
});

test("an S3 store lists abandoned multipart uploads and partial objects, and removes them", async () => {
  const s3 = startS3Server("documents", credentials);
  const store = createS3ResumableStore({ endpoint: s3.endpoint, bucket: "documents", ...credentials });
  for (const [key, size] of [
    ["small.pdf", MIB],
    ["large.pdf", 9 * MIB],
  ] as const) {
    const writer = await store.append({ key, size: 20 * MIB, offset: 0, state: "" }, async () => {});
    await writer.write(seededBytes(size));
    await writer.end();
  }
  expect((await Array.fromAsync(store.listAbandoned(new Date("2000-01-01")))).flat()).toEqual([]);
  const left = (await Array.fromAsync(store.listAbandoned(new Date("2100-01-01")))).flat();
  expect(left.map(({ key }) => key).sort()).toEqual(["large.pdf", "large.pdf", "small.pdf"]);
  for (const { key, state } of left) await store.abandon(key, state);
  expect([s3.uploads.size, s3.objects.size]).toEqual([0, 0]);
  await s3.stop();
});
