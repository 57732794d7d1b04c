import type { R2Bucket, R2MultipartUpload } from "@cloudflare/workers-types";

export type WatchedBucket = { bucket: R2Bucket; fail: boolean; openUploads: number };

/** Runs in workerd: a real bucket that counts its unfinished uploads, and fails when it is told to. */
export function watchBucket(inner: R2Bucket): WatchedBucket {
  const watched = { bucket: inner, fail: false, openUploads: 0 };
  const failing = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_target, name) {
        const value = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]) => {
          if (watched.fail) throw new Error(`${String(name)}: Internal error (10001)`);
          const result: unknown = await value.apply(target, args);
          if (name === "createMultipartUpload") watched.openUploads += 1;
          if (name === "complete" || name === "abort") watched.openUploads -= 1;
          return name === "createMultipartUpload" ? failing(result as R2MultipartUpload) : result;
        };
      },
    });
  watched.bucket = failing(inner);
  return watched;
}
