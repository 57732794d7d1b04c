import type { NotificationContext } from "../../../db/queries/notification-context";
import { daysBetween, longDay } from "../../contract/days";
import { type DocumentState, withDetails } from "../../contract/documents";
import { formatOf } from "../../contract/equal-extensions";
import type { NotificationPayload, RequestKind } from "../../contract/notifications";
import type { QuestionFields } from "../../contract/questions";
import { dayIn } from "../../contract/time-zones";
import { askedDocuments, submittedState } from "../envelope-rules/documents";
import type { AccountMail, PayloadMail } from "./account-mails";
import {
  fileSize,
  longTime,
  oneLine,
  recipientName,
  requestorLine,
  requestorName,
  severalLines,
  strangersName,
  zoneName,
} from "./formats";
import {
  type Block,
  button,
  type Fact,
  introduction,
  type ListItem,
  labelled,
  type MailContent,
  type MailContext,
  PREHEADER_LENGTH,
} from "./mail-content";
import type { MailText } from "./mail-texts";

export type EnvelopeContext = NotificationContext & {
  envelope: NonNullable<NotificationContext["envelope"]>;
  user: NonNullable<NotificationContext["user"]>;
};

const SMS_NAME_LENGTH = 40;

/** What a request says beside its texts. */
type RequestContent = {
  /** It introduces the request: a mailbox shows the beginning of its message. */
  isFirst: boolean;
  /** The message says what it is about, so that the product's own introduction is left out. */
  opensWithMessage: boolean;
  /** The states of the documents that it lists. */
  lists: readonly DocumentState[];
  /** Why documents are asked for again. */
  givesReasons: boolean;
  remindsOfDueDate: boolean;
};
/** What the recipient still has to upload: all documents at first, later those that were returned or never submitted. */
const AWAITED = {
  isFirst: false,
  opensWithMessage: false,
  lists: ["open", "returned"],
  givesReasons: true,
  remindsOfDueDate: false,
} as const;
const REQUESTS: Record<RequestKind, RequestContent> = {
  invitation: { ...AWAITED, isFirst: true, opensWithMessage: true },
  // What is needed again was described at first; the reasons are what is new.
  update: { ...AWAITED, opensWithMessage: true, givesReasons: false },
  reminder: { ...AWAITED, remindsOfDueDate: true },
  expiring: AWAITED,
  returned: { ...AWAITED, lists: ["returned"] },
};

// Mails are read on phones: the button comes within the first screen, after what is short.
const MESSAGE_FIRST: readonly Block[] = ["quote", "button", "facts", "list"];
const BUTTON_FIRST: readonly Block[] = ["button", "facts", "list", "quote"];
const REASONS_NEXT: readonly Block[] = ["button", "list", "facts", "quote"];
const LONG_MESSAGE_AFTER: readonly Block[] = ["button", "quote", "facts", "list"];

const SHORT_LINES = 6;
/** Of a reminder's note, which stands beside the mail's own sentences. */
const SHORT_NOTE_LINES = 3;
const LINE_LENGTH = 34;
/** Chinese and Japanese characters, which are twice as wide. */
const WIDE = /[\u2E80-\uFFEF]/g;

/** Whether the text leaves room for the button on the first screen of a phone. */
const isShort = (text: string, lines = SHORT_LINES): boolean =>
  text
    .split("\n")
    .reduce((sum, line) => sum + Math.ceil(Math.max(1, line.replace(WIDE, "ww").length) / LINE_LENGTH), 0) <=
  lines;

/** The mail that requests documents from a recipient, first or again. */
export function requestMail(
  kind: RequestKind,
  context: EnvelopeContext,
  mailContext: MailContext & Pick<PayloadMail<RequestKind>, "payload">,
): MailContent {
  const { envelope, user } = context;
  const { t, language, payload } = mailContext;
  const name = requestorName(user);
  const date = envelope.expirationDate ? longDay(envelope.expirationDate, language) : "";
  const subject =
    oneLine(envelope.subject ?? "") ||
    t(headingOf("invitation", askedIn(context.documents)), { name: strangersName(user) });
  const message = severalLines(envelope.message ?? "");
  const { isFirst, opensWithMessage, givesReasons, remindsOfDueDate } = REQUESTS[kind];
  const open = namedOf(listedDocuments(context, kind), payload);
  const count = open.length;
  const asked = askedIn(open);
  const text = t(asked === "documents" || kind === "update" ? `${kind}.text` : `${asked}.${kind}`, {
    ...{ name, date, count },
  });
  const note = severalLines(payload.note ?? "");
  const reasons = givesReasons
    ? open.filter(({ review }) => review === "returned").map((document) => whyAgain(document, t))
    : [];
  const isMessageFirst = opensWithMessage && message !== "";
  const isNoteFirst = isShort(note, SHORT_NOTE_LINES);
  const quoted = [isNoteFirst ? "" : note, message].filter(Boolean).join("\n\n");
  return {
    subject:
      kind === "invitation"
        ? subject
        : t(asked !== "documents" && kind === "returned" ? "entries.returnedSubject" : `${kind}.subject`, {
            subject,
            date,
            count,
          }),
    preheader: (reasons.join(" · ") || oneLine(note) || (isFirst && oneLine(message)) || text).slice(
      0,
      PREHEADER_LENGTH,
    ),
    heading: t(headingOf(kind, asked), { name, date, count }),
    ...(!message && !note && { greeting: t("greeting", { recipient: recipientName(envelope) }) }),
    paragraphs: [
      ...(note && isNoteFirst ? [note] : []),
      ...(isMessageFirst ? [] : [text]),
      ...(remindsOfDueDate ? dueSentence(envelope, mailContext) : []),
    ],
    ...(quoted && { quote: { title: t("messageFrom", { name }), text: quoted } }),
    facts: envelopeFacts(context, mailContext),
    list: { title: t(asked === "documents" ? asked : `${asked}.list`), ...requestedDocuments(open, t) },
    order:
      reasons.length > 0
        ? REASONS_NEXT
        : !isMessageFirst && isNoteFirst
          ? BUTTON_FIRST
          : isMessageFirst && isShort(message)
            ? MESSAGE_FIRST
            : LONG_MESSAGE_AFTER,
    button: button(mailContext, asked === "documents" ? "invitation.button" : "entries.button"),
    ...(kind === "reminder" && { note: t("reminder.note", { name }) }),
    reason: t("recipientReason", { name, email: user.email }),
  };
}

/** The text message that requests documents from a recipient. */
export function requestSms(kind: RequestKind, context: EnvelopeContext, mailContext: MailContext): string {
  const { envelope, user } = context;
  const { t, language, link } = mailContext;
  const name = strangersName(user, SMS_NAME_LENGTH);
  const date = envelope.expirationDate ? longDay(envelope.expirationDate, language) : "";
  const [due] = REQUESTS[kind].remindsOfDueDate ? dueSentence(envelope, mailContext) : [];
  const listed = listedDocuments(context, kind);
  const asks = askedIn(listed) !== "documents";
  if (due) return t(asks ? "entriesSms.due" : "reminder.smsDue", { name, due, link });
  return t(asks && kind !== "update" ? `entriesSms.${kind}` : `${kind}.sms`, {
    name,
    date,
    link,
    count: listed.length,
  });
}

/** What the entries are, by which a message names them: documents, questions or both. */
function askedIn(entries: readonly Pick<QuestionFields, "kind">[]) {
  const files = entries.filter(({ kind }) => kind === "file").length;
  if (files === entries.length) return "documents";
  return files === 0 ? "questions" : "entries";
}

const headingOf = (kind: RequestKind, asked: ReturnType<typeof askedIn>) =>
  asked === "documents" || kind === "update" || kind === "expiring"
    ? (`${kind}.heading` as const)
    : (`${asked}.${kind}Heading` as const);

/** How long it is until the due date, or since. */
function dueSentence(
  { dueDate, timeZone }: EnvelopeContext["envelope"],
  { t, language, at }: MailContext,
): string[] {
  if (!dueDate) return [];
  const days = daysBetween(dayIn(timeZone, new Date(at)), dueDate);
  const key = ({ "-1": "yesterday", 0: "today", 1: "tomorrow" } as const)[days] ?? (days > 0 ? "in" : "ago");
  return [t(`due.${key}`, { days: Math.abs(days), date: longDay(dueDate, language) })];
}

/** The mail that confirms the submission to the recipient. */
export function receiptMail(context: EnvelopeContext, mail: AccountMail): MailContent {
  const { t, language } = mail;
  const { envelope, user } = context;
  const name = requestorName(user);
  const subject = oneLine(envelope.subject ?? "") || oneLine(envelope.title);
  const files = handedInFiles(context, mail);
  const about = files.length > 0 ? "receipt" : "receiptWithoutFiles";
  const digests = files.flatMap(({ fileName, sha256 }) =>
    sha256 ? [`${oneLine(fileName)}: ${sha256}`] : [],
  );
  return {
    ...introduction(about, mail, { name, subject }),
    greeting: t("greeting", { recipient: recipientName(envelope) }),
    facts: [
      { label: t("facts.from"), value: requestorLine(user) },
      {
        label: t("facts.received"),
        value: longTime(envelope.timeZone, handedInAt(context, mail), language),
      },
      ...answersFact(context, mail),
    ],
    ...(files.length > 0 && {
      list: {
        title: t("files"),
        items: files.map((file) => ({ title: oneLine(file.documentName), text: nameAndSize(file, mail) })),
      },
    }),
    ...(digests.length > 0 && { finePrint: { title: t("receipt.digests"), lines: digests } }),
    reason: t(`${about}.reason`, { name, email: user.email }),
  };
}

/** When the submission that a message is about was made: the last one before it, also if there is a later one meanwhile. */
function handedInAt(
  { envelope, files, answers }: Pick<NotificationContext, "envelope" | "files" | "answers">,
  { at }: Pick<MailContext, "at">,
): string {
  const times = [
    ...files.map(({ createdAt }) => createdAt),
    ...answers.map(({ submittedAt }) => submittedAt),
    envelope?.completedAt,
    // One that brought neither, and was not the last.
    envelope?.submittedAt,
  ];
  return (
    times
      .flatMap((time) => (time && time <= at ? time : []))
      .sort()
      .at(-1) ?? at
  );
}

/** The files of that submission, each with its document, its name and its size. */
export function submittedFiles(context: NotificationContext, mail: MailContext): ListItem[] {
  return handedInFiles(context, mail).map((file) => ({
    title: oneLine(file.documentName),
    details: nameAndSize(file, mail),
  }));
}

function handedInFiles(context: NotificationContext, mail: MailContext) {
  const time = handedInAt(context, mail);
  return context.files.filter(({ createdAt }) => createdAt === time);
}

/** "scan.pdf · 1.2 MB" */
const nameAndSize = (file: NotificationContext["files"][number], mail: MailContext) =>
  `${oneLine(file.fileName)} · ${fileSize(file.fileSize, mail)}`;

function envelopeFacts({ envelope, user }: EnvelopeContext, { t, language }: MailContext): Fact[] {
  const facts = [{ label: t("facts.from"), value: requestorLine(user) }];
  if (envelope.dueDate) facts.push({ label: t("facts.dueBy"), value: longDay(envelope.dueDate, language) });
  if (envelope.expirationDate) {
    const date = longDay(envelope.expirationDate, language);
    facts.push({
      label: t("facts.worksUntil"),
      value: t("untilEndOf", { date, zone: zoneName(envelope.timeZone, language) }),
    });
  }
  return facts;
}

const listedDocuments = ({ documents, files, answers }: NotificationContext, kind: RequestKind) => {
  const handed = { submissions: files, answers };
  // What is asked only after an answer that is not submitted yet may never be.
  const entries = documents.map(withDetails);
  const asked = askedDocuments({ documents: entries, ...handed }, submittedValues(answers));
  return entries.filter(
    (document) =>
      (asked.has(document) || document.review === "returned") &&
      REQUESTS[kind].lists.includes(submittedState(document, handed)),
  );
};

const submittedValues = (answers: NotificationContext["answers"]) =>
  new Map(
    answers.flatMap(({ requestDocumentId, value, sealed, superseded }) =>
      value === null || sealed || superseded ? [] : [[requestDocumentId, value] as const],
    ),
  );

/** How many questions were answered in the last submission. */
export function answersFact(context: NotificationContext, mail: MailContext): Fact[] {
  const time = handedInAt(context, mail);
  const count = context.answers.filter(({ submittedAt }) => submittedAt === time).length;
  return count > 0 ? [{ label: mail.t("facts.answers"), value: String(count) }] : [];
}

/** Those that the message names; all once none of them is missing any more. */
function namedOf(
  documents: NotificationContext["documents"],
  { documentIds = [] }: Pick<NotificationPayload, "documentIds">,
) {
  const named = documents.filter(({ id }) => documentIds.includes(id));
  return named.length > 0 ? named : documents;
}

const whyAgain = ({ name, reviewReason }: NotificationContext["documents"][number], t: MailText) =>
  oneLine(labelled(t, name, reviewReason ?? ""));

/** Each document, and the types that it accepts: once, if they are the same for all of several. */
function requestedDocuments(
  documents: NotificationContext["documents"],
  t: MailText,
): Pick<NonNullable<MailContent["list"]>, "details" | "items"> {
  const accepted = documents.map(({ kind, allowedFileTypes }) =>
    kind === "file" ? t("accepted", { types: typesInWords(allowedFileTypes) }) : null,
  );
  const [first, ...others] = accepted.filter((types) => types !== null);
  const common = others.length > 0 && others.every((types) => types === first) ? first : undefined;
  return {
    ...(common && { details: common }),
    items: documents.map(({ name, description, required, ...document }, index) => ({
      title: oneLine(name),
      badge: t(required ? "required" : "optional"),
      ...(document.review === "returned"
        ? { text: severalLines(document.reviewReason ?? "") }
        : description && { text: severalLines(description) }),
      ...(!common && accepted[index] && { details: accepted[index] }),
    })),
  };
}

const PROGRAMS: Record<string, string> = {
  doc: "Word",
  docx: "Word",
  xls: "Excel",
  xlsx: "Excel",
  ppt: "PowerPoint",
  pptx: "PowerPoint",
};

/** "PDF, Word, JPG": each format once, by the name that people know. */
function typesInWords(extensions: readonly string[]): string {
  const names = extensions.map((extension) => {
    const format = formatOf(extension.replace(/^\./, "").toLowerCase());
    return PROGRAMS[format] ?? format.toUpperCase();
  });
  return [...new Set(names)].join(", ");
}
