import { afterAll, beforeEach, expect, test } from "bun:test";
import { serve } from "bun";
import { type S3Options, s3Bucket } from "../../worker/adapters/bun/files/s3-bucket";
import { createMultipartStore } from "../../worker/adapters/shared/multipart-uploads";
import { createObjectFileStore } from "../../worker/adapters/shared/object-file-store";
import { StoreUnavailableError } from "../../worker/ports/file-store";
import { seededBytes } from "../support/files/bytes";
import { startS3Server } from "../support/servers/s3-server";
import { fileStoreSuite } from "./file-store-suite";

const createS3FileStore = (options: S3Options) => createObjectFileStore(s3Bucket(options));
const createS3ResumableStore = (options: S3Options) => createMultipartStore(s3Bucket(options));
const credentials = { accessKeyId: "key-id", secretAccessKey: "secret/with+signs" };
const s3 = startS3Server("documents", credentials);
const options = { endpoint: s3.endpoint, bucket: "documents", ...credentials };
const PART = 8 * 1024 * 1024;
/** What reverse proxies answer while the store behind them is down. */
const startProxy = (body: string) => serve({ port: 0, fetch: () => new Response(body, { status: 404 }) });
const proxy = startProxy("404 page not found");
const silentProxy = startProxy("");

afterAll(async () => {
  await s3.stop();
  await Promise.all([proxy.stop(true), silentProxy.stop(true)]);
});
beforeEach(() => {
  s3.failWith = null;
});

fileStoreSuite("S3", async () => {
  const own = startS3Server("documents", credentials);
  return {
    store: createS3FileStore({ ...options, endpoint: own.endpoint }),
    close: () => own.stop(),
  };
});

test("an aborted upload leaves no parts in the store", async () => {
  const writer = await createS3FileStore(options).create("given-up.pdf");
  for (let part = 0; part < 3; part += 1) await writer.write(seededBytes(PART));
  expect(s3.uploads.size).toBe(1);
  await writer.abort();
  await until(() => s3.uploads.size === 0);
  expect(s3.objects.size).toBe(0);
});

test("hundreds of files that nobody takes keep no connection, which others need; each is read whole later", async () => {
  const own = startS3Server("documents", credentials);
  const store = createS3FileStore({ ...options, endpoint: own.endpoint });
  const large = seededBytes(PART + 5);
  const writer = await store.create("large.pdf");
  await writer.write(large);
  await writer.commit();
  // More than Bun has connections.
  const streams = await Promise.all(Array.from({ length: 260 }, () => store.read("large.pdf")));
  const other = await store.create("other.pdf");
  await other.write(seededBytes(10));
  await other.commit();
  const bytes = await new Response(streams[259]).bytes();
  expect(Buffer.compare(bytes, large)).toBe(0);
  for (const stream of streams.slice(0, 259)) await stream?.cancel();
  const range = { offset: 1_000_000, length: 3_000_000 };
  const part = await new Response(await store.read("large.pdf", range)).bytes();
  expect(Buffer.compare(part, large.subarray(1_000_000, 4_000_000))).toBe(0);
  await own.stop();
}, 30_000);

test("files that hundreds read from a slow store leave connections to others, who can store theirs meanwhile", async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const slow = serve({
    port: 0,
    idleTimeout: 0,
    async fetch({ method }) {
      if (method === "GET") await answered;
      return new Response();
    },
  });
  const store = createS3FileStore({ ...options, endpoint: slow.url.href });
  // More than Bun has connections.
  const streams = Promise.all(Array.from({ length: 300 }, () => store.read("large.pdf")));
  for (let file = 0; file < 50; file += 1) {
    const other = await store.create(`other-${file}.pdf`);
    await other.write(seededBytes(10));
    await other.commit();
  }
  answer();
  expect(await streams).toHaveLength(300);
  await slow.stop(true);
}, 30_000);

test("a store that fails midway fails the writer, which does not hang", async () => {
  const writer = await createS3FileStore(options).create("cut.pdf");
  await writer.write(seededBytes(PART));
  s3.failWith = 500;
  const rest = async () => {
    for (let part = 0; part < 8; part += 1) await writer.write(seededBytes(PART));
    await writer.commit();
  };
  await expect(rest()).rejects.toBeInstanceOf(StoreUnavailableError);
  await writer.abort();
  expect(s3.objects.size).toBe(0);
});

test.each([
  [{ bucket: "other" }, /^The S3 server [\d.:]+ has no bucket “other”: create it, or correct S3_BUCKET$/],
  [
    { endpoint: "http://127.0.0.1:1" },
    /^The S3 server 127\.0\.0\.1:1 cannot be reached \(\w+\): check S3_ENDPOINT/,
  ],
  [{ endpoint: "http://nowhere.invalid" }, /^The S3 server nowhere\.invalid cannot be reached \(\w+\)/],
  [{ endpoint: s3.endpoint.replace("http", "https") }, /cannot be reached \(\w+\)/],
  [{ endpoint: proxy.url.origin }, /^The file store (?:failed|answered 404: no code)$/],
  [{ endpoint: silentProxy.url.origin }, /^The file store (?:failed|answered 404: no code)$/],
  [{ secretAccessKey: "another" }, /rejects the key \(SignatureDoesNotMatch\): check S3_ACCESS_KEY_ID/],
])(
  "settings such as %j are named in a sentence by every call, never taken for a missing file or upload",
  async (change, sentence) => {
    const wrong = { ...options, ...change };
    const store = createS3FileStore(wrong);
    const writer = await store.create("file.pdf");
    await writer.write(seededBytes(10)).catch(() => {});
    const resumable = createS3ResumableStore(wrong);
    const state = JSON.stringify({ uploadId: "id", tags: [], rest: 0, restWritten: false, whole: false });
    const calls = [
      writer.commit(),
      store.read("file.pdf"),
      store.remove(["file.pdf"]),
      Array.fromAsync(store.list()),
      resumable.abandon("file.pdf", state),
      resumable.finish({ key: "file.pdf", size: 10, offset: 10, state }),
      Array.fromAsync(resumable.listAbandoned(new Date())),
    ];
    for (const call of await Promise.allSettled(calls)) {
      const { reason } = call as PromiseRejectedResult;
      expect(reason).toBeInstanceOf(StoreUnavailableError);
      expect(reason.message).toMatch(sentence);
    }
  },
);

test("a store that returns 500 or rejects the keys is reported as unavailable by every call", async () => {
  const failing = createS3FileStore(options);
  const stranger = createS3FileStore({ ...options, secretAccessKey: "another" });
  for (const store of [failing, stranger]) {
    s3.failWith = store === failing ? 500 : null;
    const writer = await store.create("file.pdf");
    await writer.write(seededBytes(10)).catch(() => {});
    await expect(writer.commit()).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.tryStoring()).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.read("file.pdf")).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.remove(["file.pdf"])).rejects.toBeInstanceOf(StoreUnavailableError);
    const listing = Array.fromAsync(store.list());
    await expect(listing).rejects.toBeInstanceOf(StoreUnavailableError);
  }
});

test("an unreachable store is reported as unavailable", async () => {
  const gone = startS3Server("documents", credentials);
  await gone.stop();
  const store = createS3FileStore({ ...options, endpoint: gone.endpoint });
  await expect(store.read("file.pdf")).rejects.toBeInstanceOf(StoreUnavailableError);
});

test("a long list is returned in pages, without other files of the bucket", async () => {
  for (let index = 0; index < 1100; index += 1)
    s3.objects.set(`uploads/f${index}.pdf`, { bytes: new Uint8Array(0), modified: new Date("2020-01-01") });
  s3.objects.set("backup/other.zip", { bytes: new Uint8Array(0), modified: new Date("2020-01-01") });
  const pages = await Array.fromAsync(createS3FileStore(options).list());
  expect(pages.map((page) => page.length)).toEqual([500, 500, 100]);
  expect(new Set(pages.flat()).size).toBe(1100);
});

/** Bun informs the writer of an aborted upload before the store. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
