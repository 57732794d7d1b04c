import { isUnchanged, ownershipOf } from "../../../db/queries/account-guards";
import { isAttachmentMissing } from "../../../db/queries/attachments";
import {
  findBulkSend,
  findUnsent,
  insertBulkSend,
  isBulkSenderRejected,
  isBulkSendRejected,
  listContactsById,
} from "../../../db/queries/bulk-sends";
import type { KeyClaim } from "../../../db/queries/idempotency-keys";
import type { Member } from "../../../db/queries/members";
import { findTemplate } from "../../../db/queries/templates";
import type { User } from "../../../db/queries/users";
import {
  type BulkSendInput,
  bulkIssues,
  type RecipientInput,
  type Unsent,
  unsentEnvelope,
  unsentRecipient,
} from "../../contract/bulk-sends";
import type { EnvelopeInput } from "../../contract/envelopes";
import type { Issue } from "../../contract/error-body";
import { CODES, type ErrorCode } from "../../contract/errors";
import { fieldsOf } from "../../contract/fields";
import { SERVER_LIMITS } from "../../contract/limits";
import { toE164 } from "../../contract/phone";
import type { Dependencies } from "../../dependencies";
import { AppError, appError, required, validationError } from "../../errors";
import { letOthersRunEvery } from "../../lib/turns";
import { requireAttachments } from "../attachments/attachments.service";
import { recipientsOf } from "../notifications/outbox";
import { missing, requireWorkspace } from "../workspaces/workspaces.service";
import { envelopeFields, textBytesOf } from "./envelope-fields";
import { columnsOf, filledFor, type StoredRecipient, sharedSubject } from "./placeholders";
import { requireAssignee } from "./requestor";
import { startBulkSend, withNewFields } from "./run-bulk-send";
import { countBulkMessages, type Sender } from "./sending-limits";

/** @throws AppError `envelope_not_found` */
export const requireBulkSend = ({ db }: Pick<Dependencies, "db">, member: Member, id: number) =>
  required(findBulkSend(db, member, id), "envelope_not_found");

type BulkSend = Awaited<ReturnType<typeof requireBulkSend>>;

/** A bulk send with the public codes of its failures. */
export const bulkSendView = ({ failed, ...bulk }: BulkSend) => ({
  ...bulk,
  failed: failed.map((failure) => ({ ...failure, code: publicCode(failure.code) })),
});

/** A bulk send with what it has not sent. @throws AppError `envelope_not_found` */
export async function requireBulkSendDetails(deps: Pick<Dependencies, "db">, member: Member, id: number) {
  const bulk = await requireBulkSend(deps, member, id);
  const found = bulk.failed.length > 0 ? await findUnsent(deps.db, member, id) : null;
  return { ...bulkSendView(bulk), unsent: found && unsentView(found) };
}

/** Each field as the call had it. */
const unsentView = ({ envelope, recipients }: NonNullable<Awaited<ReturnType<typeof findUnsent>>>) => ({
  ...fieldsOf(unsentEnvelope, withNewFields(envelope as Unsent)),
  recipients: recipients.map(({ index, recipient }) => {
    const own = recipient as Unsent["recipients"][number];
    return fieldsOf(unsentRecipient, { ...own, index, values: own.values ?? {} });
  }),
});

const publicCode = (code: ErrorCode): string => CODES[code] ?? code;

/**
 * Stores an envelope for many recipients, and starts to create it for each. Everything is checked before: nothing is
 * stored if one recipient is not valid or a limit does not allow all of them.
 * @param claim of the call's `Idempotency-Key`
 * @throws AppError `validation`, `missing_placeholder`, `contact_not_found`, `template_not_found`, `verify_email`,
 *   `workspace_not_found`, `role_required`, `account_changed`, `bulk_too_large`, `unavailable`, and those of `countBulkMessages`
 */
export const sendToMany = (
  deps: Dependencies,
  sender: Sender & { apiTokenId: number | null },
  input: BulkSendInput,
  claim?: KeyClaim,
): Promise<{ id: number; total: number }> =>
  deps.memory.bulkChecks.run([String(sender.userId)], () => checkAndStore(deps, sender, input, claim));

async function checkAndStore(
  deps: Dependencies,
  { apiTokenId, ...sender }: Sender & { apiTokenId: number | null },
  { envelope: input, recipients }: BulkSendInput,
  claim: KeyClaim | undefined,
) {
  // Reading and validating the input has taken as long as others should wait.
  await deps.takeTurn?.();
  const now = deps.clock.now();
  const workspaceId = await requireWorkspace(deps, sender, input.workspaceId);
  const documents = await requireAttachments(deps, sender, workspaceId, input.documents);
  const envelope = { ...input, documents };
  const assigneeId = envelope.assigneeId ?? sender.userId;
  const requestor = await requireAssignee(deps, sender, workspaceId, assigneeId, "envelope.assigneeId");
  await requireTemplate(deps, sender, workspaceId, envelope.templateId);
  const stored = await withContacts(deps, sender, workspaceId, recipients);
  // Before the texts are filled, which takes most of the time.
  const messages = stored.map((recipient) => recipientsOf(addressesOf(envelope, recipient)));
  const isLater = envelope.sendOn !== null;
  const refund = await countBulkMessages(deps, sender, messages, { isLater });
  try {
    const { subject, bytes } = await checkAll(envelope, stored, { requestor, now });
    await deps.requireSpace?.(bytes);
    await deps.takeTurn?.();
    const id = await insertBulkSend(
      deps.db,
      sender,
      {
        ...{ workspaceId, subject, apiTokenId, address: sender.address, recipients: stored },
        // Checking took a while: a reset or revocation meanwhile would not end it.
        unchanged: isUnchanged(deps.db, sender.userId, {
          ...ownershipOf(sender.user),
          ...(apiTokenId !== null && { apiTokenId }),
        }),
        // Whom it is assigned to is decided now, even if the caller leaves.
        envelope: { ...envelope, workspaceId, assigneeId: requestor.id },
        textBytes: bytes,
        createdAt: now.toISOString(),
      },
      deps.config.quotas,
      claim,
    );
    startBulkSend(deps, sender.userId, id);
    return { id, total: stored.length };
  } catch (error) {
    await refund();
    if (isBulkSenderRejected(error)) throw appError("account_changed");
    if (isAttachmentMissing(error)) throw appError("attachment_not_found");
    if (!isBulkSendRejected(error)) throw error;
    throw await missing(deps, sender, "workspace_not_found", { kind: "workspace", id: workspaceId });
  }
}

/** Where an envelope's messages go; what is wrong with an address is found when the envelope is checked. */
export const addressesOf = (
  { notificationPreference }: Pick<BulkSendInput["envelope"], "notificationPreference">,
  { recipientEmail, recipientPhone, countryCode }: StoredRecipient,
) => ({
  customerEmail: recipientEmail ?? "",
  recipientPhone: recipientPhone ? (toE164(recipientPhone, countryCode) ?? recipientPhone) : null,
  notificationPreference,
});

const CHECKED_MS = 5;

/**
 * The subject that all envelopes have, or else what it has in common, and the bytes of all; each can be sent.
 * @throws AppError `validation`, `missing_placeholder` with the recipients' indexes; `bulk_too_large`
 */
export async function checkAll(
  ...call: Parameters<typeof fillAll>
): Promise<{ subject: string; bytes: number }> {
  const { found, unfilled, subject, bytes } = await fillAll(...call);
  const issues = bulkIssues((index) => found[index] ?? [], call[1].length);
  if (issues.length > 0) throw validationError(issues);
  const [first] = unfilled;
  if (first)
    throw appError("missing_placeholder", {
      params: { names: first.names },
      issues: unfilled.map(({ path, message }) => ({ path, message })),
    });
  return { subject, bytes };
}

/** The same, with what is wrong with each envelope. @throws AppError `bulk_too_large` */
export async function fillAll(
  envelope: BulkSendInput["envelope"],
  recipients: readonly StoredRecipient[],
  { requestor, now, day }: { requestor: User; now: Date; day?: string },
) {
  const letOthersRun = letOthersRunEvery(CHECKED_MS);
  const when = { now, timeZone: requestor.timeZone };
  const unfilled: { path: string; names: string; message: string }[] = [];
  const found: Issue[][] = [];
  const columns = columnsOf(recipients);
  const subjects = new Set<string | null>();
  const counted = countBytes(SERVER_LIMITS.bulkSend);
  const filling = { requestor, now, day, columns, count: counted.add };
  for (const [index, recipient] of recipients.entries()) {
    await letOthersRun();
    try {
      subjects.add(envelopeFields(filledFor(envelope, recipient, filling), when).subject);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "bulk_too_large") throw error;
      const { issues = [], params } = error.details;
      if (error.code === "missing_placeholder") {
        const names = String(params?.names);
        unfilled.push({ path: `recipients.${index}`, names, message: error.message });
      } else found[index] = issues;
    }
  }
  const [common] = subjects;
  return {
    ...{ found, unfilled, bytes: counted.bytes() },
    subject: (subjects.size === 1 ? common : sharedSubject(envelope, filling)) ?? "",
  };
}

/** Adds up what is stored of each envelope. @throws AppError `bulk_too_large` beyond the limit */
function countBytes(limit: number) {
  let bytes = 0;
  return {
    bytes: () => bytes,
    add(envelope: EnvelopeInput) {
      bytes += textBytesOf(envelope);
      if (bytes > limit) throw appError("bulk_too_large", { params: { maxMb: limit / (1024 * 1024) } });
    },
  };
}

/** @throws AppError `template_not_found`, `role_required` */
export async function requireTemplate(
  deps: Dependencies,
  member: Member,
  workspaceId: number,
  id: number | null | undefined,
) {
  if (id == null) return;
  const template = await findTemplate(deps.db, member, id);
  if (template?.workspaceId !== workspaceId)
    throw await missing(deps, member, "template_not_found", { kind: "template", id });
}

/** Adds to each recipient what placeholders say of the contact. @throws AppError `contact_not_found`, `role_required` */
export async function withContacts(
  deps: Dependencies,
  member: Member,
  workspaceId: number,
  recipients: readonly RecipientInput[],
): Promise<StoredRecipient[]> {
  const ids = recipients.flatMap(({ contactId }) => contactId ?? []);
  const rows = ids.length > 0 ? await listContactsById(deps.db, member, { workspaceId, ids }) : [];
  const byId = new Map(rows.map((contact) => [contact.id, contact]));
  const unknown = ids.find((id) => !byId.has(id));
  if (unknown !== undefined)
    throw await missing(deps, member, "contact_not_found", { kind: "contact", id: unknown });
  return recipients.map((recipient) => {
    const contact = recipient.contactId == null ? undefined : byId.get(recipient.contactId);
    if (!contact) return { ...recipient, contact: null };
    const { firstName, lastName, company, language } = contact;
    return {
      ...recipient,
      contact: { firstName, lastName, company },
      ...(recipient.language === undefined && { language }),
    };
  });
}
