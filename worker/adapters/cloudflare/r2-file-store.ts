import type { R2Bucket } from "@cloudflare/workers-types";
import type { ByteRange, FileStore } from "../../ports/file-store";
import { isFileKey, requireFileKey } from "../shared/file-key";
import { storeError } from "./r2-errors";
import { createR2Writer } from "./r2-writer";

const PAGE = 500;
const MAX_KEYS = 1000;
/** The same prefix as in an S3 store, so that both runtimes can read a bucket. */
const PREFIX = "uploads/";

/** Stores files in an R2 bucket. */
export function createR2FileStore(bucket: R2Bucket): FileStore {
  const pathOf = (key: string) => PREFIX + requireFileKey(key);
  return {
    create: async (key) => createR2Writer(bucket, pathOf(key)),
    read: async (key, range) => read(bucket, pathOf(key), range),
    async remove(keys) {
      const paths = keys.map(pathOf);
      for (let start = 0; start < paths.length; start += MAX_KEYS)
        await attempt(() => bucket.delete(paths.slice(start, start + MAX_KEYS)));
    },
    list: (prefix = "") => list(bucket, PREFIX + prefix),
    // R2 does not list incomplete uploads, and deletes them after seven days.
    listUnfinished: async () => [],
  };
}

async function read(bucket: R2Bucket, path: string, range?: ByteRange) {
  const object = await attempt(() => bucket.get(path, range && { range }));
  // Cloudflare's stream type and the standard one are the same under two names.
  return (object?.body ?? null) as ReadableStream<Uint8Array> | null;
}

async function* list(bucket: R2Bucket, prefix: string): AsyncGenerator<string[]> {
  let cursor: string | undefined;
  do {
    const page = await attempt(() => bucket.list({ prefix, limit: PAGE, cursor }));
    const keys = page.objects.map(({ key }) => key.slice(PREFIX.length)).filter(isFileKey);
    if (keys.length > 0) yield keys;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeError(error);
  }
}
