import type { R2Bucket } from "@cloudflare/workers-types";
import { type ResumableFileStore, UploadLostError } from "../../ports/resumable-file-store";
import { createMultipartStore, type MultipartBucket } from "../shared/multipart-uploads";
import { attempt } from "./r2-file-store";

const PAGE = 500;

/** Stores files in an R2 bucket while they arrive in chunks. R2 aborts uploads that are not completed within a week. */
export function createR2ResumableStore(bucket: R2Bucket): ResumableFileStore {
  return createMultipartStore(multipartBucket(bucket));
}

function multipartBucket(bucket: R2Bucket): MultipartBucket {
  const upload = (path: string, id: string) => bucket.resumeMultipartUpload(path, id);
  return {
    begin: async (path) => (await attempt(() => bucket.createMultipartUpload(path))).uploadId,
    putPart: async (path, id, number, bytes) =>
      (await orLost(attempt(() => upload(path, id).uploadPart(number, bytes)))).etag,
    async complete(path, id, tags) {
      const parts = tags.map((etag, index) => ({ etag, partNumber: index + 1 }));
      await orLost(attempt(() => upload(path, id).complete(parts)));
    },
    abort: (path, id) =>
      attempt(async () => {
        try {
          await upload(path, id).abort();
        } catch (error) {
          if (!isMissing(error)) throw error;
        }
      }),
    put: async (path, bytes) => void (await attempt(() => bucket.put(path, bytes))),
    async get(path) {
      const object = await attempt(() => bucket.get(path));
      return object && new Uint8Array(await attempt(() => object.arrayBuffer()));
    },
    size: async (path) => (await attempt(() => bucket.head(path)))?.size ?? null,
    remove: (paths) => attempt(() => bucket.delete([...paths])),
    async *listOlderThan(prefix, before) {
      let cursor: string | undefined;
      do {
        const page = await attempt(() => bucket.list({ prefix, limit: PAGE, cursor }));
        yield page.objects.filter(({ uploaded }) => uploaded < before).map(({ key }) => key);
        cursor = page.truncated ? page.cursor : undefined;
      } while (cursor);
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
