import { runBatch } from "../../../db/client";
import {
  type DueLink,
  deleteDueLink,
  deleteWaitingLinks,
  dueLinkId,
  listDueLinks,
  setLink,
} from "../../../db/queries/due-links";
import { insertEvents } from "../../../db/queries/envelope-events";
import { isEnvelopeMissing } from "../../../db/queries/envelopes";
import type { Dependencies } from "../../dependencies";
import { isExpired } from "../envelope-rules/envelope-dates";
import { COUNTED_LINK } from "../notifications/message-limits";
import { deliverSoon, queueForRecipient } from "../notifications/outbox";
import { newLink } from "./new-link";

/** Links that are replaced in a row, before others have their turn. */
const PART = 5;
/** A Worker may make 50 calls in a run: each link is one. */
const WORKER_PARTS = 4;

/** Replaces the links of open envelopes that somebody knows who has left their workspace, and sends the new ones. */
export async function replaceDueLinks(deps: Dependencies): Promise<void> {
  const parts = deps.runLimits ? WORKER_PARTS : Number.POSITIVE_INFINITY;
  for (let part = 0; part < parts && !deps.stopping?.aborted; part += 1) {
    const due = await listDueLinks(deps.db, PART);
    let replaced = 0;
    for (const link of due) if (await replaceDueLink(deps, link)) replaced += 1;
    if (replaced === 0) return;
    deliverSoon(deps);
    await deps.takeTurn?.();
  }
}

/** The same without waiting for the result. */
export const replaceLinksSoon = (deps: Dependencies) =>
  deps.background.run("links", () => replaceDueLinks(deps));

/** @returns whether it was done, unless another process has or the envelope was changed meanwhile */
async function replaceDueLink({ db, clock }: Dependencies, due: DueLink): Promise<boolean> {
  const now = clock.now();
  const at = now.toISOString();
  if (due.status === "completed") {
    await runBatch(db, [deleteDueLink(db, due)]);
    return true;
  }
  const { requestedBy: userId, address } = due;
  const { submissionToken, recorded } = await newLink(db, due);
  const isOpen = due.status === "pending" && !isExpired(due, now);
  const message = {
    kind: "invitation",
    createdAt: at,
    dedupeKey: COUNTED_LINK + crypto.randomUUID(),
  } as const;
  return runBatch(db, [
    insertEvents(db, dueLinkId(due), { userId, address, kinds: ["link_replaced"], at }),
    ...recorded,
    deleteWaitingLinks(db, due, COUNTED_LINK),
    ...(isOpen ? queueForRecipient(db, due, message) : []),
    setLink(db, due, { submissionToken, now: at }),
    deleteDueLink(db, due),
  ]).then(
    () => true,
    (error: unknown) => {
      if (isEnvelopeMissing(error)) return false;
      throw error;
    },
  );
}
