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
import { causes } from "../../errors";
import { isExpired } from "../envelope-rules/envelope-dates";
import { COUNTED_LINK } from "../notifications/message-limits";
import { deliverSoon, queueForRecipient } from "../notifications/outbox";
import { newLink } from "./new-link";

/** Links that are replaced in a row, before others have their turn. */
const PART = 5;
/** A Worker may make 50 calls in a run: each link is one. */
const WORKER_LINKS = 20;

/** Replaces the links of open envelopes that somebody knows who has left their workspace, and sends the new ones. */
export async function replaceDueLinks(deps: Dependencies): Promise<void> {
  // Any of them: those that fail keep no others waiting for the next run.
  if (deps.runLimits)
    return replaceAll(deps, await listDueLinks(deps.db, { after: undefined, limit: WORKER_LINKS }));
  for (let after = 0; !deps.stopping?.aborted; ) {
    const due = await listDueLinks(deps.db, { after, limit: PART });
    if (due.length === 0) return;
    await replaceAll(deps, due);
    after = due.at(-1)?.id ?? after;
    await deps.takeTurn?.();
  }
}

/** One that fails keeps no others waiting. */
async function replaceAll(deps: Dependencies, due: DueLink[]): Promise<void> {
  if (due.length === 0) return;
  for (const link of due)
    await replaceDueLink(deps, link).catch((error: unknown) =>
      deps.log.error("link not replaced", { envelopeId: link.id, error: causes(error) }),
    );
  deliverSoon(deps);
}

/** The same without waiting for the result. */
export const replaceLinksSoon = (deps: Dependencies) =>
  deps.background.run("links", () => replaceDueLinks(deps));

/** Does nothing if another process has, or the envelope was changed meanwhile: the next run looks again. */
async function replaceDueLink({ db, clock }: Dependencies, due: DueLink): Promise<void> {
  const now = clock.now();
  const at = now.toISOString();
  if (due.status === "completed") return runBatch(db, [deleteDueLink(db, due)]);
  const { requestedBy: userId, address } = due;
  const { submissionToken, recorded } = await newLink(db, due);
  const isOpen = due.status === "pending" && !isExpired(due, now);
  const message = {
    kind: "invitation",
    createdAt: at,
    dedupeKey: COUNTED_LINK + crypto.randomUUID(),
  } as const;
  await runBatch(db, [
    insertEvents(db, dueLinkId(due), { userId, address, kinds: ["link_replaced"], at }),
    ...recorded,
    deleteWaitingLinks(db, due, COUNTED_LINK),
    ...(isOpen ? queueForRecipient(db, due, message) : []),
    setLink(db, due, { submissionToken, now: at }),
    deleteDueLink(db, due),
  ]).catch((error: unknown) => {
    if (!isEnvelopeMissing(error)) throw error;
  });
}
