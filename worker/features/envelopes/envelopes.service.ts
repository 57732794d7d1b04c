import { runBatch, type Statement } from "../../../db/client";
import { isAccountFull } from "../../../db/queries/account-limits";
import { findContact } from "../../../db/queries/contacts";
import { insertEnvelopeDocuments } from "../../../db/queries/envelope-documents";
import { insertEvents } from "../../../db/queries/envelope-events";
import {
  deleteEnvelope,
  envelopeIdByToken,
  type FullEnvelope,
  findEnvelope,
  findEnvelopeByToken,
  insertEnvelope,
  isEnvelopeChanged,
  isEnvelopeMissing,
  ownEnvelopeId,
  updateEnvelope,
  updateSeenEnvelope,
} from "../../../db/queries/envelopes";
import { type KeyClaim, recordKeyedResource } from "../../../db/queries/idempotency-keys";
import { deleteWaiting, listWaiting } from "../../../db/queries/notifications";
import { deleteTemplateUse, insertTemplateUse, isTemplateMissing } from "../../../db/queries/template-uses";
import { findTemplate } from "../../../db/queries/templates";
import { insertDeletionDeliveries } from "../../../db/queries/webhook-events";
import { hasWebhooks } from "../../../db/queries/webhooks";
import type { EnvelopeInput } from "../../contract/envelopes";
import { LIMITS } from "../../contract/limits";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { isExpired } from "../../lib/expiration";
import { randomToken } from "../../lib/tokens";
import { tryDeletePendingFiles } from "../files/file-deletions";
import { deliverSoon, queueForRecipient } from "../notifications/outbox";
import { requireWorkspace, throwIfWorkspaceMissing } from "../workspaces/workspaces.service";
import { replaceDocuments, withPositions } from "./document-changes";
import { envelopeFields } from "./envelope-fields";
import { envelopeView } from "./envelope-view";
import {
  addressesOf,
  countChange,
  countInvitation,
  type Sender,
  saveDraftAndThrow,
  uncountReplaced,
} from "./sending-limits";

/** An edit within this time replaces a queued message. */
const REPLACING_MS = 60 * 1000;

/** @throws AppError `envelope_not_found` */
export async function requireEnvelope(
  { db }: Dependencies,
  userId: number,
  id: number,
): Promise<FullEnvelope> {
  const envelope = await findEnvelope(db, userId, id);
  if (!envelope) throw appError("envelope_not_found");
  return envelope;
}

/**
 * Saves a draft, or saves the envelope and sends it to its recipient.
 * @param claim of the call's `Idempotency-Key`
 * @throws AppError `verify_email` with the `draftId` that it was saved under, `too_many_invitations`, `too_many_messages`
 */
export async function createEnvelope(
  deps: Dependencies,
  sender: Sender,
  input: EnvelopeInput,
  claim?: KeyClaim,
): Promise<FullEnvelope> {
  const { db, clock } = deps;
  const { userId, address } = sender;
  const now = clock.now();
  const createdAt = now.toISOString();
  const fields = envelopeFields(input, { now, timeZone: sender.user.timeZone });
  const [workspaceId] = await Promise.all([
    requireWorkspace(deps, userId, input.workspaceId),
    requireReferences(deps, userId, input),
  ]);
  const { contactId = null, templateId = null } = input;
  const submissionToken = randomToken();
  const id = envelopeIdByToken(submissionToken);
  if (!input.isDraft)
    await countInvitation(deps, sender, addressesOf(fields)).catch((error: unknown) =>
      saveDraftAndThrow(error, () => createEnvelope(deps, sender, { ...input, isDraft: true }, claim)),
    );
  await runBatch(db, [
    insertEnvelope(db, { ...fields, userId, workspaceId, contactId, templateId, submissionToken, createdAt }),
    ...insertEnvelopeDocuments(db, id, withPositions(input.documents)),
    ...templateUse(deps, userId, { id, templateId, fields, createdAt }),
    insertEvents(db, id, {
      userId,
      address,
      kinds: input.isDraft ? ["created"] : ["created", "sent"],
      at: createdAt,
    }),
    ...(input.isDraft
      ? []
      : queueForRecipient(db, { ...fields, id, userId }, { kind: "invitation", createdAt })),
    ...recordKeyedResource(db, claim, id),
  ]).catch((error: unknown) => {
    if (isAccountFull(error)) throw appError("account_full", { params: { max: LIMITS.envelopesPerAccount } });
    throwIfReferenceMissing(error);
  });
  if (!input.isDraft) deliverSoon(deps);
  const created = await findEnvelopeByToken(db, userId, submissionToken);
  if (!created) throw appError("envelope_not_found");
  return created;
}

/**
 * Replaces an envelope's contents. A draft is saved or sent; a sent envelope is sent again with the same link.
 * @throws AppError `envelope_not_found`, `envelope_completed`, `envelope_already_sent`, `envelope_changed`, and those
 *   of `createEnvelope`; the error has a `draftId` only if the envelope was a draft
 */
export async function editEnvelope(
  deps: Dependencies,
  sender: Sender,
  id: number,
  input: EnvelopeInput,
): Promise<FullEnvelope> {
  const { db, clock } = deps;
  const { userId, address } = sender;
  const stored = await requireEnvelope(deps, userId, id);
  if (stored.status === "completed") throw appError("envelope_completed");
  if (stored.status !== "draft" && input.isDraft) throw appError("envelope_already_sent");

  const now = clock.now();
  const createdAt = now.toISOString();
  const fields = envelopeFields(input, { now, timeZone: sender.user.timeZone }, stored);
  const [workspaceId] = await Promise.all([
    input.workspaceId == null ? stored.workspaceId : requireWorkspace(deps, userId, input.workspaceId),
    requireReferences(deps, userId, input),
  ]);
  const { contactId = null, templateId = null } = input;
  const kind = stored.status === "draft" ? "invitation" : "update";
  const event = changeEvent(stored, fields, now);
  const since = new Date(now.getTime() - REPLACING_MS).toISOString();
  const replaced = input.isDraft ? [] : await listWaiting(db, userId, id, since);
  if (!input.isDraft)
    await countChange(deps, sender, stored, fields).catch((error: unknown) =>
      saveDraftAndThrow(
        error,
        stored.status === "draft" && (() => editEnvelope(deps, sender, id, { ...input, isDraft: true })),
      ),
    );
  await runBatch(db, [
    insertEvents(db, ownEnvelopeId(userId, id), { userId, address, ...event, at: createdAt }),
    ...replaceDocuments(deps, stored, { documents: input.documents, now: createdAt }),
    deleteTemplateUse(db, userId, id),
    ...templateUse(deps, userId, { id, templateId, fields, createdAt }),
    ...(input.isDraft
      ? []
      : [
          deleteWaiting(db, userId, id, since),
          ...queueForRecipient(db, { ...fields, id, userId }, { kind, createdAt, before: stored, replaced }),
        ]),
    updateEnvelope(db, userId, stored, { ...fields, workspaceId, contactId, templateId }),
  ]).catch((error: unknown) => {
    if (isEnvelopeMissing(error)) throw appError("envelope_not_found");
    if (isEnvelopeChanged(error)) throw appError("envelope_changed");
    throwIfReferenceMissing(error);
  });
  if (replaced.length > 0) await uncountReplaced(deps, userId, id, replaced);
  if (!input.isDraft) deliverSoon(deps);
  await tryDeletePendingFiles(deps);
  return requireEnvelope(deps, userId, id);
}

/** The timeline event of a change. */
function changeEvent(stored: FullEnvelope, fields: ReturnType<typeof envelopeFields>, now: Date) {
  const extended = isExpired(stored, now);
  const sent = stored.status === "draft" && !fields.isDraft;
  const kind = extended ? "extended" : sent ? "sent" : "updated";
  return { kinds: [kind] as const, detail: extended ? fields.expirationDate : null };
}

/** Deletes the envelope with its files and queued messages. @throws AppError `envelope_not_found` */
export async function removeEnvelope(deps: Dependencies, userId: number, id: number): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now().toISOString();
  const deliveries = (await hasWebhooks(db)) ? await deletionDeliveries(deps, userId, id) : [];
  if (!(await deleteEnvelope(db, userId, id, { now, deliveries }))) throw appError("envelope_not_found");
  await tryDeletePendingFiles(deps);
}

async function deletionDeliveries(
  { db, clock }: Dependencies,
  userId: number,
  id: number,
): Promise<Statement[]> {
  const envelope = await findEnvelope(db, userId, id);
  if (!envelope) return [];
  const now = clock.now();
  const data = envelopeView(envelope, now);
  return insertDeletionDeliveries(db, userId, { envelopeId: id, data, now: now.toISOString() });
}

/** Records that the submission of this time was opened. @throws AppError `envelope_not_found` */
export async function markSeen(
  { db }: Dependencies,
  userId: number,
  id: number,
  completedAt: string,
): Promise<void> {
  if (!(await updateSeenEnvelope(db, userId, id, completedAt))) throw appError("envelope_not_found");
}

/** Reports which referenced row was deleted between the lookup and the write; rethrows anything else. */
function throwIfReferenceMissing(error: unknown): never {
  if (isTemplateMissing(error)) throw appError("template_not_found");
  throwIfWorkspaceMissing(error);
}

/** A contact or template in the input must belong to the caller. */
async function requireReferences({ db }: Dependencies, userId: number, input: EnvelopeInput): Promise<void> {
  const { contactId, templateId } = input;
  if (contactId && !(await findContact(db, userId, contactId))) throw appError("contact_not_found");
  if (templateId && !(await findTemplate(db, userId, templateId))) throw appError("template_not_found");
}

function templateUse(
  { db }: Dependencies,
  userId: number,
  use: {
    id: number | ReturnType<typeof envelopeIdByToken>;
    templateId: number | null;
    fields: { customerEmail: string; title: string; status: string };
    createdAt: string;
  },
): Statement[] {
  const { id: envelopeId, templateId, fields, createdAt } = use;
  if (templateId === null) return [];
  const { customerEmail, title, status } = fields;
  return [
    insertTemplateUse(db, {
      userId,
      templateId,
      envelopeId,
      customerEmail,
      data: { title },
      status,
      createdAt,
    }),
  ];
}
