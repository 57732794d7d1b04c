import type { AppError } from "../../errors";
import { SAMPLE_BYTES } from "../../lib/file-types";
import type { FileSink } from "../../lib/multipart";
import type { FileStore } from "../../ports/file-store";

export type IncomingFile = FileSink & {
  readonly key: string;
  readonly size: number;
  /** Known once the file has ended. */
  readonly mimeType: string;
  commit(): Promise<void>;
  abort(): Promise<void>;
};

export type FileRules = {
  maxBytes: number;
  tooLarge: () => AppError;
  empty: () => AppError;
  /** Detects the media type from the first bytes. @throws AppError if it is not accepted */
  typeOf: (sample: Uint8Array) => Promise<string>;
};

/** Streams a file into the store and checks it on the way. Throws as soon as a rule is broken. */
export async function receiveFile(
  store: FileStore,
  key: string,
  rules: FileRules & { count(bytes: number): void },
): Promise<IncomingFile> {
  const writer = await store.create(key);
  let sample: Uint8Array = new Uint8Array();
  let size = 0;
  let mimeType = "";
  const decideType = async () => {
    mimeType ||= await rules.typeOf(sample);
  };
  return {
    key,
    get size() {
      return size;
    },
    get mimeType() {
      return mimeType;
    },
    async write(chunk) {
      rules.count(chunk.length);
      size += chunk.length;
      if (size > rules.maxBytes) throw rules.tooLarge();
      if (!mimeType) {
        sample = concatBytes(sample, chunk.subarray(0, SAMPLE_BYTES - sample.length));
        if (sample.length === SAMPLE_BYTES) await decideType();
      }
      await writer.write(chunk);
    },
    async end() {
      if (size === 0) throw rules.empty();
      await decideType();
      await writer.end();
    },
    commit: () => writer.commit(),
    abort: () => writer.abort(),
  };
}

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
