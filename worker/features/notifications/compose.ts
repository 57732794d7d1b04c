import type { NotificationContext } from "../../../db/queries/notification-context";
import type { Notification } from "../../../db/queries/notifications";
import { type AppConfig, addressOf } from "../../config";
import {
  isForRecipient,
  isRequestKind,
  NOTIFICATION_KINDS,
  type NotificationPayload,
} from "../../contract/notifications";
import type { Language } from "../../contract/options";
import { PRODUCT_NAME } from "../../contract/product";
import type { Dependencies } from "../../dependencies";
import type { InlineImage, Mail } from "../../ports/mailer";
import type { Sms } from "../../ports/sms-sender";
import { isNewAccount } from "../rate-limits/rate-rules";
import { isAdministrator } from "../sign-in-policy/sign-in-policy";
import { oneLine, requestorName, senderName } from "./formats";
import { brandNameOf, mailBrandOf, senderOf } from "./mail-brand";
import { type MailContent, type MailContext, renderText } from "./mail-content";
import { type MailText, mailTextOf } from "./mail-texts";
import { MAILS, requireEnvelopeContext } from "./mails";
import { KINDS } from "./notification-kinds";
import { requestSms } from "./recipient-mails";

/** What its text needs of a notification. */
export type ComposedNotification = Pick<Notification, "id" | "kind" | "recipient" | "createdAt" | "payload">;

/** Renders the mail of a notification, with the texts of `loadTexts`. */
export async function composeMail(
  config: AppConfig,
  notification: ComposedNotification,
  context: NotificationContext,
  t: MailText,
  brandLogo?: InlineImage,
): Promise<Mail> {
  const { renderHtml, LOGO } = await import("./mail-html");
  const { user } = context;
  const { kind, recipient: email, payload } = notification;
  const mailContext = mailContextOf(config, notification, context, t);
  const { supportEmail: support, allowsPasswords } = config;
  const mail = { ...mailContext, email, payload, support, allowsPasswords };
  const content: MailContent = {
    ...withFurtherEvents(MAILS[kind](mail, context), payload, t),
    ...(isForRecipient(kind) && { brand: mailBrandOf(context, brandLogo) }),
    ...(context.unsubscribeLink && {
      footerLink: {
        label: t("unsubscribe"),
        url: `${config.publicUrl}/unsubscribe/${context.unsubscribeLink.token}`,
      },
    }),
  };
  const onBehalf = user && isForRecipient(kind);
  const goesToUser = user?.isVerified && (onBehalf || isForOperator(kind));
  const replyTo = goesToUser ? user.email : content.replyTo;
  return {
    from: onBehalf
      ? onBehalfOf(requestorName(user), senderOf(content.brand), config.mailFrom)
      : config.mailFrom,
    to: email,
    ...(replyTo && { replyTo }),
    subject: oneLine(content.subject),
    ...(context.unsubscribeLink && {
      unsubscribeUrl: `${config.publicUrl}/api/unsubscribe/${context.unsubscribeLink.token}`,
    }),
    text: renderText(content, t),
    html: renderHtml(content, mailContext.language),
    images: imagesOf(content, { brandLogo, productLogo: LOGO }),
    messageId: messageId(config, notification),
  };
}

/** Says how many events of the kind the mail reports beside the one that it is about. */
function withFurtherEvents(content: MailContent, { more }: NotificationPayload, t: MailText): MailContent {
  if (!more) return content;
  const [first = "", ...others] = content.paragraphs;
  return { ...content, paragraphs: [first, t("furtherEvents", { count: more }), ...others] };
}

/** The logo that the mail shows: the brand's, otherwise the product's, and none beside a brand's name. */
function imagesOf(
  { brand }: MailContent,
  { brandLogo, productLogo }: { brandLogo: InlineImage | undefined; productLogo: InlineImage },
): readonly InlineImage[] {
  if (brandLogo && brand?.logo) return [brandLogo];
  return brand?.name ? [] : [productLogo];
}

function mailContextOf(
  config: AppConfig,
  notification: ComposedNotification,
  context: NotificationContext,
  t: MailText,
): MailContext {
  const path = KINDS[notification.kind].link?.(notification, context, config);
  return {
    t,
    language: languageOf(notification, context),
    link: path === undefined ? "" : `${config.publicUrl}${path}`,
    timeZone: context.user?.timeZone ?? null,
    at: notification.createdAt,
  };
}

/** Renders the text message of a notification, with the texts of `loadTexts`. */
export function composeSms(
  config: AppConfig,
  notification: ComposedNotification,
  context: NotificationContext,
  t: MailText,
): Sms {
  const mailContext = mailContextOf(config, notification, context, t);
  const { kind, recipient } = notification;
  if (!isRequestKind(kind)) throw new Error(`There is no text message for ${kind}`);
  return { to: recipient, text: requestSms(kind, requireEnvelopeContext(context), mailContext) };
}

/**
 * The context for messages to recipients: the requestor's address is marked wherever it appears if it was never verified,
 * and the subject of a new account begins with the requestor's name, so that it cannot be anybody's words. An
 * administrator's needs no such frame. Only for instances that send mail; others reach nobody, and cannot verify an address.
 */
export function markRequestor(
  { config, mailer }: Pick<Dependencies, "config" | "mailer">,
  { kind, createdAt }: Pick<Notification, "kind" | "createdAt">,
  context: NotificationContext,
  t: MailText,
): NotificationContext {
  if (mailer.localOnly || !context.user || !isForRecipient(kind)) return context;
  const { isVerified, email } = context.user;
  const user = { ...context.user, ...(!isVerified && { email: t("notVerified", { email }) }) };
  const subject = oneLine(context.envelope?.subject ?? "");
  const isStranger = isNewAccount(user, new Date(createdAt)) && !isAdministrator(config, context.user);
  if (!context.envelope || !subject || !isStranger || !config.limitsRates) return { ...context, user };
  const framed = t("invitation.framedSubject", { name: requestorName(user), subject });
  return { ...context, user, envelope: { ...context.envelope, subject: framed } };
}

/** The texts of a notification's messages. */
export async function loadTexts(
  { loadMailTexts }: Pick<Dependencies, "loadMailTexts">,
  notification: ComposedNotification,
  context: NotificationContext,
): Promise<MailText> {
  const language = languageOf(notification, context);
  const product = isForRecipient(notification.kind) ? brandNameOf(context) : undefined;
  return mailTextOf(await loadMailTexts(language), language, product);
}

function languageOf(
  { kind, payload }: ComposedNotification,
  { user, envelope, receipt }: NotificationContext,
): Language {
  // The operator may not understand the user's language.
  if (isForOperator(kind)) return "en";
  if (payload.receiptLanguage) return payload.receiptLanguage;
  if (isForRecipient(kind) && envelope?.language) return envelope.language;
  // Who submitted in a language reads on in it, unless the recipient is another one now.
  const read = receipt?.recipient === envelope?.customerEmail ? receipt?.payload.receiptLanguage : undefined;
  if (isForRecipient(kind) && read) return read;
  return user?.languagePreference ?? payload.language ?? "en";
}

const isForOperator = (kind: Notification["kind"]) => NOTIFICATION_KINDS[kind].audience === "operator";

/** The operator's own address with the requestor's name: sending from the requestor's address would look forged. */
function onBehalfOf(requestor: string, via: string, mailFrom: string): string {
  const names = new Set([requestor, via].map(senderName).filter(Boolean));
  return `${[...names].join(" via ") || PRODUCT_NAME} <${addressOf(mailFrom)}>`;
}

/** The same for each attempt. The timestamp distinguishes databases whose ids both start at 1. */
function messageId({ publicUrl }: AppConfig, { id, createdAt }: ComposedNotification): string {
  return `<notification-${id}-${Date.parse(createdAt).toString(36)}@${new URL(publicUrl).hostname}>`;
}
