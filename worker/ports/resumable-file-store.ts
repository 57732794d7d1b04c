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

/** The store no longer has the bytes of an upload, as object stores after a week. It cannot be continued. */
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
   * @throws StoreUnavailableError if less is stored than the offset says
   * @throws UploadLostError while it is written
   */
  append(file: ResumableFile, save: SaveProgress): Promise<ResumableFileWriter>;
  /** Makes a completely stored file readable in the `FileStore`. May be repeated. @throws UploadLostError */
  finish(file: ResumableFile): Promise<void>;
  /** Removes all stored data of a file, finished or not; missing data is not an error. */
  abandon(key: string, state: string): Promise<void>;
  /** Data of files that were not written to since this time, a page at a time. A row may still reference some. */
  listAbandoned(before: Date): AsyncIterable<{ key: string; state: string }[]>;
}
