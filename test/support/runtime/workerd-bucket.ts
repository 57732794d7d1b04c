import type { R2Bucket, R2MultipartUpload } from "@cloudflare/workers-types";

export type WatchedBucket = {
  bucket: R2Bucket;
  fail: boolean;
  /** Whether its calls stay without an answer. */
  silent: boolean;
  openUploads: Set<string>;
};

/** Runs in workerd: a real bucket that counts its unfinished uploads, and on command fails or does not answer. */
export function watchBucket(inner: R2Bucket): WatchedBucket {
  const watched = { bucket: inner, fail: false, silent: false, openUploads: new Set<string>() };
  const failing = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_target, name) {
        const value = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        // The only call that answers at once.
        if (name === "resumeMultipartUpload")
          return (path: string, id: string) => failing(inner.resumeMultipartUpload(path, id));
        return async (...args: unknown[]) => {
          if (watched.silent) await new Promise(() => {});
          if (watched.fail) throw new Error(`${String(name)}: Internal error (10001)`);
          const result: unknown = await value.apply(target, args);
          if (name === "complete" || name === "abort")
            watched.openUploads.delete((target as unknown as R2MultipartUpload).uploadId);
          if (name !== "createMultipartUpload") return result;
          const upload = result as R2MultipartUpload;
          watched.openUploads.add(upload.uploadId);
          return failing(upload);
        };
      },
    });
  watched.bucket = failing(inner);
  return watched;
}
