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
