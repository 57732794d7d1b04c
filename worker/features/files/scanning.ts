import type { Dependencies } from "../../dependencies";
import type { Verdict } from "../../ports/file-scanner";

/** An upload waits so long for the scanner, however many its files are. */
const SCAN_TIMEOUT_MS = 25_000;

/**
 * What the scanner says of stored files that an upload waits for, in their order; null without a scanner. Of
 * those that come after it failed or ran out of time, nothing is known either.
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

/** What the scanner says of one file of the store. */
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
