import { runBatchAndRead } from "../../../db/client";
import { isReferenceGone } from "../../../db/errors";
import { type Caller, insertEvents, insertLinkCopy } from "../../../db/queries/envelope-events";
import {
  type FullEnvelope,
  isEnvelopeChanged,
  isEnvelopeMissing,
  ownEnvelopeId,
  selectEnvelope,
  selectLink,
  updateLink,
} from "../../../db/queries/envelopes";
import { deleteWaiting } from "../../../db/queries/notifications";
import type { Dependencies } from "../../dependencies";
import { rejectedAs } from "../../errors";
import { newLink } from "../links/new-link";
import { deliverSoon, queueForRecipient, recipientsOf } from "../notifications/outbox";
import { requireOpen } from "./envelope-notifications.service";
import { noEnvelope, requireEnvelope, written } from "./envelopes.service";
import { requireRequestor } from "./requestor";
import { countMessages, type Sender } from "./sending-limits";

/**
 * The envelope's link for somebody who copies it, which the timeline records.
 * @throws AppError `envelope_not_found`, `role_required`
 */
export async function copyLink(deps: Dependencies, caller: Caller, id: number): Promise<string> {
  const { db, clock } = deps;
  const copy = { envelopeId: id, address: caller.address, at: clock.now().toISOString() };
  const [found] = await runBatchAndRead(db, [insertLinkCopy(db, caller, copy)], selectLink(db, caller, id));
  if (!found) throw await noEnvelope(deps, caller, id);
  return found.submissionToken;
}

/**
 * Gives an open envelope another link, and sends it to the recipient: the present one stops working. What was uploaded
 * with it stays.
 * @throws AppError `envelope_not_found`, `envelope_not_open`, `envelope_changed`, and those of `countMessages`
 */
export async function replaceLink(deps: Dependencies, sender: Sender, id: number): Promise<FullEnvelope> {
  const { db, clock } = deps;
  const stored = await requireEnvelope(deps, sender, id);
  requireOpen(deps, stored);
  const requestor = await requireRequestor(deps, sender, stored);
  const now = clock.now().toISOString();
  const { submissionToken, recorded } = await newLink(db, stored);
  await countMessages(deps, { ...sender, requestor }, recipientsOf(stored), "link");
  const statements = [
    insertEvents(db, ownEnvelopeId(sender, id), {
      ...{ userId: sender.userId, address: sender.address, kinds: ["link_replaced"], at: now },
    }),
    ...recorded,
    deleteWaiting(db, sender, id),
    ...queueForRecipient(db, stored, { kind: "invitation", createdAt: now }),
    updateLink(db, sender, stored, { submissionToken, now }),
  ];
  const replaced = await runBatchAndRead(db, statements, selectEnvelope(db, sender, id))
    .catch(rejectedAs(isEnvelopeMissing, "envelope_not_found"))
    .catch(rejectedAs(isEnvelopeChanged, "envelope_changed"))
    // The assignee's account was deleted meanwhile.
    .catch(rejectedAs(isReferenceGone, "envelope_changed"));
  deliverSoon(deps);
  return written(deps, replaced);
}
