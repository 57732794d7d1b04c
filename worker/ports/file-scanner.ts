/** What a scanner says of a file. */
export type Verdict =
  | { kind: "clean" }
  | { kind: "infected"; virus: string }
  /** Nothing is known of it; `down` where the next file would fare no better. */
  | { kind: "unknown"; reason: string; down: boolean };

/** Looks for viruses in files. */
export interface FileScanner {
  /**
   * Reads the file once, a piece at a time, and gives up when the signal says so. Fails only where the file itself
   * cannot be read: of a scanner that is not there, nothing is known.
   */
  scan(file: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<Verdict>;
}
