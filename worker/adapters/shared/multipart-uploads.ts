import {
  type ByteRange,
  type Progress,
  type ResumableFile,
  type ResumableFileStore,
  type ResumableFileWriter,
  type SaveProgress,
  UploadLostError,
} from "../../ports/file-store";
import { requireFileKey } from "./file-key";

const MIB = 1024 * 1024;
/**
 * R2 requires all parts but the last to have the same size; S3 and R2 require at least 5 MiB per part and at most
 * 10,000 parts.
 */
export const PART_BYTES = 8 * MIB;
const MAX_PARTS = 10_000;

/** When an object was stored, and how long ago by the store's own clock. */
type StoredAt = { storedAt: number; ageMs: number };

/** What an object store must provide. Failures are thrown as `StoreUnavailableError`. */
export interface ObjectBucket {
  /** @returns the id of the upload */
  begin(path: string): Promise<string>;
  /** @returns the part's tag @throws UploadLostError if there is no such upload any more */
  putPart(path: string, uploadId: string, number: number, bytes: Uint8Array): Promise<string>;
  /** @throws UploadLostError if there is no such upload, which may also have been completed already */
  complete(path: string, uploadId: string, tags: readonly string[]): Promise<void>;
  /** A missing upload is not an error. */
  abort(path: string, uploadId: string): Promise<void>;
  /** With `onlyNew`, an object that exists stays as it is, as far as the store can tell. */
  put(path: string, bytes: Uint8Array, options?: { onlyNew?: boolean }): Promise<void>;
  get(path: string, range?: ByteRange): Promise<Uint8Array | null>;
  /** The same as a stream. */
  read(path: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>;
  head(path: string): Promise<({ size: number } & StoredAt) | null>;
  remove(paths: readonly string[]): Promise<void>;
  /** The objects whose paths begin with the prefix, a page at a time. */
  list(prefix: string): AsyncIterable<({ path: string } & StoredAt)[]>;
  /** Incomplete multipart uploads, except those that the store aborts itself. */
  listUploads(prefix: string, before: Date): AsyncIterable<{ path: string; uploadId: string }[]>;
}

/** What is stored of a file; `rest` is the number of bytes after the last part, which are in a separate object. */
type Stored = { uploadId?: string; tags: string[]; rest: number; restWritten: boolean; whole: boolean };

/** The prefix of stored files, the same in S3 and R2, so that both runtimes can read a bucket. Leaves its root to other data. */
export const FILES = "uploads/";
const RESTS = "partial/";

/**
 * Stores files in an object store while they arrive in chunks of any size: full parts in a multipart upload, and the
 * bytes that do not fill a part yet in an object under `partial/`. That object is only extended, or replaced after the
 * progress that includes the previous part was saved. The saved progress can therefore always be continued.
 */
export function createMultipartStore(bucket: ObjectBucket): ResumableFileStore {
  return {
    // An object store has no limit.
    async requireSpace() {},
    append: (file, save) => openWriter(bucket, file, save),
    async finish({ key, size, state }) {
      const stored = readState(state);
      const path = FILES + requireFileKey(key);
      if (stored.uploadId && !stored.whole) {
        await bucket.complete(path, stored.uploadId, stored.tags).catch(async (error: unknown) => {
          // An earlier call may have completed the upload and crashed before recording it.
          if ((await bucket.head(path).catch(() => null))?.size !== size) throw error;
        });
      }
      if (stored.restWritten) await bucket.remove([RESTS + key]);
    },
    async abandon(key, state) {
      const path = FILES + requireFileKey(key);
      const { uploadId } = readState(state);
      if (uploadId) await bucket.abort(path, uploadId);
      await bucket.remove([path, RESTS + key]);
    },
    listAbandoned: (before) => listAbandoned(bucket, before),
  };
}

async function openWriter(
  bucket: ObjectBucket,
  file: ResumableFile,
  save: SaveProgress,
): Promise<ResumableFileWriter> {
  const path = FILES + requireFileKey(file.key);
  const restPath = RESTS + file.key;
  const stored = readState(file.state);
  const buffer = new GrowingBuffer(partBytes(file.size));
  if (stored.rest > 0) {
    const rest = await bucket.get(restPath);
    if (!rest || rest.length < stored.rest) throw new UploadLostError("The partial object is missing");
    buffer.fill(rest.subarray(0, stored.rest));
  }
  const offset = () => stored.tags.length * buffer.capacity + buffer.length;
  if (!stored.whole && offset() !== file.offset)
    throw new UploadLostError("The parts do not match the offset");

  const progress = (): Progress => ({ offset: offset(), state: JSON.stringify(stored) });
  const putPart = async () => {
    if (!stored.uploadId) {
      stored.uploadId = await bucket.begin(path);
      await save({ offset: file.offset, state: JSON.stringify(stored) });
    }
    const number = stored.tags.length + 1;
    stored.tags.push(await bucket.putPart(path, stored.uploadId, number, buffer.view()));
    stored.rest = 0;
  };
  return {
    async write(chunk) {
      for (let taken = 0; taken < chunk.length; ) {
        if (buffer.isFull) {
          await putPart();
          buffer.reset();
          await save(progress());
        }
        taken += buffer.fill(chunk.subarray(taken));
      }
    },
    async end() {
      if (stored.whole) return { offset: file.offset, state: file.state };
      const reached = offset();
      const last = reached === file.size;
      if (last && !stored.uploadId) {
        await bucket.put(path, buffer.view());
        stored.whole = true;
      } else if (buffer.length > 0 && (last || buffer.isFull)) {
        await putPart();
      } else if (buffer.length !== stored.rest) {
        await bucket.put(restPath, buffer.view());
        stored.rest = buffer.length;
        stored.restWritten = true;
      }
      buffer.free();
      return { offset: reached, state: JSON.stringify(stored) };
    },
    async discard() {
      buffer.free();
    },
  };
}

async function* listAbandoned(bucket: ObjectBucket, before: Date) {
  for await (const rests of bucket.list(RESTS))
    yield rests
      .filter(({ storedAt }) => storedAt < before.getTime())
      .map(({ path }) => ({ key: path.slice(RESTS.length), state: "" }));
  for await (const uploads of bucket.listUploads(FILES, before))
    yield uploads.map(({ path, uploadId }) => ({
      key: path.slice(FILES.length),
      state: JSON.stringify({ ...NOTHING, uploadId }),
    }));
}

const NOTHING: Stored = { tags: [], rest: 0, restWritten: false, whole: false };

const readState = (state: string): Stored => ({
  ...NOTHING,
  ...(state === "" ? { tags: [] } : JSON.parse(state)),
});

/** A file of more than 80 GB needs larger parts. */
function partBytes(size: number): number {
  return Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS / MIB) * MIB);
}

const FIRST_BYTES = 64 * 1024;

/** Collects bytes up to a maximum size without allocating it in advance. */
export class GrowingBuffer {
  #bytes = new Uint8Array(0);
  #length = 0;

  constructor(readonly capacity: number) {}

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.capacity;
  }

  /** Copies as much of the chunk as fits and returns the number of bytes copied. */
  fill(chunk: Uint8Array): number {
    const taken = Math.min(chunk.length, this.capacity - this.#length);
    this.#reserve(this.#length + taken);
    this.#bytes.set(chunk.subarray(0, taken), this.#length);
    this.#length += taken;
    return taken;
  }

  /** The collected bytes, as a view that the next `fill` may overwrite. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Starts again in the same memory. */
  reset(): void {
    this.#length = 0;
  }

  /** Releases the memory. */
  free(): void {
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
  }

  #reserve(needed: number): void {
    if (needed <= this.#bytes.length) return;
    const size = Math.min(this.capacity, Math.max(FIRST_BYTES, needed, this.#bytes.length * 2));
    const larger = new Uint8Array(size);
    larger.set(this.view());
    this.#bytes = larger;
  }
}
