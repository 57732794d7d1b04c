import { runBatch } from "../../db/client";
import {
  announce,
  listWithoutNotice,
  queueDeletionNotices,
  recordUnseenNotices,
} from "../../db/queries/deletion-notices";
import { deleteDueFiles, listDueDeletions } from "../../db/queries/retention";
import type { Dependencies } from "../dependencies";
import { NOTICE_DAYS, UNSEEN_NOTICE_DAYS } from "../features/envelope-rules/envelope-dates";
import { deletePendingFiles } from "../features/files/file-deletions";
import { DAY_MS } from "../lib/durations";
import { workInParts } from "./in-parts";

/** Each may have thousands of files, and others wait. A Worker may not make as many calls. */
const [PAGE, WORKER_PAGE] = [10, 100];
const WORKER_PARTS = 20;
const NOTICES_AT_ONCE = 500;

const timesOf = ({ clock }: Dependencies) => ({ now: clock.now().toISOString(), noticeDays: NOTICE_DAYS });

/**
 * Notifies owners a week before files are deleted, with one mail per workspace, and again each day while a mail does
 * not arrive. Without a mail server, the interface shows the notice, and the period begins in the end without that.
 */
export async function announceFileDeletions(deps: Dependencies): Promise<void> {
  const { db, clock, mailer, takeTurn } = deps;
  const times = timesOf(deps);
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS).toISOString();
  // Of each workspace, one that is announced now, or one that nobody knows of.
  const examples = new Map<number, number>();
  for await (const page of listWithoutNotice(db, times, takeTurn)) {
    const found = page.filter(({ isChosen }) => isChosen);
    for (const { id, workspaceId, isAnnounced } of found)
      if (!isAnnounced || !examples.has(workspaceId)) examples.set(workspaceId, id);
    if (found.length === 0) continue;
    const ids = found.map(({ id }) => id);
    await runBatch(db, [
      announce(db, ids, times),
      ...(mailer.localOnly
        ? [recordUnseenNotices(db, ids, { ...times, announcedBefore: daysAgo(UNSEEN_NOTICE_DAYS) })]
        : []),
    ]);
  }
  // After all are announced: a notice lists them.
  const all = [...examples.values()];
  const repeatBefore = mailer.localOnly ? null : daysAgo(1);
  for (let at = 0; at < all.length; at += NOTICES_AT_ONCE) {
    await takeTurn?.();
    await runBatch(db, [
      queueDeletionNotices(db, all.slice(at, at + NOTICES_AT_ONCE), { ...times, repeatBefore }),
    ]);
  }
}

/** Deletes the files of completed envelopes whose retention has ended. @returns false if there may be more */
export async function deleteRetainedFiles(deps: Dependencies): Promise<boolean> {
  const { db, log, takeTurn } = deps;
  const limit = deps.runLimits ? WORKER_PAGE : PAGE;
  const due = listDueDeletions(db, timesOf(deps), { limit, takeTurn });
  const isDone = await workInParts(deps, {
    name: "files of completed envelopes",
    async part() {
      const { value: ids = [], done } = await due.next();
      if (done) return false;
      await runBatch(db, deleteDueFiles(db, ids, timesOf(deps)));
      log.info("files of completed envelopes deleted", { envelopes: ids.length });
      return true;
    },
    pauses: 1,
    workerParts: WORKER_PARTS,
  });
  if (isDone) await deletePendingFiles(deps);
  return isDone;
}
