import type { R2Bucket, R2Object } from "@cloudflare/workers-types";
import { withDeadline } from "../../lib/retry";
import { StoreUnavailableError, UploadLostError } from "../../ports/file-store";
import type { ObjectBucket } from "../shared/multipart-uploads";

/** The maximum. Each page is one of the subrequests that a run of the schedule may make. */
const PAGE = 1000;
const MAX_KEYS = 1000;
/** R2 that does not answer must stop neither the jobs nor a response. */
const CALL_MS = 10_000;
/** A call with a part of a file, or one that joins the parts. */
const PART_MS = 60_000;

/** A bucket of R2, which aborts uploads that are not completed within a week. */
export function r2Bucket(bucket: R2Bucket): ObjectBucket {
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
    async put(path, bytes, { onlyNew = false } = {}) {
      const options = onlyNew ? { onlyIf: { etagDoesNotMatch: "*" } } : {};
      await attempt(() => bucket.put(path, bytes, options), PART_MS);
    },
    async get(path, range) {
      const object = await attempt(() => bucket.get(path, range && { range }));
      return object && new Uint8Array(await attempt(() => object.arrayBuffer()));
    },
    async read(path, range) {
      const object = await attempt(() => bucket.get(path, range && { range }));
      // Cloudflare's stream type and the standard one are the same under two names.
      return (object?.body ?? null) as ReadableStream<Uint8Array> | null;
    },
    async head(path) {
      const found = await attempt(() => bucket.head(path));
      return found && { size: found.size, ...timesOf(found) };
    },
    async remove(paths) {
      for (let start = 0; start < paths.length; start += MAX_KEYS)
        await attempt(() => bucket.delete(paths.slice(start, start + MAX_KEYS)));
    },
    async *list(prefix) {
      let cursor: string | undefined;
      do {
        const page = await attempt(() => bucket.list({ prefix, limit: PAGE, cursor }));
        yield page.objects.map((object) => ({ path: object.key, ...timesOf(object) }));
        cursor = page.truncated ? page.cursor : undefined;
      } while (cursor);
    },
    // R2 does not list incomplete uploads.
    async *listUploads() {},
  };
}

const timesOf = ({ uploaded }: R2Object) => ({
  storedAt: uploaded.getTime(),
  ageMs: Date.now() - uploaded.getTime(),
});

/** The result of the work. @throws StoreUnavailableError, also if it takes too long */
async function attempt<T>(work: () => Promise<T>, milliseconds = CALL_MS): Promise<T> {
  try {
    return await withDeadline(work(), milliseconds, () => new Error(`No answer in ${milliseconds} ms`));
  } catch (error) {
    throw new StoreUnavailableError("R2 failed", { cause: error });
  }
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
