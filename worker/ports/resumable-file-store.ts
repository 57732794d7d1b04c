/** How much of a file is stored. It is stored in the file's row, so that any server can continue the file. */
export type Progress = {
  /** The number of bytes on stable storage. */
  offset: number;
  /** The store's own record of them, such as the parts it has; "" before the first byte. */
  state: string;
};

/** A file whose bytes arrive over several requests. */
export type ResumableFile = Progress & {
  key: string;
  /** The bytes it will have in all. */
  size: number;
};

/** Keeps the progress. Where it throws, the writer stops. */
export type SaveProgress = (progress: Progress) => Promise<void>;

/** Adds bytes to a file; one writer at a time. After a failure only `discard` may be called. */
export interface ResumableFileWriter {
  /** Resolves when the store accepts more; the chunk may then be reused. */
  write(chunk: Uint8Array): Promise<void>;
  /** Resolves once every byte that was written is on stable storage. The caller keeps the progress. */
  end(): Promise<Progress>;
  /** Ends without storing more. What was saved can be continued from. Harmless after `end`. */
  discard(): Promise<void>;
}

/** Stores files that arrive in pieces. It shares keys and bytes with the `FileStore` beside it. */
export interface ResumableFileStore {
  /** @throws StorageFullError where no new file may begin */
  requireSpace(): Promise<void>;
  /**
   * Opens a file, new or not, for the bytes that follow its offset. `save` is called, and awaited, whenever more of
   * them are on stable storage, before the store replaces anything that the progress before needs.
   * @throws StoreUnavailableError where less is stored than the offset says
   */
  append(file: ResumableFile, save: SaveProgress): Promise<ResumableFileWriter>;
  /** Makes a file of which every byte is stored readable in the `FileStore`. Harmless when repeated. */
  finish(file: ResumableFile): Promise<void>;
  /** Removes all that is stored of a file, finished or not; what is not there is no error. */
  abandon(key: string, state: string): Promise<void>;
  /** Remains of files that were not written to since the moment, a page at a time. A row may still name some. */
  listAbandoned(before: Date): AsyncIterable<{ key: string; state: string }[]>;
}
