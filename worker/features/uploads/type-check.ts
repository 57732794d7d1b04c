import { SAMPLE_BYTES } from "../../lib/file-types";

/** This many bytes identify every type with a signature at its beginning; only Office files need more. */
const MIN_SAMPLE_BYTES = 64;

/** Checks the beginning of a file, which may arrive in chunks of any size. */
export type TypeCheck = {
  /** What is stored of the check with the bytes up to the offset: the detected type, or the beginning in base64. */
  stateAt(offset: number): TypeState;
  /** @throws what `typeOf` throws, as soon as the bytes contradict the file's name */
  take(chunk: Uint8Array): Promise<void>;
  /** Called after the last byte. @throws the same */
  end(): Promise<void>;
};

export type TypeState = { sample: string | null; mimeType: string | null };

/** @param typeOf returns the media type of the sample; throws if it contradicts the file's name */
export function createTypeCheck(
  before: TypeState,
  typeOf: (sample: Uint8Array) => Promise<string>,
): TypeCheck {
  const sample = new Uint8Array(SAMPLE_BYTES);
  let length = 0;
  let { mimeType } = before;
  if (before.sample) {
    const bytes = Uint8Array.fromBase64(before.sample);
    sample.set(bytes);
    length = bytes.length;
  }
  const check = () => typeOf(sample.subarray(0, length));
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
      else if (length >= MIN_SAMPLE_BYTES && !checked) await check();
    },
    async end() {
      mimeType ??= await check();
    },
  };
}
