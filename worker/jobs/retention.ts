import { runBatch } from "../../db/client";
import {
  announceDeletions,
  announceSomeDeletions,
  recordUnseenNotices,
} from "../../db/queries/deletion-notices";
import { deleteDueFiles, listDueDeletions } from "../../db/queries/retention";
import type { Dependencies } from "../dependencies";
import { NOTICE_DAYS, UNSEEN_NOTICE_DAYS } from "../features/envelope-rules/envelope-dates";
import { deletePendingFiles } from "../features/files/file-deletions";
import { DAY_MS } from "../lib/durations";

/** Each may have thousands of files, and others wait. A Worker may not make as many calls. */
const [PAGE, WORKER_PAGE] = [10, 100];

const timesOf = ({ clock }: Dependencies) => ({ now: clock.now().toISOString(), noticeDays: NOTICE_DAYS });

/**
 * Notifies owners a week before files are deleted, with one mail per workspace, and again each day while a mail does
 * not arrive. Without a mail server, the interface shows the notice, and the period begins in the end without that.
 */
export async function announceFileDeletions(deps: Dependencies): Promise<void> {
  const { db, clock, mailer, takeTurn } = deps;
  const times = timesOf(deps);
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS).toISOString();
  while (takeTurn && (await announceSomeDeletions(db, times))) await takeTurn();
  await runBatch(db, [
    ...announceDeletions(db, { ...times, repeatBefore: mailer.localOnly ? null : daysAgo(1) }),
    ...(mailer.localOnly
      ? [recordUnseenNotices(db, { ...times, announcedBefore: daysAgo(UNSEEN_NOTICE_DAYS) })]
      : []),
  ]);
}

/** Deletes the files of completed envelopes whose retention has ended. */
export async function deleteRetainedFiles(deps: Dependencies): Promise<void> {
  const { db, log } = deps;
  const page = deps.runLimits ? WORKER_PAGE : PAGE;
  for (;;) {
    await deps.takeTurn?.();
    const times = timesOf(deps);
    const ids = await listDueDeletions(db, times, page);
    await runBatch(db, ids.length > 0 ? deleteDueFiles(db, ids, times) : []);
    if (ids.length > 0) log.info("files of completed envelopes deleted", { envelopes: ids.length });
    if (ids.length < page) break;
  }
  await deletePendingFiles(deps);
}
