import { runBatch } from "../../db/client";
import { announceDeletions, deleteDueFiles, listDueDeletions } from "../../db/queries/retention";
import type { Dependencies } from "../dependencies";
import { deletePendingFiles } from "../features/files/file-deletions";
import { NOTICE_DAYS } from "../lib/retention";

const PAGE = 100;

const momentsOf = ({ clock }: Dependencies) => ({ now: clock.now().toISOString(), noticeDays: NOTICE_DAYS });

/** Notifies owners a week before files are deleted, with one mail per workspace. */
export async function announceFileDeletions(deps: Dependencies): Promise<void> {
  await runBatch(deps.db, announceDeletions(deps.db, momentsOf(deps)));
}

/** Deletes the files of completed envelopes whose retention has ended. */
export async function deleteRetainedFiles(deps: Dependencies): Promise<void> {
  const { db, log } = deps;
  for (;;) {
    const moments = momentsOf(deps);
    const ids = await listDueDeletions(db, moments, PAGE);
    await runBatch(db, ids.length > 0 ? deleteDueFiles(db, ids, moments) : []);
    if (ids.length > 0) log.info("files of completed envelopes deleted", { envelopes: ids.length });
    if (ids.length < PAGE) break;
  }
  await deletePendingFiles(deps);
}
