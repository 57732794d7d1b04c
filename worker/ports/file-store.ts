/** A file being written. Nothing of it can be read before `commit`. */
export interface FileWriter {
  /** Resolves when the store accepts more; the chunk may then be reused. */
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Signals the last chunk. Resolves once the store has freed its buffers and its file descriptor: `commit` may come much
   * later.
   */
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
   * Requires that files can be stored now, and leaves nothing behind.
   * @throws StorageFullError, StoreUnavailableError
   */
  tryStoring(): Promise<void>;
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

/** The scanner's result for a file. */
export type Verdict =
  | { kind: "clean" }
  | { kind: "infected"; virus: string }
  /** No result; `down` if the next file would fail as well. */
  | { kind: "unknown"; reason: string; down: boolean };

/** Scans files for viruses. */
export interface FileScanner {
  /**
   * Reads the file once as a stream and stops on the signal. Throws only if the file cannot be read; an unreachable
   * scanner yields an unknown verdict.
   */
  scan(file: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<Verdict>;
}

/** How much of a file is stored. Recorded in the file's row, so that any server can continue the file. */
export type Progress = {
  /** The number of bytes on stable storage. */
  offset: number;
  /** The store's own state, such as the parts it has; "" before the first byte. */
  state: string;
};

/** A file whose bytes arrive over several requests. */
export type ResumableFile = Progress & {
  key: string;
  /** The final size in bytes. */
  size: number;
};

/** The store no longer has all bytes of an upload, as object stores after a week. It cannot be continued. */
export class UploadLostError extends Error {}

/** Saves the progress. If it throws, the writer stops. */
export type SaveProgress = (progress: Progress) => Promise<void>;

/** Appends bytes to a file; one writer at a time. After a failure only `discard` may be called. */
export interface ResumableFileWriter {
  /** Resolves when the store accepts more; the chunk may then be reused. */
  write(chunk: Uint8Array): Promise<void>;
  /** Resolves once every written byte is on stable storage. The caller saves the progress. */
  end(): Promise<Progress>;
  /** Ends without storing more. The upload can continue from the saved progress. Has no effect after `end`. */
  discard(): Promise<void>;
}

/** Stores files that arrive in chunks. It shares keys and bytes with the `FileStore` of the same instance. */
export interface ResumableFileStore {
  /** @throws StorageFullError if there is no space for a new file of this size */
  requireSpace(size: number): Promise<void>;
  /**
   * Opens a new or existing file for the bytes after its offset. `save` is called, and awaited, whenever more of them
   * are on stable storage, before the store replaces anything that the previous progress needs.
   * @throws UploadLostError if less is stored than the offset says, or while it is written
   */
  append(file: ResumableFile, save: SaveProgress): Promise<ResumableFileWriter>;
  /** Makes a completely stored file readable in the `FileStore`. May be repeated. @throws UploadLostError */
  finish(file: ResumableFile): Promise<void>;
  /** Removes all stored data of a file, finished or not; missing data is not an error. */
  abandon(key: string, state: string): Promise<void>;
  /** Data of files that were not written to since this time, a page at a time. A row may still reference some. */
  listAbandoned(before: Date): AsyncIterable<{ key: string; state: string }[]>;
}
