import type { R2Bucket, R2MultipartUpload, R2Object, R2UploadedPart } from "@cloudflare/workers-types";
import { withDeadline } from "../../lib/retry";
import {
  type ByteRange,
  type FileStore,
  type FileWriter,
  type ResumableFileStore,
  StoreUnavailableError,
  UploadLostError,
} from "../../ports/file-store";
import { isFileKey, OWNER_NAME, PROBE_KEY, requireFileKey } from "../shared/file-key";
import { createMultipartStore, GrowingBuffer, type MultipartBucket } from "../shared/multipart-uploads";

/** The maximum. Each page is one of the subrequests that a run of the schedule may make. */
const PAGE = 1000;
const MAX_KEYS = 1000;
/** The age of more files than this is read from the list of all. */
const MAX_HEADS = 20;
/** The same prefix as in an S3 store, so that both runtimes can read a bucket. */
const PREFIX = "uploads/";
const OWNER = PREFIX + OWNER_NAME;
const MAX_OWNER_BYTES = 256;
/** R2 that does not answer must stop neither the jobs nor a response. */
const CALL_MS = 10_000;
/** A call with a part of a file, or one that joins the parts. */
const PART_MS = 60_000;

/** Stores files in an R2 bucket. */
export function createR2FileStore(bucket: R2Bucket): FileStore {
  const pathOf = (key: string) => PREFIX + requireFileKey(key);
  const remove: FileStore["remove"] = async (keys) => {
    const paths = keys.map(pathOf);
    for (let start = 0; start < paths.length; start += MAX_KEYS)
      await attempt(() => bucket.delete(paths.slice(start, start + MAX_KEYS)));
  };
  return {
    create: async (key) => createR2Writer(bucket, pathOf(key)),
    async tryStoring() {
      const upload = await attempt(() => bucket.createMultipartUpload(pathOf(PROBE_KEY)));
      await attempt(() => upload.abort());
    },
    read: async (key, range) => read(bucket, pathOf(key), range),
    remove,
    list: (prefix = "") => list(bucket, PREFIX + prefix),
    // R2 does not list incomplete uploads, and deletes them after seven days.
    listUnfinished: async () => [],
    async olderThan(keys, milliseconds) {
      const wanted = new Set(keys);
      const before = Date.now() - milliseconds;
      const old: string[] = [];
      if (keys.length <= MAX_HEADS) {
        for (const key of keys) {
          const found = await attempt(() => bucket.head(pathOf(key)));
          if (found && found.uploaded.getTime() <= before) old.push(key);
        }
        return old;
      }
      for await (const page of listObjects(bucket, PREFIX))
        for (const { key, uploaded } of page)
          if (uploaded.getTime() <= before && wanted.has(key.slice(PREFIX.length)))
            old.push(key.slice(PREFIX.length));
      return old;
    },
    removeOrphans: remove,
    async readOwner() {
      // A range: the body of a whole object does not arrive under wrangler's getPlatformProxy.
      const range = { offset: 0, length: MAX_OWNER_BYTES };
      const object = await attempt(() => bucket.get(OWNER, { range }));
      const bytes = object && (await attempt(() => object.arrayBuffer()));
      return bytes ? new TextDecoder().decode(bytes).trim() || null : null;
    },
    async writeOwner(id, { replace = false } = {}) {
      await attempt(() => bucket.put(OWNER, id, replace ? {} : { onlyIf: { etagDoesNotMatch: "*" } }));
    },
  };
}

async function read(bucket: R2Bucket, path: string, range?: ByteRange) {
  const object = await attempt(() => bucket.get(path, range && { range }));
  // Cloudflare's stream type and the standard one are the same under two names.
  return (object?.body ?? null) as ReadableStream<Uint8Array> | null;
}

async function* list(bucket: R2Bucket, prefix: string): AsyncGenerator<string[]> {
  for await (const objects of listObjects(bucket, prefix)) {
    const keys = objects.map(({ key }) => key.slice(PREFIX.length)).filter(isFileKey);
    if (keys.length > 0) yield keys;
  }
}

async function* listObjects(bucket: R2Bucket, prefix: string): AsyncGenerator<R2Object[]> {
  let cursor: string | undefined;
  do {
    const page = await attempt(() => bucket.list({ prefix, limit: PAGE, cursor }));
    yield page.objects;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
}

/** The result of the work. @throws StoreUnavailableError, also if it takes too long */
async function attempt<T>(work: () => Promise<T>, milliseconds = CALL_MS): Promise<T> {
  try {
    return await withDeadline(work(), milliseconds, () => new Error(`No answer in ${milliseconds} ms`));
  } catch (error) {
    throw storeError(error);
  }
}

/**
 * R2 requires parts of equal size, at least 5 MiB, except for the last one. An isolate has 128 MB for all its
 * requests.
 */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Writes an object in parts of a fixed size, with one part in memory; an object of one part in one operation, which `end`
 * runs: until `commit`, thousands of files could wait in memory. No row contains the key yet, so the file is still invisible.
 */
function createR2Writer(bucket: R2Bucket, path: string): FileWriter {
  const part = new GrowingBuffer(PART_BYTES);
  const parts: R2UploadedPart[] = [];
  let upload: R2MultipartUpload | undefined;
  let isStored = false;
  let isOpen = true;

  const uploadPart = async () => {
    upload ??= await bucket.createMultipartUpload(path);
    parts.push(await upload.uploadPart(parts.length + 1, part.view()));
    part.reset();
  };
  const giveUp = async () => {
    isOpen = false;
    part.free();
    // R2 deletes unfinished uploads after a week.
    await upload?.abort().catch(() => {});
    if (isStored) await bucket.delete(path).catch(() => {});
  };
  const storeRest = async () => {
    if (upload && part.length > 0) await uploadPart();
    if (!upload && !isStored) await bucket.put(path, part.view());
    isStored = !upload;
    part.free();
  };
  /** Runs one write step. If it fails, the whole file is discarded. */
  const step = async (work: () => Promise<void>) => {
    if (!isOpen) throw new Error("The file is no longer being written");
    await work().catch(async (error: unknown) => {
      await giveUp();
      throw storeError(error);
    });
  };

  return {
    write: (chunk) =>
      step(async () => {
        for (let offset = 0; offset < chunk.length; ) {
          if (part.isFull) await uploadPart();
          offset += part.fill(chunk.subarray(offset));
        }
      }),
    end: () => step(storeRest),
    commit: () =>
      step(async () => {
        await storeRest();
        await upload?.complete(parts);
        isOpen = false;
      }),
    async abort() {
      if (isOpen) await giveUp();
    },
  };
}

/** Converts an R2 error to the port's error. */
function storeError(error: unknown): StoreUnavailableError {
  return new StoreUnavailableError("R2 failed", { cause: error });
}

/** Stores files in an R2 bucket while they arrive in chunks. R2 aborts uploads that are not completed within a week. */
export function createR2ResumableStore(bucket: R2Bucket): ResumableFileStore {
  return createMultipartStore(multipartBucket(bucket));
}

function multipartBucket(bucket: R2Bucket): MultipartBucket {
  const upload = (path: string, id: string) => bucket.resumeMultipartUpload(path, id);
  return {
    begin: async (path) => (await attempt(() => bucket.createMultipartUpload(path))).uploadId,
    putPart: async (path, id, number, bytes) =>
      (await orLost(attempt(() => upload(path, id).uploadPart(number, bytes), PART_MS))).etag,
    async complete(path, id, tags) {
      const parts = tags.map((etag, index) => ({ etag, partNumber: index + 1 }));
      await orLost(attempt(() => upload(path, id).complete(parts), PART_MS));
    },
    abort: (path, id) =>
      attempt(async () => {
        try {
          await upload(path, id).abort();
        } catch (error) {
          if (!isMissing(error)) throw error;
        }
      }),
    put: async (path, bytes) => void (await attempt(() => bucket.put(path, bytes), PART_MS)),
    async get(path) {
      const object = await attempt(() => bucket.get(path));
      return object && new Uint8Array(await attempt(() => object.arrayBuffer()));
    },
    size: async (path) => (await attempt(() => bucket.head(path)))?.size ?? null,
    remove: (paths) => attempt(() => bucket.delete([...paths])),
    async *listOlderThan(prefix, before) {
      for await (const objects of listObjects(bucket, prefix))
        yield objects.filter(({ uploaded }) => uploaded < before).map(({ key }) => key);
    },
    async *listUploads() {},
  };
}

/** The result of an upload's call. @throws UploadLostError */
const orLost = <T>(call: Promise<T>) =>
  call.catch((error: unknown) => {
    throw error instanceof Error && isMissing(error.cause)
      ? new UploadLostError("R2 has aborted the upload", { cause: error })
      : error;
  });

/** R2's error code for a multipart upload that was already completed or aborted. */
const isMissing = (error: unknown) => error instanceof Error && error.message.includes("10024");
