import type { Upload } from "../../../db/queries/uploads";
import type { Dependencies } from "../../dependencies";
import { SAMPLE_BYTES } from "../../lib/file-types";
import { freeMemory } from "../../lib/upload-body";
import type { Sha256 } from "../../ports/crypto";

type Receiver = {
  /** Counts the bytes of a chunk before it is used. @throws AppError if there are too many */
  count(bytes: number): Promise<void>;
  type: TypeCheck;
  /** Writes a chunk to the store. */
  write(chunk: Uint8Array): Promise<void>;
  hashes: readonly Sha256[];
  takeTurn?: Dependencies["takeTurn"] | undefined;
};

/**
 * What happens to each byte of a file, in a multipart body (`incoming-files.ts`) and in an upload that can be continued
 * (`uploads/append-upload.ts`): it is counted, checked, stored and hashed. After the last byte both make the file
 * readable in the store, have it scanned and record it.
 * @throws whatever a step throws; the bytes before it were written
 */
export async function receiveBytes(
  chunks: AsyncIterable<Uint8Array>,
  { count, type, write, hashes, takeTurn }: Receiver,
): Promise<void> {
  for await (const chunk of chunks) {
    await takeTurn?.();
    await count(chunk.length);
    await type.take(chunk);
    const stored = write(chunk);
    // While the store receives the chunk.
    for (const hash of hashes) hash.update(chunk);
    await stored;
    freeMemory(chunk);
  }
}

/** This many bytes identify every type with a signature at its beginning; only Office files and some PDFs need more. */
const MIN_SAMPLE_BYTES = 64;

/** Checks the beginning of a file, which may arrive in chunks of any size. */
export type TypeCheck = {
  /** What is stored of the check with the bytes up to the offset: the detected type, or the beginning in base64. */
  stateAt(offset: number): TypeState;
  /** @throws what `typeOf` throws, as soon as the bytes contradict the type */
  take(chunk: Uint8Array): Promise<void>;
  /** Called after the last byte. @returns the media type @throws the same */
  end(): Promise<string>;
};

export type TypeState = Pick<Upload, "sample" | "mimeType">;

/**
 * Detects the media type from the first bytes of a file; `isBeginning` if more of them will follow.
 * @throws AppError if it is not accepted
 */
export type TypeOf = (sample: Uint8Array, isBeginning: boolean) => Promise<string>;

/** Begins a check, or continues one with what was stored of it. */
export function createTypeCheck(typeOf: TypeOf, before?: TypeState): TypeCheck {
  const sample = new Uint8Array(SAMPLE_BYTES);
  let length = 0;
  let mimeType = before?.mimeType ?? null;
  if (before?.sample) {
    const bytes = Uint8Array.fromBase64(before.sample);
    sample.set(bytes);
    length = bytes.length;
  }
  const check = (isBeginning = false) => typeOf(sample.subarray(0, length), isBeginning);
  return {
    stateAt(offset) {
      if (mimeType !== null && offset >= length) return { sample: null, mimeType };
      return { sample: sample.subarray(0, Math.min(offset, length)).toBase64(), mimeType: null };
    },
    async take(chunk) {
      if (mimeType !== null || chunk.length === 0) return;
      const taken = chunk.subarray(0, SAMPLE_BYTES - length);
      const checked = length >= MIN_SAMPLE_BYTES;
      sample.set(taken, length);
      length += taken.length;
      if (length === SAMPLE_BYTES) mimeType = await check();
      else if (length >= MIN_SAMPLE_BYTES && !checked) await check(true);
    },
    async end() {
      mimeType ??= await check();
      return mimeType;
    },
  };
}
