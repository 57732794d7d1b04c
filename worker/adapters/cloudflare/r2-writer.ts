import type { R2Bucket, R2MultipartUpload, R2UploadedPart } from "@cloudflare/workers-types";
import type { FileWriter } from "../../ports/file-store";
import { GrowingBuffer } from "../shared/growing-buffer";
import { storeError } from "./r2-errors";

/** R2 wants all parts but the last of one size, at least 5 MiB; an isolate has 128 MB for all its requests. */
export const PART_BYTES = 8 * 1024 * 1024;
/** A file up to this size waits in memory for its `commit` and is then put at once: one operation, not three. */
export const SINGLE_PUT_BYTES = 256 * 1024;

/**
 * Writes an object in parts of a fixed size, holding one part in memory, and a small one at once. It is not
 * there before `commit`, since R2 shows neither an upload that is not complete nor one that was given up.
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
    // R2 itself removes after a week what could not be removed now.
    await upload?.abort().catch(() => {});
  };
  /** Runs a step of the writing; a step that fails takes the whole file with it. */
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
