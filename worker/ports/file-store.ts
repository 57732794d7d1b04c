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
  /** Of these files, unfinished ones included, those last written at least this long ago by the store's own clock. */
  olderThan(keys: readonly string[], milliseconds: number): Promise<string[]>;
  /** Removes files of unknown origin. A disk first moves them into another folder, and deletes them a week later. */
  removeOrphans(keys: readonly string[]): Promise<void>;
  /** The id that the store shares with its database; null if it has none yet. */
  readOwner(): Promise<string | null>;
  /** Records that id. Without `replace`, a store that can tell keeps the id that it has. */
  writeOwner(id: string, options?: { replace?: boolean }): Promise<void>;
}

/** Thrown by a writer when the store is full. */
export class StorageFullError extends Error {}

/** Thrown when the store is unreachable or fails. */
export class StoreUnavailableError extends Error {}

/** The store's files belong to another database. Its message is a sentence for the operator. */
export class ForeignStoreError extends Error {}
