import { S3Client } from "bun";
import { type FileStore, type FileWriter, StoreUnavailableError } from "../../../ports/file-store";
import { isFileKey, requireFileKey } from "../../shared/file-key";

const PART_BYTES = 8 * 1024 * 1024;
const PAGE = 500;
const LINK_SECONDS = 60;
/** Leaves the bucket's root to other data. */
const PREFIX = "uploads/";

export type S3Options = {
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  region?: string;
};

/** Stores files in an S3-compatible store. A large file is sent in parts and becomes visible when complete. */
export function createS3FileStore(options: S3Options): FileStore {
  const client = new S3Client(options);
  const pathOf = (key: string) => PREFIX + requireFileKey(key);
  return {
    create: async (key) => createWriter(client, pathOf(key)),
    async read(key, range) {
      const last = range && range.offset + range.length - 1;
      const link = client.presign(pathOf(key), { expiresIn: LINK_SECONDS });
      const headers = range ? { Range: `bytes=${range.offset}-${last}` } : undefined;
      const response = await attempt(() => fetch(link, { headers }));
      if (response.ok && response.body) return response.body;
      await response.body?.cancel();
      if (response.status === 404) return null;
      throw new StoreUnavailableError(`The file store answered ${response.status}`);
    },
    async remove(keys) {
      for (const path of keys.map(pathOf)) await attempt(() => client.delete(path));
    },
    list: (prefix = "") => list(client, PREFIX + prefix),
    // S3 does not list incomplete uploads; the bucket's lifecycle rules remove them.
    listUnfinished: async () => [],
  };
}

/**
 * Problem: Bun's S3 writer completes an upload even if it is ended with an error. The bytes therefore go through a
 * stream; if that errors, the upload is aborted. The store pulls, so at most one part waits in memory.
 */
function createWriter(client: S3Client, path: string): FileWriter {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const stream = writable.getWriter();
  const stored = attempt(() =>
    client.write(path, new Response(readable), { partSize: PART_BYTES, queueSize: 1 }),
  );
  stored.catch(() => {});
  stream.closed.catch(() => {});
  let state: "open" | "ended" | "committed" = "open";
  const end = async () => {
    if (state !== "open") return;
    await Promise.race([stream.close(), stored]);
    await stored;
    state = "ended";
  };
  return {
    async write(chunk) {
      // After a failure the store no longer reads from the stream.
      await Promise.race([stream.write(new Uint8Array(chunk)), stored]);
    },
    // Completes the upload now: until `commit`, every waiting file would keep one part in memory. No row contains the
    // key yet, so the file is still invisible.
    end,
    async commit() {
      await end();
      state = "committed";
    },
    async abort() {
      if (state === "ended") await attempt(() => client.delete(path));
      if (state !== "open") return;
      await stream.abort(new Error("The upload was aborted")).catch(() => {});
      await stored.catch(() => {});
    },
  };
}

async function* list(client: S3Client, prefix: string): AsyncGenerator<string[]> {
  let continuationToken: string | undefined;
  do {
    const page = await attempt(() => client.list({ prefix, maxKeys: PAGE, continuationToken }));
    const keys = (page.contents ?? []).map(({ key }) => key.slice(PREFIX.length)).filter(isFileKey);
    if (keys.length > 0) yield keys;
    continuationToken = page.isTruncated ? page.nextContinuationToken : undefined;
  } while (continuationToken);
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StoreUnavailableError("The file store failed", { cause: error });
  }
}
