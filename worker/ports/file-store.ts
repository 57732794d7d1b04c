/** A file that is being written. Nothing of it can be read before `commit`. */
export interface FileWriter {
  /** Resolves when the store is ready for more; the chunk may be reused afterwards. */
  write(chunk: Uint8Array): Promise<void>;
  /** No chunk will follow; a store may already let go of what it holds in memory. `commit` may come later. */
  end?(): Promise<void>;
  /** Resolves once the bytes are on stable storage under their key. */
  commit(): Promise<void>;
  /** Leaves nothing behind. Harmless after `commit` has failed or a first `abort`. */
  abort(): Promise<void>;
}

export type ByteRange = { offset: number; length: number };

/** Where uploaded bytes live. Keys are made by the app and never come from a client. */
export interface FileStore {
  create(key: string): Promise<FileWriter>;
  /** The file's bytes, or those of the range; null where there is no such file. */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>;
  /** Removes what is there of the keys; those that are not there are no error. */
  remove(keys: readonly string[]): Promise<void>;
  /** The keys of files written before the moment, a page at a time. */
  listOlderThan(moment: Date): AsyncIterable<string[]>;
  /** Tells that the rows of committed files are written. Never fails: what is not told is looked up later. */
  settle?(keys: readonly string[]): Promise<void>;
  /** The keys that a process which is gone may have committed and did not settle; only some stores know. */
  listAbandoned?(): Promise<string[]>;
}

/** Thrown by a writer that finds no room left. */
export class StorageFullError extends Error {}

/** Thrown when the store cannot be reached or answers with a failure of its own. */
export class StoreUnavailableError extends Error {}
