import type { NotificationContext } from "../../../db/queries/notification-context";
import type { Language } from "../../contract/options";
import { submittedState } from "../../lib/document-state";
import { fileSize, longDay, oneLine, severalLines, zoneName } from "./formats";
import type { Fact, ListItem, MailContent } from "./mail-content";
import { recipientName, requestorLine, requestorName } from "./mail-names";
import type { MailText } from "./mail-texts";

export type EnvelopeContext = NotificationContext & {
  envelope: NonNullable<NotificationContext["envelope"]>;
  user: NonNullable<NotificationContext["user"]>;
};

/** The texts of a mail, the target of its button, and the time zone of the account it is about. */
export type MailContext = { t: MailText; language: Language; link: string; timeZone: string | null };

const SMS_NAME_LENGTH = 40;

export type RequestKind = "invitation" | "update" | "reminder" | "returned" | "expiring";

/** The mail that requests documents from a recipient, first or again. */
export function requestMail(
  kind: RequestKind,
  context: EnvelopeContext,
  mailContext: MailContext,
): MailContent {
  const { envelope, user } = context;
  const { t, language, link } = mailContext;
  const name = requestorName(user);
  const date = envelope.expirationDate ? longDay(envelope.expirationDate, language) : "";
  const subject = oneLine(envelope.subject ?? "") || t("invitation.subject", { name });
  const text = t(`${kind}.text`, { name, date });
  const message = severalLines(envelope.message ?? "");
  const count = openDocuments(context, kind).length;
  return {
    subject: kind === "invitation" ? subject : t(`${kind}.subject`, { subject, date, count }),
    preheader: kind === "invitation" && message ? oneLine(message).slice(0, 140) : text,
    heading: t(`${kind}.heading`, { name, date }),
    greeting: t("greeting", { recipient: recipientName(envelope) }),
    paragraphs: [text],
    ...(message && { quote: { title: t("messageFrom", { name }), text: message } }),
    facts: envelopeFacts(context, mailContext),
    list: { title: t("documents"), items: requestedDocuments(context, kind, t) },
    button: { label: t("invitation.button"), url: link, hint: t("linkHint") },
    reason: t("recipientReason", { name, email: user.email }),
  };
}

/** The text message that requests documents from a recipient. */
export function requestSms(kind: RequestKind, context: EnvelopeContext, mailContext: MailContext): string {
  const { envelope, user } = context;
  const { t, language, link } = mailContext;
  const name = requestorName(user, SMS_NAME_LENGTH);
  const date = envelope.expirationDate ? longDay(envelope.expirationDate, language) : "";
  return t(`${kind}.sms`, { name, date, link, count: openDocuments(context, kind).length });
}

/** The mail that confirms the submission to the recipient. */
export function receiptMail(context: EnvelopeContext, { t, language }: MailContext): MailContent {
  const { envelope, user } = context;
  const name = requestorName(user);
  const subject = oneLine(envelope.subject ?? "") || oneLine(envelope.title);
  const text = t("receipt.text", { name });
  return {
    subject: t("receipt.subject", { subject }),
    preheader: text,
    heading: t("receipt.heading"),
    greeting: t("greeting", { recipient: recipientName(envelope) }),
    paragraphs: [text],
    facts: [{ label: t("facts.from"), value: requestorLine(user) }],
    list: { title: t("files"), items: submittedFiles(context, language, { digests: true }) },
    reason: t("receipt.reason", { name, email: user.email }),
  };
}

/** The files of the last submission with document and size, and with their SHA-256 if `digests` is set. */
export function submittedFiles(
  { files, envelope }: NotificationContext,
  language: Language,
  { digests = false } = {},
): ListItem[] {
  const submitted = files.filter(({ createdAt }) => createdAt === envelope?.completedAt);
  return submitted.map(({ documentName, fileName, fileSize: bytes, sha256 }) => ({
    title: oneLine(documentName),
    ...(digests && sha256 && { text: `SHA-256 ${sha256}` }),
    details: `${oneLine(fileName)} · ${fileSize(bytes, language)}`,
  }));
}

function envelopeFacts({ envelope, user }: EnvelopeContext, { t, language }: MailContext): Fact[] {
  const facts = [{ label: t("facts.from"), value: requestorLine(user) }];
  if (envelope.expirationDate) {
    const date = longDay(envelope.expirationDate, language);
    facts.push({
      label: t("facts.due"),
      value: t("untilEndOf", { date, zone: zoneName(envelope.timeZone, language) }),
    });
  }
  return facts;
}

/**
 * The documents that the recipient still has to upload: all of them at first, later those that were returned or never
 * submitted. A message about returned documents lists these alone.
 */
function openDocuments({ documents, files }: NotificationContext, kind: RequestKind) {
  const wanted = kind === "returned" ? ["returned"] : ["open", "returned"];
  return documents.filter((document) => wanted.includes(submittedState(document, files)));
}

function requestedDocuments(context: NotificationContext, kind: RequestKind, t: MailText): ListItem[] {
  return openDocuments(context, kind).map(
    ({ name, description, required, allowedFileTypes, ...document }) => ({
      title: oneLine(name),
      badge: t(required ? "required" : "optional"),
      ...(document.review === "returned"
        ? { text: severalLines(document.reviewReason ?? "") }
        : description && { text: severalLines(description) }),
      details: t("accepted", {
        types: allowedFileTypes.map((type) => type.replace(/^\./, "").toUpperCase()).join(", "),
      }),
    }),
  );
}
