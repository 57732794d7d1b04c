import { S3Client } from "bun";
import { withDeadline } from "../../../lib/retry";
import type { FileStore, FileWriter } from "../../../ports/file-store";
import { isFileKey, OWNER_NAME, PROBE_KEY, requireFileKey } from "../../shared/file-key";
import { failureIn, failureOf } from "./s3-responses";
import { createS3Requests, listObjects, type S3Options, tryUpload } from "./s3-resumable-store";

const PART_BYTES = 8 * 1024 * 1024;
const LINK_SECONDS = 60;
/** Until a file begins to arrive; the file itself may take longer. */
const RESPONSE_MS = 30_000;
/** Leaves the bucket's root to other data. */
const PREFIX = "uploads/";
const OWNER = PREFIX + OWNER_NAME;

/** Runs a call and converts its failure to the port's error. */
type Attempt = <T>(work: () => Promise<T>) => Promise<T>;

/** Stores files in an S3-compatible store. A large file is sent in parts and becomes visible when complete. */
export function createS3FileStore(options: S3Options): FileStore {
  const client = new S3Client(options);
  const requests = createS3Requests(options);
  const pathOf = (key: string) => PREFIX + requireFileKey(key);
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw failureOf(error, options);
    }
  };
  const discard = async (path: string) => void (await requests.find("DELETE", path))?.body?.cancel();
  const remove: FileStore["remove"] = async (keys) => {
    for (const path of keys.map(pathOf)) await discard(path);
  };
  return {
    create: async (key) => createWriter(client, pathOf(key), { attempt, discard }),
    tryStoring: () => tryUpload(options, pathOf(PROBE_KEY)),
    async read(key, range) {
      const last = range && range.offset + range.length - 1;
      const link = client.presign(pathOf(key), { expiresIn: LINK_SECONDS });
      const headers = range ? { Range: `bytes=${range.offset}-${last}` } : undefined;
      const abandoned = new AbortController();
      const response = await attempt(() =>
        withDeadline(fetch(link, { headers, signal: abandoned.signal }), RESPONSE_MS, () => {
          const late = new DOMException("No answer in time", "TimeoutError");
          abandoned.abort(late);
          return late;
        }),
      );
      if (response.ok && response.body) return response.body;
      const { failure, isMissing } = await failureIn(response, "GET", options);
      if (isMissing) return null;
      throw failure;
    },
    remove,
    async *list(prefix = "") {
      for await (const objects of listObjects(requests, PREFIX + prefix)) {
        const keys = objects.map(({ path }) => path.slice(PREFIX.length)).filter(isFileKey);
        if (keys.length > 0) yield keys;
      }
    },
    // S3 does not list incomplete uploads; the bucket's lifecycle rules remove them.
    listUnfinished: async () => [],
    async olderThan(keys, milliseconds) {
      const wanted = new Set(keys.map(pathOf));
      const old: string[] = [];
      for await (const objects of listObjects(requests, PREFIX))
        for (const { path, ageMs } of objects)
          if (ageMs >= milliseconds && wanted.has(path)) old.push(path.slice(PREFIX.length));
      return old;
    },
    removeOrphans: remove,
    async readOwner() {
      const text = await (await requests.find("GET", OWNER))?.text();
      return text?.trim() || null;
    },
    // Not every store knows conditional writes, so the caller reads it again.
    async writeOwner(id, { replace = false } = {}) {
      const found = replace ? null : await requests.find("HEAD", OWNER);
      if (!found) await (await requests.require("PUT", OWNER, { body: id })).body?.cancel();
    },
  };
}

/**
 * Problem: Bun's S3 writer completes an upload even if it is ended with an error. The bytes therefore go through a
 * stream; if that errors, the upload is aborted. The store pulls, so at most one part waits in memory.
 */
function createWriter(
  client: S3Client,
  path: string,
  { attempt, discard }: { attempt: Attempt; discard(path: string): Promise<void> },
): FileWriter {
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
      if (state === "ended") await discard(path);
      if (state !== "open") return;
      await stream.abort(new Error("The upload was aborted")).catch(() => {});
      await stored.catch(() => {});
    },
  };
}
