import {
  type FileStore,
  type FileWriter,
  StoreUnavailableError,
  UploadLostError,
} from "../../ports/file-store";
import { isFileKey, OWNER_NAME, PROBE_KEY, requireFileKey } from "./file-key";
import { FILES, GrowingBuffer, type ObjectBucket, PART_BYTES } from "./multipart-uploads";

const OWNER = FILES + OWNER_NAME;
const MAX_OWNER_BYTES = 256;
/** The age of more files than this is read from the list of all. */
const MAX_HEADS = 20;

/** Stores files in an object store. A large file is sent in parts and becomes visible when complete. */
export function createObjectFileStore(bucket: ObjectBucket): FileStore {
  const pathOf = (key: string) => FILES + requireFileKey(key);
  const remove: FileStore["remove"] = async (keys) => bucket.remove(keys.map(pathOf));
  return {
    create: async (key) => createWriter(bucket, pathOf(key)),
    async tryStoring() {
      const path = pathOf(PROBE_KEY);
      await bucket.abort(path, await bucket.begin(path));
    },
    read: async (key, range) => bucket.read(pathOf(key), range),
    remove,
    async *list(prefix = "") {
      for await (const objects of bucket.list(FILES + prefix)) {
        const keys = objects.map(({ path }) => path.slice(FILES.length)).filter(isFileKey);
        if (keys.length > 0) yield keys;
      }
    },
    // Neither S3 nor R2 lists the bytes of incomplete uploads: R2 deletes them after a week, S3 by the bucket's rules.
    listUnfinished: async () => [],
    async olderThan(keys, milliseconds) {
      const isOld = async (key: string) =>
        ((await bucket.head(pathOf(key)))?.ageMs ?? Number.NEGATIVE_INFINITY) >= milliseconds;
      const old: string[] = [];
      if (keys.length <= MAX_HEADS) {
        for (const key of keys) if (await isOld(key)) old.push(key);
        return old;
      }
      const wanted = new Set(keys.map(pathOf));
      for await (const objects of bucket.list(FILES))
        for (const { path, ageMs } of objects)
          if (ageMs >= milliseconds && wanted.has(path)) old.push(path.slice(FILES.length));
      return old;
    },
    removeOrphans: remove,
    async readOwner() {
      const bytes = await bucket.get(OWNER, { offset: 0, length: MAX_OWNER_BYTES });
      return bytes && (new TextDecoder().decode(bytes).trim() || null);
    },
    writeOwner: (id, { replace = false } = {}) =>
      bucket.put(OWNER, new TextEncoder().encode(id), { onlyNew: !replace }),
  };
}

/**
 * Writes an object in parts of a fixed size, with one part in memory; an object of one part in one operation, which `end`
 * runs: until `commit`, thousands of files could wait in memory. No row contains the key yet, so the file is still invisible.
 */
function createWriter(bucket: ObjectBucket, path: string): FileWriter {
  const part = new GrowingBuffer(PART_BYTES);
  const tags: string[] = [];
  let uploadId: string | undefined;
  let isStored = false;
  let isOpen = true;

  const putPart = async () => {
    uploadId ??= await bucket.begin(path);
    tags.push(await bucket.putPart(path, uploadId, tags.length + 1, part.view()));
    part.reset();
  };
  const giveUp = async () => {
    isOpen = false;
    part.free();
    // What remains of an upload is deleted after a week.
    if (uploadId) await bucket.abort(path, uploadId).catch(() => {});
    if (isStored) await bucket.remove([path]).catch(() => {});
  };
  const storeRest = async () => {
    if (uploadId && part.length > 0) await putPart();
    if (!uploadId && !isStored) await bucket.put(path, part.view());
    isStored = !uploadId;
    part.free();
  };
  /** Runs one write step. If it fails, the whole file is discarded. */
  const step = async (work: () => Promise<void>) => {
    if (!isOpen) throw new StoreUnavailableError("The file is no longer being written");
    await work().catch(async (error: unknown) => {
      await giveUp();
      throw error instanceof UploadLostError
        ? new StoreUnavailableError(error.message, { cause: error })
        : error;
    });
  };

  return {
    write: (chunk) =>
      step(async () => {
        for (let offset = 0; offset < chunk.length; ) {
          if (part.isFull) await putPart();
          offset += part.fill(chunk.subarray(offset));
        }
      }),
    end: () => step(storeRest),
    commit: () =>
      step(async () => {
        await storeRest();
        if (uploadId) await bucket.complete(path, uploadId, tags);
        isOpen = false;
      }),
    async abort() {
      if (isOpen) await giveUp();
    },
  };
}
