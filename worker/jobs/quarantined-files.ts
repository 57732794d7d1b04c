import { runBatch } from "../../db/client";
import {
  claimQuarantinedFile,
  deleteInfectedFile,
  type QuarantinedFile,
  updateQuarantinedFile,
} from "../../db/queries/quarantined-files";
import type { Dependencies } from "../dependencies";
import { tryDeletePendingFiles } from "../features/files/file-deletions";
import { scanStored } from "../features/files/scanning";
import { deliverSoon } from "../features/notifications/outbox";
import { HOUR_MS } from "../lib/durations";
import type { FileScanner } from "../ports/file-store";

/** Longer than for an upload, because nobody waits; clamd itself gives up after two minutes. */
const SCAN_TIMEOUT_MS = 150_000;
/** Afterwards another process may take over the claim. */
const CLAIM_MS = SCAN_TIMEOUT_MS + 60_000;
/** A run claims nothing more after this time; the next run continues. */
const RUN_MS = 40_000;

const SOON_MS = 30_000;
const LATE_MS = HOUR_MS;

/** Scans quarantined files concurrently with the other jobs, so that a slow scanner does not delay them. */
export async function startScanningQuarantine(deps: Dependencies): Promise<void> {
  if (deps.scanner) deps.background.run("quarantined files", () => scanQuarantinedFiles(deps));
}

/** Scans quarantined files until the scanner fails again. */
export async function scanQuarantinedFiles(deps: Dependencies): Promise<void> {
  const { db, clock, scanner } = deps;
  if (!scanner) return;
  const endsAt = Date.now() + RUN_MS;
  while (Date.now() < endsAt) {
    const now = clock.now().toISOString();
    const file = await claimQuarantinedFile(db, { now, dueAgainAt: later(deps, CLAIM_MS) });
    if (!file || !(await scan(deps, scanner, file))) return;
  }
}

/** @returns whether to try the next file */
async function scan(deps: Dependencies, scanner: FileScanner, file: QuarantinedFile): Promise<boolean> {
  const { db, clock, files, log } = deps;
  const signal = AbortSignal.timeout(SCAN_TIMEOUT_MS);
  const verdict = await scanStored({ files, scanner }, file.filePath, signal);
  switch (verdict.kind) {
    case "clean":
      await runBatch(db, [updateQuarantinedFile(db, file, { scanDueAt: null, scanFailure: null })]);
      return true;
    case "infected":
      log.error("virus found in a quarantined file", { file: file.filePath, virus: verdict.virus });
      await runBatch(db, deleteInfectedFile(db, file, verdict.virus, clock.now().toISOString()));
      deliverSoon(deps);
      await tryDeletePendingFiles(deps);
      return true;
    case "unknown":
      log.error("quarantined file not scanned", { file: file.filePath, reason: verdict.reason });
      await runBatch(db, [
        updateQuarantinedFile(db, file, {
          scanDueAt: later(deps, retryDelayOf(deps, file, verdict.down)),
          ...(!verdict.down && { scanFailure: verdict.reason }),
        }),
      ]);
      return !verdict.down;
  }
}

/** A file that cannot be scanned is retried at growing intervals, but soon if the scanner itself is down. */
function retryDelayOf({ clock }: Dependencies, { createdAt }: QuarantinedFile, down: boolean): number {
  const age = clock.now().getTime() - Date.parse(createdAt);
  return down ? SOON_MS : Math.min(Math.max(age, SOON_MS), LATE_MS);
}

const later = ({ clock }: Dependencies, milliseconds: number) =>
  new Date(clock.now().getTime() + milliseconds).toISOString();
