import { ANNOUNCED, type NotificationContext } from "../../../db/queries/notification-context";
import { deletionMoment } from "../../lib/retention";
import { longDay, longDayIn, oneLine } from "./formats";
import type { MailContent } from "./mail-content";
import { recipientName } from "./mail-names";
import { type EnvelopeContext, type MailContext, submittedFiles } from "./recipient-mails";

/** The mail that notifies the requestor of a submission: its files, skipped documents, and the recipient's note. */
export function submissionMail(context: EnvelopeContext, { t, language, link }: MailContext): MailContent {
  const recipient = recipientName(context.envelope);
  const subject = oneLine(context.envelope.subject ?? context.envelope.title);
  const text = t("submission.text", { recipient, subject });
  const { note } = context.envelope;
  const skipped = context.documents
    .filter((document) => document.skipped)
    .map(({ name, skipReason }) => ({
      title: oneLine(name),
      badge: t("submission.skipped"),
      ...(skipReason && { text: skipReason }),
    }));
  return {
    subject: t("submission.subject", { recipient, subject }),
    preheader: text,
    heading: t("submission.heading"),
    paragraphs: [text],
    ...(note && { quote: { title: t("submission.note", { recipient }), text: note } }),
    list: { title: t("files"), items: [...submittedFiles(context, language), ...skipped] },
    button: { label: t("submission.button"), url: link, hint: t("linkHint") },
    reason: t("submission.reason"),
  };
}

/** The mail that notifies the requestor that an infected file was deleted. */
export function infectedMail(
  { envelope }: EnvelopeContext,
  { t, link }: MailContext,
  document: string,
): MailContent {
  const recipient = recipientName(envelope);
  const subject = oneLine(envelope.subject ?? envelope.title);
  const text = t("infected.text", { recipient, document: oneLine(document) });
  return {
    subject: t("infected.subject", { subject }),
    preheader: text,
    heading: t("infected.heading"),
    paragraphs: [text],
    button: { label: t("expired.button"), url: link, hint: t("linkHint") },
    reason: t("submission.reason"),
  };
}

/** The mail that notifies the requestor that the envelope expired. */
export function expiredMail({ envelope }: EnvelopeContext, { t, language, link }: MailContext): MailContent {
  const recipient = recipientName(envelope);
  const subject = oneLine(envelope.subject ?? envelope.title);
  const date = envelope.expirationDate ? longDay(envelope.expirationDate, language) : "";
  const text = t("expired.text", { recipient, subject, date });
  const reach = [envelope.customerEmail, envelope.recipientPhone].filter(Boolean).join(", ");
  return {
    subject: t("expired.subject", { subject }),
    preheader: text,
    heading: t("expired.heading"),
    paragraphs: [text],
    facts: [{ label: t("facts.recipient"), value: `${recipient} (${reach})` }],
    button: { label: t("expired.button"), url: link, hint: t("linkHint") },
    reason: t("expired.reason"),
  };
}

/** The mail that lists the files of a workspace that will be deleted. */
export function deletionMail(
  announced: NotificationContext["announced"],
  { t, language, link, timeZone }: MailContext,
  now: Date,
): MailContent {
  const items = announced.map((envelope) => ({
    name: oneLine(envelope.subject ?? envelope.title),
    date: longDayIn(timeZone, deletionMoment(envelope, now) ?? now.toISOString(), language),
  }));
  const [first] = announced;
  const workspace = oneLine(first?.workspaceName ?? "");
  const date = items[0]?.date ?? "";
  const text = t("deletion.text", { workspace, date, days: String(first?.retentionDays ?? "") });
  return {
    subject: t("deletion.subject", { workspace, date }),
    preheader: text,
    heading: t("deletion.heading"),
    paragraphs: announced.length < ANNOUNCED ? [text] : [text, t("deletion.more")],
    list: {
      title: t("deletion.list"),
      items: items.map((item) => ({ title: item.name, details: t("deletion.from", { date: item.date }) })),
    },
    button: { label: t("deletion.button"), url: link, hint: t("linkHint") },
    reason: t("deletion.reason"),
  };
}
