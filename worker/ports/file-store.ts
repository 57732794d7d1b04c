/** A file being written. Nothing of it can be read before `commit`. */
export interface FileWriter {
  /** Resolves when the store accepts more; the chunk may then be reused. */
  write(chunk: Uint8Array): Promise<void>;
  /** Signals the last chunk, so that the store can free its buffers. `commit` may come much later. */
  end(): Promise<void>;
  /** Resolves once the bytes are on stable storage under their key. */
  commit(): Promise<void>;
  /** Discards the file. Safe to call after a failed `commit` or a previous `abort`. */
  abort(): Promise<void>;
}

export type ByteRange = { offset: number; length: number };

/**
 * Where uploaded bytes are stored. The app generates the keys; they never come from a client. The store does not know
 * which files are needed: that depends on rows and upload leases.
 */
export interface FileStore {
  create(key: string): Promise<FileWriter>;
  /**
   * The file's bytes or the given range; null if the file does not exist. With `toSend`, the runtime sends the stream
   * to a client with a Content-Length.
   */
  read(
    key: string,
    range?: ByteRange,
    options?: { toSend?: boolean },
  ): Promise<ReadableStream<Uint8Array> | null>;
  /** Removes the files with these keys, unfinished ones included; a missing file is not an error. */
  remove(keys: readonly string[]): Promise<void>;
  /** The keys of committed files that begin with the prefix, a page at a time. */
  list(prefix?: string): AsyncIterable<string[]>;
  /** The keys of partially written files, if the store separates those. */
  listUnfinished(): Promise<string[]>;
}

/** Thrown by a writer when the store is full. */
export class StorageFullError extends Error {}

/** Thrown when the store is unreachable or fails. */
export class StoreUnavailableError extends Error {}
