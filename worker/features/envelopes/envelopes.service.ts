import { runBatchAndRead, type Statement } from "../../../db/client";
import { isAccountFull, requireSameOwner } from "../../../db/queries/account-guards";
import { hasAttachments, insertAttachmentUses, isAttachmentMissing } from "../../../db/queries/attachments";
import { findContact } from "../../../db/queries/contacts";
import { insertEnvelopeDocuments, moveEnvelopeDocuments } from "../../../db/queries/envelope-documents";
import {
  type Caller,
  insertEarlierRecipient,
  insertEvents,
  listEarlierRecipients,
} from "../../../db/queries/envelope-events";
import {
  assignEnvelopeMessages,
  completeEnvelope,
  deleteEnvelope,
  deleteOutsideWatchers,
  deleteTemplateUse,
  envelopeIdByToken,
  type FullEnvelope,
  findEnvelope,
  insertEnvelope,
  insertTemplateUse,
  isEnvelopeChanged,
  isEnvelopeMissing,
  isTemplateMissing,
  ownEnvelopeId,
  selectEnvelope,
  selectEnvelopeByToken,
  updateEnvelope,
  updateSeenEnvelope,
} from "../../../db/queries/envelopes";
import { type KeyClaim, recordKeyedResource } from "../../../db/queries/idempotency-keys";
import type { Member } from "../../../db/queries/members";
import { deleteWaiting } from "../../../db/queries/notifications";
import { requireWithinQuota } from "../../../db/queries/quotas";
import { findTemplate } from "../../../db/queries/templates";
import type { User } from "../../../db/queries/users";
import { insertDeletionDeliveries } from "../../../db/queries/webhook-events";
import { hasWebhooks } from "../../../db/queries/webhooks";
import { idTarget, insertActivity } from "../../../db/queries/workspace-activity";
import type { EnvelopeEventKind } from "../../contract/envelope-events";
import type { EnvelopeInput, EnvelopeReplacement } from "../../contract/envelopes";
import { SERVER_LIMITS } from "../../contract/limits";
import { CHANNELS } from "../../contract/notifications";
import { isUnsent } from "../../contract/options";
import type { Dependencies } from "../../dependencies";
import { appError, causes } from "../../errors";
import { randomToken } from "../../lib/tokens";
import { requireAttachments } from "../attachments/attachments.service";
import { isExpired } from "../envelope-rules/envelope-dates";
import { tryDeletePendingFiles } from "../files/file-deletions";
import { linkToReopen, newLink } from "../links/new-link";
import { addressOn } from "../notifications/notification-kinds";
import { deliverSoon, queueForRecipient, recipientsOf } from "../notifications/outbox";
import {
  missing,
  missingOrChanged,
  requireOwnWorkspace,
  requireWorkspace,
  throwIfWorkspaceMissing,
} from "../workspaces/workspaces.service";
import { envelopeFields, inputToSend, isScheduled, replaceDocuments, withPositions } from "./envelope-fields";
import { viewEnvelope } from "./envelope-view";
import { requireFilled } from "./placeholders";
import { insertAssignment, nextRequestor, requireAssignee } from "./requestor";
import {
  countMessages,
  countNotices,
  recountReplaced,
  requireSendable,
  type Sender,
  saveDraftAndThrow,
} from "./sending-limits";
import { isSame, planNotices } from "./update-notices";

/** @throws AppError `envelope_not_found`, `role_required` */
export async function requireEnvelope(deps: Dependencies, member: Member, id: number): Promise<FullEnvelope> {
  const envelope = await findEnvelope(deps.db, member, id, deps.takeTurn);
  if (!envelope) throw await noEnvelope(deps, member, id);
  return envelope;
}

/** The envelope that a batch has written and read. */
export async function written(
  { db, takeTurn }: Pick<Dependencies, "db" | "takeTurn">,
  rows: Parameters<typeof completeEnvelope>[1],
): Promise<FullEnvelope> {
  const envelope = await completeEnvelope(db, rows, takeTurn);
  if (!envelope) throw appError("envelope_not_found");
  return envelope;
}

export const noEnvelope = (deps: Dependencies, member: Member, id: number) =>
  missing(deps, member, "envelope_not_found", { kind: "envelope", id });

/**
 * Saves a draft, or saves the envelope and sends it to its recipient, or on its day.
 * @param claim of the call's `Idempotency-Key`
 * @throws AppError `missing_placeholder`, `verify_email` or `verify_email_sms` with the `draftId` that it was saved under, and those of
 *   `countMessages`
 */
export async function createEnvelope(
  deps: Dependencies,
  sender: Sender,
  input: EnvelopeInput,
  claim?: KeyClaim,
): Promise<FullEnvelope> {
  const { db, clock, config } = deps;
  const { userId } = sender;
  const now = clock.now();
  const createdAt = now.toISOString();
  const workspaceId = await requireWorkspace(deps, sender, input.workspaceId);
  const { links, contact } = await requireLinks(deps, sender, workspaceId, input);
  const requestor = await requireAssignee(deps, sender, workspaceId, input.assigneeId ?? userId);
  const documents = await requireAttachments(deps, sender, workspaceId, input.documents);
  const content = contentOf({ ...input, documents }, { contact, requestor, now });
  const fields = envelopeFields(content, { now, timeZone: requestor.timeZone });
  const submissionToken = randomToken();
  const id = envelopeIdByToken(submissionToken);
  const isSent = fields.status === "pending";
  const messages = recipientsOf(fields);
  const senderFor = { ...sender, requestor };
  if (!input.isDraft)
    await (isSent
      ? countMessages(deps, senderFor, messages, "invitation")
      : requireSendable(deps, senderFor, messages)
    ).catch((error: unknown) =>
      saveDraftAndThrow(error, () => createEnvelope(deps, sender, { ...input, isDraft: true }, claim)),
    );
  const created = await runBatchAndRead(
    db,
    [
      ...insertStatements(deps, sender, {
        ...{ input: content, fields, links, requestor, submissionToken, createdAt },
      }),
      ...recordKeyedResource(db, claim, id),
      ...(fields.status === "scheduled" ? [requireSameOwner(db, sender)] : []),
      requireWithinQuota(db, config.quotas, { workspaceId, userId: requestor.id }),
    ],
    selectEnvelopeByToken(db, sender, submissionToken),
  ).catch(async (error: unknown) => {
    if (isAccountFull(error)) await requireAssignee(deps, sender, workspaceId, requestor.id);
    if (isAccountFull(error))
      throw appError("account_full", { params: { max: SERVER_LIMITS.envelopesPerAccount } });
    return throwIfReferenceMissing(error);
  });
  if (isSent)
    deliverSoon(
      deps,
      messages.map(({ channel }) => channel),
    );
  return written(deps, created);
}

/** The texts that are stored: filled once they are sent, and before as typed, though they can be filled. */
function contentOf<Input extends EnvelopeInput>(input: Input, filling: Parameters<typeof requireFilled>[1]) {
  if (input.isDraft) return input;
  const filled = requireFilled(input, filling);
  return isScheduled(input) ? input : filled;
}

/** A new envelope, after all checks. */
export type NewEnvelope = {
  input: Pick<EnvelopeInput, "documents">;
  fields: ReturnType<typeof envelopeFields>;
  links: { workspaceId: number; contactId: number | null; templateId: number | null };
  requestor: Pick<User, "id">;
  submissionToken: string;
  createdAt: string;
  /** The bulk send that creates it. */
  bulk?: { bulkId: number; bulkIndex: number; seriesId: number | null };
  /** `service` if nobody has called. */
  actor?: "service";
};

/** The statements that insert an envelope and, if it is sent at once, queue its messages. */
export function insertStatements(
  deps: Pick<Dependencies, "db">,
  sender: Caller,
  { input, fields, links, requestor, submissionToken, createdAt, bulk, actor }: NewEnvelope,
): Statement[] {
  const { db } = deps;
  const { userId, address } = sender;
  const id = envelopeIdByToken(submissionToken);
  const invitation = { kind: "invitation", createdAt } as const;
  const { status, sendOn } = fields;
  const isSent = status === "pending";
  const by = actor ? { userId: null, address: null, actor } : { userId, address };
  const event = { ...by, at: createdAt };
  return [
    insertEnvelope(db, sender, {
      ...{ ...fields, ...links, ...bulk, submissionToken, createdAt },
      assigneeId: requestor.id,
    }),
    ...insertEnvelopeDocuments(db, id, withPositions(input.documents)),
    ...(hasAttachments(input.documents) ? [insertAttachmentUses(db, "envelope", id, links.workspaceId)] : []),
    ...templateUse(deps, sender, { id, links, fields, createdAt }),
    insertEvents(db, id, { ...event, kinds: isSent ? ["created", "sent"] : ["created"] }),
    ...(status === "scheduled" ? [insertEvents(db, id, { ...event, kinds: [status], detail: sendOn })] : []),
    ...(isSent ? queueForRecipient(db, { ...fields, id, userId: requestor.id }, invitation) : []),
    // A bulk send is recorded once.
    ...(status === "draft" || bulk || actor
      ? []
      : [insertSending(db, sender, { id, ...links, isSent, now: createdAt })]),
  ];
}

/** The statement for the workspace's activity. */
const insertSending = (
  db: Dependencies["db"],
  sender: Caller,
  {
    id,
    workspaceId,
    isSent,
    now,
  }: { id: Parameters<typeof idTarget>[0]; workspaceId: number; isSent: boolean; now: string },
) =>
  insertActivity(db, sender, {
    ...{ workspaceId, type: isSent ? "request.sent" : "request.scheduled", target: idTarget(id), now },
  });

/**
 * Replaces an envelope's contents. A draft is saved or sent, at once or on its day; of a sent envelope, the recipient is
 * notified at once, and of further changes within ten minutes in one notice.
 * @param actor `service` if the day of sending has come
 * @throws AppError `envelope_not_found`, `changed_meanwhile`, `envelope_completed`, `envelope_already_sent`, `sent_before`,
 *   `envelope_changed`, and those of `createEnvelope`; the error has a `draftId` only if the envelope was a draft
 */
export async function editEnvelope(
  deps: Dependencies,
  sender: Sender,
  id: number,
  { updatedAt: read, ...input }: EnvelopeReplacement,
  actor: "requestor" | "service" = "requestor",
): Promise<FullEnvelope> {
  const { db, clock, config } = deps;
  const by = actor === "service" ? { userId: null, address: null, actor } : sender;
  const stored = await requireEnvelope(deps, sender, id);
  const changed = () => missingOrChanged(deps, sender, "envelope_changed", { kind: "envelope", id, read });
  if (read != null && read !== stored.updatedAt) throw await changed();
  if (stored.status === "completed") throw appError("envelope_completed");
  const wasSent = !isUnsent(stored.status);
  if (wasSent && input.isDraft) throw appError("envelope_already_sent");
  if (wasSent && input.sendOn !== null) throw appError("sent_before");

  const now = clock.now();
  const createdAt = now.toISOString();
  const movesTo =
    input.workspaceId == null || input.workspaceId === stored.workspaceId
      ? null
      : await requireOwnWorkspace(deps, sender, input.workspaceId);
  const workspaceId = movesTo?.id ?? stored.workspaceId;
  const { links, contact } = await requireLinks(deps, sender, workspaceId, input, stored);
  const requestor = await nextRequestor(deps, sender, stored, { workspaceId, assigneeId: input.assigneeId });
  const isReassigned = requestor.id !== stored.userId;
  const documents = await requireAttachments(deps, sender, workspaceId, input.documents, stored);
  // Each of three steps compares all names, which takes long: reading the input, filling it, and replacing the documents.
  await deps.takeTurn?.();
  const content = contentOf({ ...input, documents }, { contact, requestor, now, stored });
  const fields = envelopeFields(content, { now, timeZone: requestor.timeZone }, stored);
  const senderFor = { ...sender, requestor };
  if (fields.status === "scheduled") await requireSendable(deps, senderFor, recipientsOf(fields));
  const notices = fields.status === "pending" ? await planNotices(deps, sender, stored, fields, now) : null;
  const reopened =
    movesTo || (notices && (!wasSent || isExpired(stored, now)))
      ? await linkToReopen(db, stored, { now, movesTo: movesTo?.id })
      : undefined;
  const link = reopened?.link ?? (notices?.replacesLink ? await newLink(db, stored) : null);
  const recipientSince = notices && wasSent ? await findHandover(deps, sender, stored, fields, now) : null;
  const event = changeEvent(stored, fields, { now, link });
  if (notices)
    await countNotices(deps, senderFor, stored, notices).catch((error: unknown) =>
      saveDraftAndThrow(
        error,
        stored.status === "draft" &&
          (() => editEnvelope(deps, sender, id, { ...input, updatedAt: read, isDraft: true })),
      ),
    );
  await deps.takeTurn?.();
  const statements = [
    ...(fields.status === "scheduled" ? [requireSameOwner(db, sender)] : []),
    insertEvents(db, ownEnvelopeId(sender, id), { ...by, ...event, at: createdAt }),
    ...(notices && wasSent && !hasSameRecipient(stored, fields)
      ? [insertEarlierRecipient(db, ownEnvelopeId(sender, id), addressee(stored), createdAt)]
      : []),
    ...(!wasSent && !input.isDraft && stored.status !== fields.status && by === sender
      ? [insertSending(db, sender, { id, workspaceId, isSent: notices !== null, now: createdAt })]
      : []),
    ...(isReassigned
      ? [
          ...insertAssignment(deps, sender, id, { assignee: requestor, workspaceId, at: createdAt }),
          ...assignEnvelopeMessages(db, sender, id, requestor.id),
        ]
      : []),
    ...replaceDocuments(deps, stored, {
      ...{ documents: content.documents, workspaceId, now, timeZone: requestor.timeZone },
      recipientSince,
    }),
    deleteTemplateUse(db, sender, id),
    ...templateUse(deps, sender, { id, links, fields, createdAt }),
    ...(notices
      ? [
          deleteWaiting(db, sender, id),
          ...queueForRecipient(
            db,
            { ...fields, id, userId: requestor.id },
            { kind: "update", createdAt },
            // A notice with another link must not wait.
            (to) => (reopened?.link ? { kind: notices.planOf(to).kind } : notices.planOf(to)),
          ),
        ]
      : []),
    ...(link?.recorded ?? []),
    updateEnvelope(
      db,
      sender,
      { ...stored, condition: reopened?.condition },
      {
        ...{ ...fields, ...links },
        ...(link && { submissionToken: link.submissionToken }),
        ...(recipientSince && { recipientSince }),
        ...((isReassigned || movesTo) && { assigneeId: requestor.id }),
      },
    ),
    ...(movesTo
      ? [
          insertEvents(db, ownEnvelopeId(sender, id), {
            ...{ ...by, kinds: ["moved"], detail: movesTo.name, at: createdAt },
          }),
          // Its timeline goes with it.
          insertActivity(db, sender, {
            workspaceId: stored.workspaceId,
            type: "request.moved",
            target: idTarget(id),
            now: createdAt,
          }),
          ...deleteOutsideWatchers(db, sender, id),
          moveEnvelopeDocuments(db, sender, id, workspaceId),
        ]
      : []),
    ...(movesTo || isReassigned || fields.textBytes > stored.textBytes
      ? [requireWithinQuota(db, config.quotas, { workspaceId, userId: requestor.id })]
      : []),
  ];
  const edited = await runBatchAndRead(db, statements, selectEnvelope(db, sender, id)).catch(
    async (error: unknown) => {
      if (isEnvelopeMissing(error)) throw appError("envelope_not_found");
      if (isEnvelopeChanged(error)) throw await changed();
      return throwIfReferenceMissing(error);
    },
  );
  if (notices) {
    deliverSoon(deps);
    // The change is stored, whatever happens to the counters.
    await recountReplaced(deps, sender, stored, notices, recipientsOf(fields)).catch((error: unknown) =>
      deps.log.error("message limits not recounted", { error: causes(error) }),
    );
  }
  await tryDeletePendingFiles(deps);
  return written(deps, edited);
}

/** Whom a sent envelope goes to: the name, and the addresses, also one that is not written to now. */
export type Addressee = ReturnType<typeof addressee>;
const addressee = (envelope: Pick<FullEnvelope, "recipientName"> & Parameters<typeof addressOn>[1]) => ({
  name: envelope.recipientName,
  addresses: CHANNELS.flatMap((channel) => {
    const recipient = addressOn(channel, envelope);
    return recipient ? { channel, recipient } : [];
  }),
});

const hasSameRecipient = (stored: FullEnvelope, fields: ReturnType<typeof envelopeFields>) =>
  JSON.stringify(addressee(stored)) === JSON.stringify(addressee(fields));

/** Whether they are somebody else: whoever keeps their name, or an address, stays the recipient. */
const isAnother = (one: Addressee, other: Addressee): boolean =>
  one.name !== other.name &&
  !one.addresses.some((to) => other.addresses.some((before) => isSame(to, before)));

/**
 * Since when the envelope goes to somebody else than those who have answered until then, whose name and address may have been
 * changed one after the other; null if it does not.
 */
async function findHandover(
  { db }: Dependencies,
  sender: Sender,
  stored: FullEnvelope,
  fields: ReturnType<typeof envelopeFields>,
  now: Date,
): Promise<string | null> {
  if (hasSameRecipient(stored, fields)) return null;
  const next = addressee(fields);
  if (isAnother(addressee(stored), next)) return now.toISOString();
  const earlier = await listEarlierRecipients<Addressee>(db, sender, stored.id);
  return earlier.findLast(({ recipient }) => isAnother(recipient, next))?.until ?? null;
}

/** The timeline events of a change. */
function changeEvent(
  stored: FullEnvelope,
  fields: ReturnType<typeof envelopeFields>,
  { now, link }: { now: Date; link: object | null },
) {
  const kind = changeKind(stored, fields, now);
  const kinds: EnvelopeEventKind[] = link ? [kind, "link_replaced"] : [kind];
  const details = { extended: fields.expirationDate, scheduled: fields.sendOn, sent: null, updated: null };
  return { kinds, detail: details[kind] };
}

function changeKind(stored: FullEnvelope, fields: ReturnType<typeof envelopeFields>, now: Date) {
  if (isExpired(stored, now)) return "extended";
  if (!isUnsent(stored.status) || fields.isDraft) return "updated";
  if (fields.status === "pending") return "sent";
  const isSame = stored.status === "scheduled" && stored.sendOn === fields.sendOn;
  return isSame && stored.sendHour === fields.sendHour ? "updated" : "scheduled";
}

/**
 * Sends a scheduled envelope now.
 * @throws AppError `not_scheduled`, and those of `editEnvelope`
 */
export async function sendScheduled(
  deps: Dependencies,
  sender: Sender,
  id: number,
  actor?: "service",
): Promise<FullEnvelope> {
  const stored = await requireEnvelope(deps, sender, id);
  if (stored.status !== "scheduled") throw appError("not_scheduled");
  return editEnvelope(deps, sender, id, { ...inputToSend(stored), updatedAt: stored.updatedAt }, actor);
}

/** Deletes the envelope with its files and queued messages. @throws AppError `envelope_not_found` */
export async function removeEnvelope(deps: Dependencies, member: Member, id: number): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now().toISOString();
  const deliveries = (await hasWebhooks(db)) ? await deletionDeliveries(deps, member, id) : [];
  if (!(await deleteEnvelope(db, member, id, { now, deliveries }))) throw await noEnvelope(deps, member, id);
  await tryDeletePendingFiles(deps);
}

async function deletionDeliveries(deps: Dependencies, member: Member, id: number): Promise<Statement[]> {
  const { db, clock, takeTurn } = deps;
  const envelope = await findEnvelope(db, member, id, takeTurn);
  if (!envelope) return [];
  const now = clock.now();
  const view = await viewEnvelope(deps, undefined, envelope, { now, withLink: false });
  const told = { workspaceId: view.workspaceId, text: JSON.stringify(view) };
  await takeTurn?.();
  return insertDeletionDeliveries(db, member, { envelopeId: id, ...told, now: now.toISOString() });
}

/** Records that the submission of this time was opened. @throws AppError `envelope_not_found` */
export async function markSeen(
  { db }: Dependencies,
  member: Member,
  id: number,
  completedAt: string,
): Promise<void> {
  if (!(await updateSeenEnvelope(db, member, id, completedAt))) throw appError("envelope_not_found");
}

/** Reports which referenced row was deleted between the lookup and the write; rethrows anything else. */
function throwIfReferenceMissing(error: unknown): never {
  if (isTemplateMissing(error)) throw appError("template_not_found");
  if (isAttachmentMissing(error)) throw appError("attachment_not_found");
  return throwIfWorkspaceMissing(error);
}

/** @throws AppError `contact_not_found`, `role_required` */
export async function requireContact(deps: Dependencies, member: Member, id: number): Promise<void> {
  if (!(await findContact(deps.db, member, id)))
    throw await missing(deps, member, "contact_not_found", { kind: "contact", id });
}

/**
 * The contact and the template of the input, which must be of the envelope's workspace. Those that the envelope already
 * has do not move with it to another workspace.
 * @throws AppError `contact_not_found`, `template_not_found`, `role_required`
 */
async function requireLinks(
  deps: Dependencies,
  member: Member,
  workspaceId: number,
  { contactId, templateId }: EnvelopeInput,
  stored?: FullEnvelope,
) {
  const { db } = deps;
  const ofWorkspace = <Row extends { workspaceId: number }>(row: Row | undefined) =>
    row?.workspaceId === workspaceId ? row : undefined;
  const [contact, template] = await Promise.all([
    contactId ? findContact(db, member, contactId).then(ofWorkspace) : undefined,
    templateId ? findTemplate(db, member, templateId).then(ofWorkspace) : undefined,
  ]);
  if (contactId && !contact && contactId !== stored?.contactId)
    throw await missing(deps, member, "contact_not_found", { kind: "contact", id: contactId });
  if (templateId && !template && templateId !== stored?.templateId)
    throw await missing(deps, member, "template_not_found", { kind: "template", id: templateId });
  const links = { workspaceId, contactId: contact?.id ?? null, templateId: template?.id ?? null };
  return { links, contact };
}

function templateUse(
  { db }: Pick<Dependencies, "db">,
  member: Member,
  use: {
    id: number | ReturnType<typeof envelopeIdByToken>;
    links: { workspaceId: number; templateId: number | null };
    fields: { customerEmail: string; title: string; status: string };
    createdAt: string;
  },
): Statement[] {
  const { id: envelopeId, links, fields, createdAt } = use;
  const { workspaceId, templateId } = links;
  if (templateId === null) return [];
  const { customerEmail, title, status } = fields;
  return [
    insertTemplateUse(db, member, {
      workspaceId,
      templateId,
      envelopeId,
      customerEmail,
      data: { title },
      status,
      createdAt,
    }),
  ];
}
