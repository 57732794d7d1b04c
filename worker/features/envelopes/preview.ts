import { findBrand } from "../../../db/queries/brands";
import { findContact } from "../../../db/queries/contacts";
import type { FullEnvelope } from "../../../db/queries/envelopes";
import { findNotificationContext, type NotificationContext } from "../../../db/queries/notification-context";
import type { Brand } from "../../contract/brand";
import { detailsOf } from "../../contract/documents";
import type { EnvelopeInput, EnvelopePreview, MessagesPreview, PreviewQuery } from "../../contract/envelopes";
import type { Channel, PayloadOf } from "../../contract/notifications";
import { needsEmail, needsPhone } from "../../contract/options";
import { toE164 } from "../../contract/phone";
import type { Dependencies } from "../../dependencies";
import { required } from "../../errors";
import type { Mail } from "../../ports/mailer";
import { requireAttachments } from "../attachments/attachments.service";
import {
  type ComposedNotification,
  composeMail,
  composeSms,
  loadTexts,
  markRequestor,
} from "../notifications/compose";
import { loadLogo } from "../notifications/mail-brand";
import { recipientsOf } from "../notifications/outbox";
import { recipientView } from "../submissions/recipient-view";
import { requireWorkspace } from "../workspaces/workspaces.service";
import { envelopeFields } from "./envelope-fields";
import { fillEnvelope } from "./placeholders";
import { requireAssignee } from "./requestor";
import type { Sender } from "./sending-limits";

/** In place of the link's token, which is private and created with the envelope. */
const NO_TOKEN = "...";

/**
 * The messages that the recipient would get and the page of the link, without storing or sending anything.
 * @throws AppError `validation`, `workspace_not_found`, `attachment_not_found`, `role_required`
 */
export async function previewEnvelope(
  deps: Dependencies,
  sender: Sender,
  input: EnvelopeInput,
  { kind, brandName, brandColor, brandFooter }: PreviewQuery,
): Promise<EnvelopePreview> {
  const workspaceId = await requireWorkspace(deps, sender, input.workspaceId);
  const user = await requireAssignee(deps, sender, workspaceId, input.assigneeId ?? sender.userId);
  const stored = await required(findBrand(deps.db, sender, workspaceId), "workspace_not_found");
  const brand = {
    ...stored,
    ...(brandName !== undefined && { name: brandName.trim() || null }),
    ...(brandColor !== undefined && { color: brandColor.toLowerCase() || null }),
    ...(brandFooter !== undefined && { footer: brandFooter.trim() || null }),
  };
  const now = deps.clock.now();
  const createdAt = now.toISOString();
  const contact = input.contactId ? await findContact(deps.db, sender, input.contactId) : undefined;
  const attached = await requireAttachments(deps, sender, workspaceId, input.documents);
  const whole = { ...input, documents: attached, isDraft: true };
  const { texts } = fillEnvelope(whole, { contact, requestor: user, now });
  const fields = envelopeFields(texts, { now, timeZone: user.timeZone });
  const envelope: NonNullable<NotificationContext["envelope"]> = {
    ...NOT_SENT,
    ...fields,
    userId: user.id,
    createdBy: sender.userId,
    submissionToken: NO_TOKEN,
    expiresAt: fields.endOfLastDay,
    createdAt,
    submittedAt: null,
    hasEnabledOwner: true,
  };
  const documents = texts.documents.map((document, position) => ({
    ...document,
    ...{ id: position + 1, envelopeId: 0, position },
    ...{ skipped: false, skipReason: null, review: null, reviewReason: null, hidden: false },
    details: detailsOf(document),
    ...{
      validUntil: null,
      workspaceId: null,
      renewOn: null,
      renewalPaused: null,
      checkAt: null,
      nameKey: null,
      renewal: null,
    },
  }));
  const phone = toE164(input.recipientPhone ?? "", input.countryCode) ?? "";
  const messageTo = (recipient: string) => ({ id: 0, kind, recipient, createdAt, payload: {} });
  const email = needsEmail(input.notificationPreference) ? envelope.customerEmail : null;
  // Nothing is sent to others before the address is verified.
  const { limitsRates, unverifiedEnvelopes } = deps.config;
  const isSentUnverified = !limitsRates || unverifiedEnvelopes > 0 || email?.toLowerCase() === user.email;
  const context: NotificationContext = {
    user: isSentUnverified ? user : { ...user, isVerified: true },
    envelope,
    brand,
    documents,
    files: [],
    answers: [],
    dueForDeletion: [],
    isOutside: false,
    news: [],
    undelivered: [],
    submitted: { first: [], count: 0, toReview: 0 },
    unsubscribeLink: undefined,
    receipt: undefined,
  };
  const messages = await composeMessages(deps, messageTo, context, {
    email,
    sms: needsPhone(input.notificationPreference) ? phone : null,
  });
  const viewed = {
    ...envelope,
    status: "pending" as const,
    user: context.user ?? user,
    brand,
  };
  const page = await recipientView(
    {
      ...viewed,
      documents,
      uploads: [],
      submissions: [],
      answers: [],
      reminderNote: null,
      hasDestinations: 0,
    },
    deps,
  );
  return { ...messages, page: { ...page, brand: withOwnLogo(page.brand, workspaceId) } };
}

/** The link that would serve the logo does not exist yet. */
const withOwnLogo = (brand: Brand | null, workspaceId: number): Brand | null =>
  brand?.logo ? { ...brand, logo: { ...brand.logo, url: `/api/workspaces/${workspaceId}/logo` } } : brand;

/** The reminder that the recipient of a stored envelope would get now. */
export async function previewReminder(
  deps: PreviewDependencies & Pick<Dependencies, "db">,
  envelope: FullEnvelope,
  payload: PayloadOf<"reminder">,
  now: Date,
): Promise<MessagesPreview> {
  const createdAt = now.toISOString();
  const { id: envelopeId, userId } = envelope;
  const about = { kind: "reminder" as const, envelopeId, userId, payload, createdAt };
  const found = await findNotificationContext(deps.db, about, { now: createdAt });
  const context = {
    ...found,
    unsubscribeLink: undefined,
    envelope: found.envelope && { ...found.envelope, submissionToken: NO_TOKEN },
  };
  const recipients = new Map(recipientsOf(envelope).map(({ channel, recipient }) => [channel, recipient]));
  const messageTo = (recipient: string) => ({ ...about, id: 0, recipient });
  return composeMessages(deps, messageTo, context, {
    email: recipients.get("email") ?? null,
    sms: recipients.get("sms") ?? null,
  });
}

type PreviewDependencies = Pick<
  Dependencies,
  "config" | "mailer" | "loadMailTexts" | "files" | "log" | "takeTurn"
>;

/** Composes the messages to these recipients, of up to a megabyte, in a turn of its own; null for a channel that is not used. */
async function composeMessages(
  deps: PreviewDependencies,
  messageTo: (recipient: string) => ComposedNotification,
  context: NotificationContext,
  recipients: Record<Channel, string | null>,
): Promise<MessagesPreview> {
  const { config } = deps;
  const t = await loadTexts(deps, messageTo(""), context);
  const shown = markRequestor(deps, messageTo(""), context, t);
  const preview: MessagesPreview = { email: null, sms: null };
  await deps.takeTurn?.();
  if (recipients.email !== null) {
    const logo = await loadLogo(deps, context);
    const mail = await composeMail(config, messageTo(recipients.email), shown, t, logo);
    const { from, to, subject, text } = mail;
    preview.email = { from, to, subject, text, html: withImages(mail) };
  }
  if (recipients.sms !== null) preview.sms = composeSms(config, messageTo(recipients.sms), shown, t);
  await deps.takeTurn?.();
  return preview;
}

/** The HTML of a mail with its own images in it. */
const withImages = ({ html, images = [] }: Mail): string =>
  images.reduce(
    (shown, { contentId, mimeType, base64 }) =>
      shown.replaceAll(`src="cid:${contentId}"`, `src="data:${mimeType};base64,${base64}"`),
    html,
  );

/** The columns of an envelope that the input does not have. */
const NOT_SENT = {
  ...{ id: 0, workspaceId: 0, contactId: null, templateId: null },
  ...{ completedAt: null, filesDeletedAt: null, deletionNoticedAt: null, deletionAnnouncedAt: null },
  ...{ note: null, isNew: false, delivery: null, remindedAt: null, updatedBy: null },
  ...{ bulkId: null, version: null, bulkIndex: null, seriesId: null },
  ...{ sendOn: null, sendHour: null, sendAt: null, sendClaimedUntil: null, recipientSince: null },
};
