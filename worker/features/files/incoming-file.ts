import { listUnreferencedKeys } from "../../../db/queries/schedule";
import type { Dependencies } from "../../dependencies";
import { type AppError, causes } from "../../errors";
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

type Rules = {
  maxBytes: number;
  tooLarge: () => AppError;
  empty: () => AppError;
  /** The media type that the file's beginning shows. @throws AppError where it is not accepted */
  typeOf: (sample: Uint8Array) => Promise<string>;
};

/** Streams a file into the store while checking it; what breaks a rule is thrown as soon as it is seen. */
export async function receiveFile(store: FileStore, key: string, rules: Rules): Promise<IncomingFile> {
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
      await writer.end?.();
    },
    commit: () => writer.commit(),
    abort: () => writer.abort(),
  };
}

/**
 * Removes what has come in of refused files, save those that a row knows: a commit whose answer was lost has
 * happened all the same. A failure at it must not hide why they were refused: the sweep takes what is left.
 */
export async function discardFiles(
  { db, files, log }: Dependencies,
  received: IncomingFile[],
): Promise<void> {
  if (received.length === 0) return;
  try {
    await Promise.all(received.map((file) => file.abort()));
    const keys = received.map(({ key }) => key);
    await files.remove(await listUnreferencedKeys(db, keys));
  } catch (error) {
    log.error("files not discarded", { count: received.length, error: causes(error) });
  }
}

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
