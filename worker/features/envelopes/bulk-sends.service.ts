import {
  findBulkSend,
  findUnsent,
  insertBulkSend,
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
  type SharedInput,
} from "../../contract/bulk-sends";
import { CODES, type ErrorCode, type Issue } from "../../contract/errors";
import type { Dependencies } from "../../dependencies";
import { AppError, appError, validationError } from "../../errors";
import { recipientsOf } from "../notifications/outbox";
import { missing, requireWorkspace } from "../workspaces/workspaces.service";
import { envelopeFields } from "./envelope-fields";
import { columnsOf, filledFor, type StoredRecipient } from "./placeholders";
import { requireAssignee } from "./requestor";
import { runBulkSend } from "./run-bulk-send";
import { countBulkMessages, type Sender } from "./sending-limits";

/** @throws AppError `envelope_not_found` */
export async function requireBulkSend({ db }: Pick<Dependencies, "db">, member: Member, id: number) {
  const bulk = await findBulkSend(db, member, id);
  if (!bulk) throw appError("envelope_not_found");
  return bulk;
}

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

function unsentView({ envelope, recipients }: NonNullable<Awaited<ReturnType<typeof findUnsent>>>) {
  const { templateId = null, assigneeId = null, ...common } = envelope as SharedInput;
  const { subject = null, message, documents, language, notificationPreference } = common;
  const { reminderFrequency, reminderDays, expirationDate, dueDate } = common;
  return {
    ...{ subject, message, documents, language, notificationPreference, reminderFrequency, reminderDays },
    ...{ expirationDate, dueDate, templateId, assigneeId },
    recipients: recipients.map(({ index, recipient }) => {
      const { contact: _, values, ...own } = recipient as StoredRecipient;
      const { recipientName = null, recipientPhone = null, contactId = null, language: spoken = null } = own;
      const { recipientEmail, countryCode } = own;
      return {
        ...{ index, recipientName, recipientEmail, recipientPhone, countryCode, contactId },
        language: spoken,
        values: values ?? {},
      };
    }),
  };
}

const publicCode = (code: ErrorCode): string => CODES[code] ?? code;

/**
 * Stores an envelope for many recipients, and starts to create it for each. Everything is checked before: nothing is
 * stored if one recipient is not valid or a limit does not allow all of them.
 * @param claim of the call's `Idempotency-Key`
 * @throws AppError `validation`, `missing_placeholder`, `contact_not_found`, `template_not_found`, `verify_email`,
 *   `workspace_not_found`, `role_required`, and those of `countBulkMessages`
 */
export async function sendToMany(
  deps: Dependencies,
  sender: Sender,
  { envelope, recipients }: BulkSendInput,
  claim?: KeyClaim,
): Promise<{ id: number; total: number }> {
  const { db, clock, background } = deps;
  const now = clock.now();
  const workspaceId = await requireWorkspace(deps, sender, envelope.workspaceId);
  const assigneeId = envelope.assigneeId ?? sender.userId;
  const requestor = await requireAssignee(deps, sender, workspaceId, assigneeId, "envelope.assigneeId");
  await requireTemplate(deps, sender, workspaceId, envelope.templateId);
  const stored = await withContacts(deps, sender, workspaceId, recipients);
  const checked = await checkAll(envelope, stored, { requestor, now });
  await countBulkMessages(
    deps,
    { ...sender, requestor },
    checked.map(({ messages }) => messages),
  );
  const id = await insertBulkSend(
    db,
    sender,
    {
      workspaceId,
      address: sender.address,
      subject: groupSubject(envelope, checked),
      // Whom it is assigned to is decided now, even if the caller leaves.
      envelope: { ...envelope, workspaceId, assigneeId: requestor.id },
      recipients: stored,
      createdAt: now.toISOString(),
    },
    claim,
  ).catch(async (error: unknown) => {
    if (!isBulkSendRejected(error)) throw error;
    throw await missing(deps, sender, "workspace_not_found", { kind: "workspace", id: workspaceId });
  });
  background.run("bulk send", () => runBulkSend(deps, id));
  return { id, total: stored.length };
}

/** The subject that all have, or else the one with its placeholders. */
function groupSubject(
  { subject }: BulkSendInput["envelope"],
  checked: readonly { subject: string | null }[],
): string {
  const common = checked[0]?.subject ?? "";
  return checked.every((other) => other.subject === common) ? common : (subject ?? "");
}

/** Filled texts can be a megabyte for each recipient: others have their turn meanwhile, and none is kept. */
const CHECKED_AT_ONCE = 10;
const letOthersRun = () => new Promise((resolve) => setTimeout(resolve));

/**
 * The subject and the messages of each envelope, all of which can be sent.
 * @throws AppError `validation`, `missing_placeholder` with the recipients' indexes
 */
async function checkAll(
  envelope: BulkSendInput["envelope"],
  recipients: readonly StoredRecipient[],
  { requestor, now }: { requestor: User; now: Date },
) {
  const when = { now, timeZone: requestor.timeZone };
  const unfilled: { path: string; names: string; message: string }[] = [];
  const found: Issue[][] = [];
  const columns = columnsOf(recipients);
  const checked: { subject: string | null; messages: ReturnType<typeof recipientsOf> }[] = [];
  for (const [index, recipient] of recipients.entries()) {
    if (index % CHECKED_AT_ONCE === 0) await letOthersRun();
    try {
      const fields = envelopeFields(filledFor(envelope, recipient, { requestor, now, columns }), when);
      checked.push({ subject: fields.subject, messages: recipientsOf(fields) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { issues = [], params } = error.details;
      if (error.code === "missing_placeholder") {
        const names = String(params?.names);
        unfilled.push({ path: `recipients.${index}`, names, message: error.message });
      } else found[index] = issues;
    }
  }
  const issues = bulkIssues((index) => found[index] ?? [], recipients.length);
  if (issues.length > 0) throw validationError(issues);
  const [first] = unfilled;
  if (first)
    throw appError("missing_placeholder", {
      params: { names: first.names },
      issues: unfilled.map(({ path, message }) => ({ path, message })),
    });
  return checked;
}

async function requireTemplate(
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
async function withContacts(
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
