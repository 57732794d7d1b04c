import type { Dependencies } from "../../dependencies";
import type { FileScanner, Verdict } from "../../ports/file-store";

/** The total time an upload waits for the scanner, for any number of files. */
const SCAN_TIMEOUT_MS = 25_000;

const SAMPLE_MS = 10_000;
export const SAMPLE = "nothing to find";

/** Whether the scanner works: its verdict on a few bytes. */
export const scanSample = (scanner: FileScanner): Promise<Verdict> =>
  scanner.scan(new Blob([SAMPLE]).stream(), AbortSignal.timeout(SAMPLE_MS));

/**
 * The scanner's verdicts on stored files, in order; null without a scanner. After a failure or a timeout the remaining
 * files are unknown, too.
 */
export async function scanUploads(
  { files, scanner, log }: Dependencies,
  keys: readonly string[],
): Promise<Verdict[] | null> {
  if (!scanner) return null;
  const signal = AbortSignal.timeout(SCAN_TIMEOUT_MS);
  const verdicts: Verdict[] = [];
  for (const key of keys) {
    const previous = verdicts.at(-1);
    const scannerDown = previous?.kind === "unknown" && previous.down;
    const verdict = scannerDown ? previous : await scanStored({ files, scanner }, key, signal);
    verdicts.push(verdict);
    if (verdict.kind === "infected") log.error("virus found in an upload", { virus: verdict.virus });
    if (verdict.kind === "unknown" && !scannerDown)
      log.error("upload not scanned", { reason: verdict.reason });
  }
  return verdicts;
}

/** The scanner's verdict on one stored file. */
export async function scanStored(
  { files, scanner }: Pick<Required<Dependencies>, "files" | "scanner">,
  key: string,
  signal: AbortSignal,
): Promise<Verdict> {
  const bytes = await files.read(key);
  return bytes
    ? scanner.scan(bytes, signal)
    : { kind: "unknown", reason: "the store does not have the file", down: false };
}

/** The state of a submitted file. */
type FileState = {
  virus: string | null;
  deletedAt: string | null;
  scanDueAt: string | null;
  scanFailure?: string | null;
};

/** Why a submitted file cannot be downloaded; null if it can. */
export function unavailableReason({ virus, deletedAt, scanDueAt, scanFailure }: FileState) {
  if (virus) return "infected" as const;
  if (deletedAt) return "deleted" as const;
  if (scanDueAt) return scanFailure ? ("unscannable" as const) : ("checking" as const);
  return null;
}
