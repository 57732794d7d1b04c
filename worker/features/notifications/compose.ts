import type { NotificationContext } from "../../../db/queries/notification-context";
import type { Notification } from "../../../db/queries/notifications";
import { type AppConfig, addressOf } from "../../config";
import { LANGUAGES, type Language, PROVIDER_NAMES, type SignInProvider } from "../../contract/options";
import { PRODUCT_NAME } from "../../contract/product";
import type { Mail } from "../../ports/mailer";
import type { Sms } from "../../ports/sms-sender";
import {
  accountDeletedMail,
  accountInvitationMail,
  emailChangedMail,
  passwordChangedMail,
  passwordResetMail,
  providerLinkedMail,
  supportMail,
  verificationMail,
  webhookOffMail,
} from "./account-mails";
import { oneLine } from "./formats";
import { renderHtml } from "./html";
import { LOGO } from "./logo";
import type { MailContent } from "./mail-content";
import { requestorName, senderName } from "./mail-names";
import { mailTexts } from "./mail-texts";
import { renderText } from "./plain-text";
import {
  type EnvelopeContext,
  type MailContext,
  type RequestKind,
  receiptMail,
  requestMail,
  requestSms,
} from "./recipient-mails";
import { deletionMail, expiredMail, infectedMail, submissionMail } from "./requestor-mails";

/** Renders the mail of a notification. */
export function composeMail(
  config: AppConfig,
  notification: Notification,
  context: NotificationContext,
): Mail {
  const { user } = context;
  const mailContext = mailContextOf(config, notification, context);
  const content = contentOf(config, notification, context, mailContext);
  const onBehalf = user && isForRecipient(notification.kind);
  const answerable = user?.isVerified && (onBehalf || notification.kind === "support");
  return {
    from: onBehalf ? onBehalfOf(requestorName(user), config.mailFrom) : config.mailFrom,
    to: notification.recipient,
    ...(answerable && { replyTo: user.email }),
    subject: oneLine(content.subject),
    text: renderText(content, mailContext.t),
    html: renderHtml(content, mailContext.language),
    images: [LOGO],
    messageId: messageId(config, notification),
  };
}

function mailContextOf(
  config: AppConfig,
  notification: Notification,
  context: NotificationContext,
): MailContext {
  const language = languageOf(notification, context);
  return {
    t: mailTexts(language),
    language,
    link: linkOf(config, notification, context),
    timeZone: context.user?.timeZone ?? null,
  };
}

/** Renders the text message of a notification. */
export function composeSms(config: AppConfig, notification: Notification, context: NotificationContext): Sms {
  const mailContext = mailContextOf(config, notification, context);
  const { kind, recipient } = notification;
  if (!isRequestKind(kind)) throw new Error(`There is no text message for ${kind}`);
  return { to: recipient, text: requestSms(kind, requireEnvelopeContext(context), mailContext) };
}

function contentOf(
  config: AppConfig,
  notification: Notification,
  context: NotificationContext,
  mailContext: MailContext,
): MailContent {
  const { kind, recipient: email, createdAt: at, payload } = notification;
  const change = { email, at, support: config.supportEmail };
  switch (kind) {
    case "submission":
      return submissionMail(requireEnvelopeContext(context), mailContext);
    case "receipt":
      return receiptMail(requireEnvelopeContext(context), mailContext);
    case "expired":
      return expiredMail(requireEnvelopeContext(context), mailContext);
    case "infected":
      return infectedMail(requireEnvelopeContext(context), mailContext, String(payload.document ?? ""));
    case "deletion":
      return deletionMail(context.announced, mailContext, new Date(at));
    case "verification":
      return verificationMail(email, mailContext);
    case "account_invitation":
      return accountInvitationMail(email, mailContext);
    case "password_reset":
      return passwordResetMail(email, mailContext);
    case "password_changed":
      return passwordChangedMail(change, mailContext);
    case "email_changed":
      return emailChangedMail(change, mailContext, { revertible: payload.token !== undefined });
    case "provider_linked":
      return providerLinkedMail(
        { ...change, provider: PROVIDER_NAMES[payload.provider as SignInProvider] },
        mailContext,
      );
    case "webhook_off":
      return webhookOffMail({ email, host: String(payload.host) }, mailContext);
    case "account_deleted":
      return accountDeletedMail(change, mailContext);
    case "support":
      if (!context.user) throw new Error("The account no longer exists");
      return supportMail(context.user, String(payload.message ?? ""), mailContext);
    default:
      return requestMail(kind, requireEnvelopeContext(context), mailContext);
  }
}

/**
 * The context for messages to recipients: the requestor's address is marked wherever it appears if it was never
 * verified. Only for instances that send mail; others cannot verify an address.
 */
export function markUnverified(
  notification: Notification,
  context: NotificationContext,
): NotificationContext {
  const { user } = context;
  if (!user || user.isVerified || !isForRecipient(notification.kind)) return context;
  const email = mailTexts(user.languagePreference)("notVerified", { email: user.email });
  return { ...context, user: { ...user, email } };
}

function languageOf({ kind, payload }: Notification, { user }: NotificationContext): Language {
  // Always in English: the operator may not understand the user's language.
  if (kind === "support") return "en";
  const fromPayload = LANGUAGES.find((language) => language === payload.language);
  return user?.languagePreference ?? fromPayload ?? "en";
}

/** The target of the message's button, always on the configured origin. */
function linkOf(
  { publicUrl }: AppConfig,
  { kind, payload }: Notification,
  { envelope }: NotificationContext,
): string {
  if (isForRecipient(kind)) return `${publicUrl}/submit/${envelope?.submissionToken ?? ""}`;
  if (kind === "submission" || kind === "expired" || kind === "infected")
    return `${publicUrl}/?envelope=${envelope?.id ?? ""}`;
  if (kind === "deletion") return `${publicUrl}/`;
  if (kind === "verification") return `${publicUrl}/verify/${payload.token ?? ""}`;
  if (kind === "account_invitation") return `${publicUrl}/invite/${payload.token ?? ""}`;
  if (kind === "password_reset") return `${publicUrl}/reset/${payload.token ?? ""}`;
  if (kind === "email_changed") return `${publicUrl}/revert-email/${payload.token ?? ""}`;
  if (kind === "webhook_off") return `${publicUrl}/integrations`;
  if (kind === "provider_linked") return `${publicUrl}/profile`;
  return `${publicUrl}/auth?mode=forgot`;
}

const isRequestKind = (kind: Notification["kind"]): kind is RequestKind =>
  ["invitation", "update", "reminder", "returned", "expiring"].includes(kind);

const isForRecipient = (kind: Notification["kind"]) => isRequestKind(kind) || kind === "receipt";

/** The operator's own address with the requestor's name: sending from the requestor's address would look forged. */
function onBehalfOf(name: string, mailFrom: string): string {
  return `${senderName(`${name} via ${PRODUCT_NAME}`)} <${addressOf(mailFrom)}>`;
}

/** The same for each attempt. The timestamp distinguishes databases whose ids both start at 1. */
function messageId({ publicUrl }: AppConfig, { id, createdAt }: Notification): string {
  return `<notification-${id}-${Date.parse(createdAt).toString(36)}@${new URL(publicUrl).hostname}>`;
}

function requireEnvelopeContext(context: NotificationContext): EnvelopeContext {
  const { envelope, user } = context;
  if (!envelope || !user) throw new Error("The envelope no longer exists");
  return { ...context, envelope, user };
}
