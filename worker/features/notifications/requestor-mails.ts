import { LISTED_DELETIONS, type NotificationContext } from "../../../db/queries/notification-context";
import { longDay } from "../../contract/days";
import { deletionTime } from "../envelope-rules/envelope-dates";
import type { AccountMail, PayloadMail } from "./account-mails";
import { longDayIn, oneLine, recipientName, severalLines, workspaceName } from "./formats";
import { button, introduction, type MailContent, type MailContext, PREHEADER_LENGTH } from "./mail-content";
import { answersFact, type EnvelopeContext, submittedFiles } from "./recipient-mails";

/** The mail that notifies the requestor, or who watches, of a submission: its files, skipped documents, and the recipient's note. */
export function submissionMail(context: EnvelopeContext, mail: PayloadMail<"submission">): MailContent {
  const { t, payload } = mail;
  const { envelope, user } = context;
  const recipient = recipientName(envelope);
  const subject = oneLine(envelope.subject ?? envelope.title);
  // A copy of a message that was sent before no longer has the text. The envelope has the latest note.
  const note = severalLines(payload.text ?? envelope.note ?? "");
  const files = submittedFiles(context, mail);
  const skipped = context.documents
    .filter((document) => document.skipped)
    .map(({ name, skipReason }) => ({
      title: oneLine(name),
      badge: t("submission.skipped"),
      ...(skipReason && { text: severalLines(skipReason) }),
    }));
  const items = [...files, ...skipped];
  const isAgain = [...context.files, ...context.answers].some(({ superseded }) => superseded);
  const answers = answersFact(context, mail);
  const first = files.length > 0 ? "submission" : "submissionWithoutFiles";
  const isAnswer = files.length + answers.length > 0;
  return {
    ...introduction(isAgain && isAnswer ? "submissionAgain" : first, mail, { recipient, subject }),
    ...(note && { quote: { title: t("submission.note", { recipient }), text: note } }),
    facts: answers,
    ...(items.length > 0 && { list: { title: t(files.length > 0 ? "files" : "documents"), items } }),
    button: button(mail, files.length > 0 ? "submission.button" : "entries.button"),
    reason: t(user.id === envelope.userId ? "submission.reason" : "submission.watching"),
  };
}

/** The mail with a message that the recipient wrote before the submission. A reply goes to the recipient. */
export function messageMail({ envelope }: EnvelopeContext, mail: PayloadMail<"message">): MailContent {
  const { t, payload } = mail;
  const recipient = recipientName(envelope);
  const subject = oneLine(envelope.subject ?? envelope.title);
  const text = severalLines(payload.text ?? "");
  return {
    ...introduction("message", mail, { recipient, subject }),
    // A copy of a message that was sent before no longer has the text.
    ...(text && {
      preheader: oneLine(text).slice(0, PREHEADER_LENGTH),
      quote: { title: t("messageFrom", { name: recipient }), text },
    }),
    button: button(mail, "expired.button"),
    ...(envelope.customerEmail && {
      note: t("message.reply", { recipient }),
      replyTo: envelope.customerEmail,
    }),
    reason: t("submission.reason"),
  };
}

/** The mail that notifies the requestor that an infected file was deleted. */
export function infectedMail({ envelope }: EnvelopeContext, mail: PayloadMail<"infected">): MailContent {
  const recipient = recipientName(envelope);
  const subject = oneLine(envelope.subject ?? envelope.title);
  const document = oneLine(mail.payload.document ?? "");
  return {
    ...introduction("infected", mail, { recipient, document, subject }),
    button: button(mail, "expired.button"),
    reason: mail.t("submission.reason"),
  };
}

/** The mail that notifies the requestor that the envelope expired. */
export function expiredMail({ envelope }: EnvelopeContext, mail: MailContext): MailContent {
  const { t, language } = mail;
  const recipient = recipientName(envelope);
  const subject = oneLine(envelope.subject ?? envelope.title);
  const date = envelope.expirationDate ? longDay(envelope.expirationDate, language) : "";
  const addresses = [envelope.customerEmail, envelope.recipientPhone].filter(Boolean).join(", ");
  return {
    ...introduction("expired", mail, { recipient, subject, date }),
    facts: [{ label: t("facts.recipient"), value: `${recipient} (${addresses})` }],
    button: button(mail, "expired.button"),
    reason: t("submission.reason"),
  };
}

/** The mail that lists the messages to recipients that failed for good. */
export function undeliveredMail(
  undelivered: NotificationContext["undelivered"],
  mail: MailContext,
): MailContent {
  const { t } = mail;
  const count = undelivered[0]?.total ?? 0;
  const items = undelivered.map(({ channel, failure, recipient, ...envelope }) => ({
    title: oneLine(envelope.subject ?? envelope.title),
    badge: t(`undelivered.${channel}`),
    text: t(`undelivered.failures.${failure}`),
    details: [...new Set([recipientName(envelope), recipient])].join(" · "),
  }));
  const more = count - items.length;
  return {
    ...introduction("undelivered", mail, { count }),
    list: {
      title: t("undelivered.list"),
      items: more > 0 ? [...items, { title: t("undelivered.more", { count: more }) }] : items,
    },
    button: button(mail, count === 1 ? "expired.button" : "deletion.button"),
    reason: t("submission.reason"),
  };
}

/** The mail that tells of several submissions together, each with its files and what is to review. */
export function digestMail(
  { first, count, toReview }: NotificationContext["submitted"],
  mail: AccountMail,
): MailContent {
  const { t, link } = mail;
  const items = first.map((envelope) => ({
    title: recipientName(envelope),
    url: new URL(`/?envelope=${envelope.id}`, link).href,
    ...(envelope.toReview > 0 && { badge: t("digest.toReview", { count: envelope.toReview }) }),
    text: oneLine(envelope.subject ?? envelope.title),
    details: [
      envelope.files > 0 && t("digest.files", { count: envelope.files }),
      envelope.note && oneLine(envelope.note),
    ]
      .filter(Boolean)
      .join(" · ")
      .slice(0, PREHEADER_LENGTH),
  }));
  const more = count - items.length;
  const text = t("digest.text", { count: toReview });
  return {
    subject: t("digest.subject", { count }),
    preheader: text,
    heading: t("digest.heading"),
    paragraphs: [text],
    list: {
      title: t("digest.list"),
      items: more > 0 ? [...items, { title: t("undelivered.more", { count: more }) }] : items,
    },
    button: button(mail, "deletion.button"),
    reason: t("digest.reason"),
    footerLink: { label: t("digest.settings"), url: new URL("/profile#preferences", link).href },
  };
}

/** The mail that lists what became of schedules: what was not sent on its day, and why, or which documents were asked for again. */
export const scheduleMail =
  (name: "notSent" | "renewed") =>
  (mail: PayloadMail<"not_sent" | "renewed">, { news }: Pick<NotificationContext, "news">): MailContent => {
    const { t, link, payload } = mail;
    // A copy of a mail that was sent before no longer has the list.
    const { news: queued = [], count: all = 0 } = payload;
    const count = all - (queued.length - news.length);
    const items = news.map(({ title, details, path, reason }) => ({
      title: oneLine(title),
      url: new URL(path, link).href,
      ...(reason && { text: t(`notSent.reasons.${reason}`) }),
      ...(details && { details: oneLine(details) }),
    }));
    const more = count - items.length;
    return {
      ...introduction(name, mail, { count }),
      list: {
        title: t(`${name}.list`),
        items: more > 0 ? [...items, { title: t("undelivered.more", { count: more }) }] : items,
      },
      button: button(mail, "deletion.button"),
      reason: t("notSent.reason"),
    };
  };

/** The mail that lists the files of a workspace that will be deleted. */
export function deletionMail(
  dueForDeletion: NotificationContext["dueForDeletion"],
  mail: MailContext,
  now: Date,
): MailContent {
  const { t, language, timeZone } = mail;
  const items = dueForDeletion.map((envelope) => ({
    name: oneLine(envelope.subject ?? envelope.title),
    recipient: recipientName(envelope),
    date: longDayIn(timeZone, deletionTime(envelope, now) ?? now.toISOString(), language),
  }));
  const [first] = dueForDeletion;
  const workspace = workspaceName(first?.workspaceName, t);
  const date = items[0]?.date ?? "";
  const days = String(first?.retentionDays ?? "");
  const more = dueForDeletion.length < LISTED_DELETIONS ? [] : [t("deletion.more")];
  if (dueForDeletion.some(({ awaitsDelivery }) => awaitsDelivery)) more.unshift(t("deletion.waiting"));
  return {
    ...introduction("deletion", mail, { workspace, date, days }, ...more),
    list: {
      title: t("deletion.list"),
      // Envelopes of one bulk send have the same subject.
      items: items.map(({ name, recipient, date }) => ({
        title: name,
        details: [recipient, t("deletion.from", { date })].join(" · "),
      })),
    },
    button: button(mail, "deletion.button"),
    reason: t("deletion.reason"),
  };
}
