import type { Dependencies } from "../../dependencies";
import type { AppError } from "../../errors";
import { SAMPLE_BYTES } from "../../lib/file-types";
import type { FileSink } from "../../lib/multipart";

export type IncomingFile = FileSink & {
  readonly key: string;
  readonly size: number;
  /** Known after the last byte. */
  readonly mimeType: string;
  /** SHA-256 of the file, known after the last byte. */
  readonly sha256: string;
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

/** Streams a file into the store and checks it meanwhile. Throws as soon as a rule is violated. */
export async function receiveFile(
  { files, createSha256 }: Pick<Dependencies, "files" | "createSha256">,
  key: string,
  rules: FileRules & { count(bytes: number): void },
): Promise<IncomingFile> {
  const writer = await files.create(key);
  const hash = createSha256();
  let sha256 = "";
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
    get sha256() {
      return sha256;
    },
    async write(chunk) {
      rules.count(chunk.length);
      size += chunk.length;
      if (size > rules.maxBytes) throw rules.tooLarge();
      if (!mimeType) {
        sample = concatBytes(sample, chunk.subarray(0, SAMPLE_BYTES - sample.length));
        if (sample.length === SAMPLE_BYTES) await decideType();
      }
      const stored = writer.write(chunk);
      // While the chunk is being written to the store.
      hash.update(chunk);
      await stored;
    },
    async end() {
      if (size === 0) throw rules.empty();
      await decideType();
      sha256 = hash.digest();
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
