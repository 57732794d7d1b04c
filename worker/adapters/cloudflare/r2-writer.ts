import type { R2Bucket, R2MultipartUpload, R2UploadedPart } from "@cloudflare/workers-types";
import type { FileWriter } from "../../ports/file-store";
import { GrowingBuffer } from "../shared/growing-buffer";
import { storeError } from "./r2-errors";

/**
 * R2 requires parts of equal size, at least 5 MiB, except for the last one. An isolate has 128 MB for all its
 * requests.
 */
const PART_BYTES = 8 * 1024 * 1024;
/** A file up to this size stays in memory until `commit` and is stored with one operation instead of three. */
const SINGLE_PUT_BYTES = 256 * 1024;

/**
 * Writes an object in parts of a fixed size, with one part in memory; a small object in one operation. The object is
 * invisible before `commit`: R2 shows neither unfinished nor aborted uploads.
 */
export function createR2Writer(bucket: R2Bucket, path: string): FileWriter {
  const part = new GrowingBuffer(PART_BYTES);
  const parts: R2UploadedPart[] = [];
  let upload: R2MultipartUpload | undefined;
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
    end: () =>
      step(async () => {
        if (!upload && part.length <= SINGLE_PUT_BYTES) return;
        if (part.length > 0) await uploadPart();
        part.free();
      }),
    commit: () =>
      step(async () => {
        if (upload && part.length > 0) await uploadPart();
        if (upload) await upload.complete(parts);
        else await bucket.put(path, part.view());
        isOpen = false;
        part.free();
      }),
    async abort() {
      if (isOpen) await giveUp();
    },
  };
}
