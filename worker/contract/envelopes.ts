import * as z from "zod/mini";
import { answerValue } from "./answers";
import { isDay } from "./days";
import { submissionDelivery } from "./destinations";
import { repeatedNames } from "./document-names";
import {
  BOARD_STATES,
  DOCUMENT_DEFAULTS,
  DOCUMENT_STATES,
  documentEntry,
  documentResponse,
  questionIssues,
} from "./documents";
import type { Issue } from "./error-body";
import {
  bytes,
  count,
  day,
  entity,
  id,
  matchingOrBlank,
  nullishTo,
  optionalEmail,
  optionalLanguage,
  optionalText,
  queriedId,
  RESPONSES,
  readVersion,
  rowId,
  type SchemasOf,
  text,
  time,
} from "./fields";
import { isRecord } from "./is-record";
import { LIMITS, SERVER_LIMITS } from "./limits";
import { FILTERED_BY, SORTS, TABS } from "./list-orders";
import { filter, foundListQuery, VIEWS } from "./lists";
import { MESSAGES } from "./messages";
import { DELIVERIES, UPDATES } from "./notifications";
import {
  DEFAULT_COUNTRY_CODE,
  ENVELOPE_STATUSES,
  LANGUAGES,
  NOTIFICATION_PREFERENCES,
  type NotificationPreference,
  needsEmail,
  needsPhone,
  REMINDER_FREQUENCIES,
} from "./options";
import {
  isBeforeSending,
  isCountryCode,
  isDueAfterEnd,
  isHexColor,
  isPhoneNumber,
  lacksDueDate,
  plainPhone,
  readLastDay,
} from "./patterns";
import { toE164 } from "./phone";
import { recipientEnvelopeResponse } from "./submissions";

const blankToNull = <T extends string>(value: T | null | undefined) =>
  value === "" ? null : (value ?? null);

/** The last day on which the link works, as `YYYY-MM-DD`; absent and blank alike are null. */
export const expirationDate = nullishTo(
  z.string().check(z.trim(), z.maxLength(LIMITS.timestamp, { abort: true, error: MESSAGES.invalidDate })),
  (value, context) => {
    if (!value) return null;
    const read = readLastDay(value);
    if ("day" in read) return read.day;
    context.issues.push({ code: "custom", message: MESSAGES[read.problem], input: value });
    return z.NEVER;
  },
);

/** A day as `YYYY-MM-DD`; absent and blank are null. */
const optionalDay = nullishTo(
  z.string().check(
    z.trim(),
    z.maxLength(LIMITS.timestamp, { abort: true, error: MESSAGES.invalidDate }),
    z.refine((value) => value === "" || isDay(value), MESSAGES.invalidDate),
  ),
  (value) => value || null,
);

/** Absent and none are null. */
export const reminderDays = nullishTo(
  z
    .array(
      z.int().check(z.minimum(-SERVER_LIMITS.reminderDaysAfter), z.maximum(SERVER_LIMITS.reminderDaysBefore)),
    )
    .check(
      z.maxLength(LIMITS.reminderDays),
      z.refine((days) => new Set(days).size === days.length, MESSAGES.reminderDaysDiffer),
    ),
  (days) => (days?.length ? days : null),
).check(z.describe("On which days before the due date reminders are sent, negative for days after it"));

const fields = z.object({
  isDraft: nullishTo(z.boolean(), (value) => value ?? false),
  recipientName: z.nullish(text(LIMITS.name)),
  recipientEmail: optionalEmail,
  recipientPhone: z.nullish(
    z
      .string()
      .check(
        z.overwrite(plainPhone),
        z.maxLength(LIMITS.phone, { abort: true, error: MESSAGES.invalidRecipientPhone }),
      ),
  ),
  countryCode: nullishTo(
    matchingOrBlank(isCountryCode, LIMITS.phone, MESSAGES.invalidCountryCode),
    (value) => value || DEFAULT_COUNTRY_CODE,
  ),
  reminderFrequency: nullishTo(z.enum(REMINDER_FREQUENCIES), (value) => value ?? "none"),
  notificationPreference: nullishTo(z.enum(NOTIFICATION_PREFERENCES), (value) => value ?? "email"),
  /** Of the messages to the recipient and of their page; null for the assignee's. */
  language: optionalLanguage,
  expirationDate,
  dueDate: optionalDay.check(
    z.describe("By when the recipient is asked to submit, as `YYYY-MM-DD`; the link works on"),
  ),
  reminderDays,
  sendOn: optionalDay.check(
    z.describe("The day on which it is sent, as `YYYY-MM-DD`, at most 366 days ahead; null for at once"),
  ),
  sendHour: nullishTo(z.int().check(z.minimum(0), z.maximum(23)), (hour) => hour ?? null).check(
    z.describe("The hour of that day in the assignee's time zone, by default 9"),
  ),
  subject: z.nullish(text(LIMITS.subject)),
  message: optionalText(LIMITS.text),
  documents: nullishTo(
    z
      .array(documentEntry(nullishTo(text(LIMITS.name), (name) => name ?? "")))
      .check(z.maxLength(LIMITS.documentsPerEnvelope)),
    (entries) => entries ?? [],
  ),
  contactId: z.nullish(rowId),
  prefill: nullishTo(z.boolean(), (value) => value ?? false).check(
    z.describe(
      "Whether the contact's earlier answers to the same questions are offered; whoever has the link can read them",
    ),
  ),
  templateId: z.nullish(rowId),
  workspaceId: z.nullish(rowId),
  /** Whom it is assigned to; by default the caller or, in a change, whoever it was assigned to. */
  assigneeId: z.nullish(rowId),
});

/** What a draft lacks before it can be sent, as the specification defines it. A draft may omit any field. */
function sentIssues(input: z.output<typeof fields>, phoneMayBeStored: boolean): Issue[] {
  if (input.isDraft) return [];
  const issues: Issue[] = [];
  if (input.recipientName === "")
    issues.push({ path: "recipientName", message: MESSAGES.recipientNameRequired });
  if (!input.recipientName) issues.push({ path: "recipientName", message: MESSAGES.sentRecipientName });
  if (input.subject === "") issues.push({ path: "subject", message: MESSAGES.subjectRequired });
  if (!input.subject) issues.push({ path: "subject", message: MESSAGES.sentSubject });
  const recipientPhone = input.recipientPhone || null;
  if (recipientPhone || input.recipientPhone === null || !phoneMayBeStored)
    issues.push(...addressIssues({ ...input, recipientPhone }));
  issues.push(...dueIssues(input));
  for (const path of ["dueDate", "expirationDate"] as const)
    if (isBeforeSending(input[path], input.sendOn)) issues.push({ path, message: MESSAGES.beforeSending });
  if (input.documents.length === 0) issues.push({ path: "documents", message: MESSAGES.sentDocuments });
  input.documents.forEach(({ name }, index) => {
    const path = `documents.${index}.name`;
    if (name) return;
    issues.push(
      { path, message: MESSAGES.documentNameRequired },
      { path, message: MESSAGES.sentDocumentName },
    );
  });
  issues.push(
    ...questionIssues(input.documents).map((issue) => ({ ...issue, path: `documents.${issue.path}` })),
  );
  return issues;
}

/** What is wrong with the due date beside the other dates; whether it is past is checked where the clock is known. */
export function dueIssues(
  dates: Pick<z.output<typeof fields>, "dueDate" | "expirationDate" | "reminderDays">,
): Issue[] {
  const issues: Issue[] = [];
  if (isDueAfterEnd(dates)) issues.push({ path: "dueDate", message: MESSAGES.dueAfterEnd });
  if (lacksDueDate(dates)) issues.push({ path: "reminderDays", message: MESSAGES.dueDateNeeded });
  return issues;
}

/** Of a bulk send, each recipient without a contact is offered nothing. */
const prefillIssues = ({ isDraft, prefill, contactId }: z.output<typeof fields>): Issue[] =>
  prefill && !isDraft && !contactId ? [{ path: "prefill", message: MESSAGES.prefillNeedsContact }] : [];

const repeatedNameIssues = ({ documents }: Pick<z.output<typeof fields>, "documents">): Issue[] =>
  repeatedNames(documents).map((index) => ({
    path: `documents.${index}.name`,
    message: MESSAGES.documentNamesUnique,
  }));

/** A stored number may be sent back unchanged; whether it is the stored one is checked where the row is known. */
function phoneIssues(
  { recipientPhone, countryCode }: z.output<typeof fields>,
  phoneMayBeStored: boolean,
): Issue[] {
  if (!recipientPhone || toE164(recipientPhone, countryCode)) return [];
  if (phoneMayBeStored && isPhoneNumber(recipientPhone)) return [];
  return [{ path: "recipientPhone", message: MESSAGES.invalidRecipientPhone }];
}

type Fields = z.output<typeof fields>;

/** Values of fields that have failed already, with which the checks of the others find nothing. */
const VALID = {
  isDraft: true,
  recipientName: "-",
  recipientEmail: "-",
  recipientPhone: null,
  countryCode: DEFAULT_COUNTRY_CODE,
  notificationPreference: "email",
  subject: "-",
  expirationDate: null,
  dueDate: null,
  reminderDays: null,
  sendOn: null,
} satisfies Partial<Fields>;
/** No other document has its name. */
const named = (index: number): Fields["documents"][number] => ({ ...DOCUMENT_DEFAULTS, name: `\0${index}` });

/** The fields, with valid values for those that have failed, and the paths of the failures. */
function withoutFailed(value: Fields, issues: readonly { path?: PropertyKey[] | undefined }[]) {
  const paths = issues.map(({ path = [] }) => path.map(String));
  const failed = new Set(paths.map((path) => path.join(".")));
  const invalid = paths.flatMap(([name = ""]) => (name in VALID ? [name as keyof typeof VALID] : []));
  const documents = failed.has("documents") ? [named(0)] : value.documents;
  // Of entries that depend on each other, nothing can be said unless all are valid.
  const areValid = !paths.some(([name, index]) => name === "documents" && index !== undefined);
  const input: Fields = {
    ...value,
    ...Object.fromEntries(invalid.map((name) => [name, VALID[name]])),
    documents: documents.map((entry, index) => {
      if (failed.has(`documents.${index}`) || failed.has(`documents.${index}.name`)) return named(index);
      return areValid ? entry : { ...DOCUMENT_DEFAULTS, name: entry.name };
    }),
  };
  return { input, failed };
}

const envelope = <Fields extends typeof fields>(
  schema: Fields,
  { phoneMayBeStored }: { phoneMayBeStored: boolean },
) =>
  z.pipe(
    schema.check(
      z.superRefine(
        (value, context) => {
          const { input, failed } = withoutFailed(value, context.issues);
          const issues = [
            ...phoneIssues(input, phoneMayBeStored),
            ...repeatedNameIssues(input),
            ...sentIssues(input, phoneMayBeStored),
            ...prefillIssues(input),
          ];
          for (const { path, message } of issues)
            if (!failed.has(path)) context.addIssue({ code: "custom", path: path.split("."), message });
        },
        // Also after a field has failed, so that the response names all of them at once.
        { when: ({ value }) => isRecord(value) },
      ),
    ),
    z.transform((input) => ({
      ...input,
      recipientName: blankToNull(input.recipientName),
      subject: blankToNull(input.subject),
    })),
  );

export { fields as envelopeInputFields, phoneIssues, repeatedNameIssues, sentIssues, withoutFailed };

/** A new envelope, as the wizard sends it. */
export const envelopeInput = envelope(fields, { phoneMayBeStored: false });
/** Changes to an existing envelope: without a phone number it may keep the stored one. */
export const envelopeChanges = envelope(z.extend(fields, { updatedAt: readVersion }), {
  phoneMayBeStored: true,
});
export type EnvelopeInput = z.output<typeof envelopeInput>;
export type EnvelopeReplacement = z.output<typeof envelopeChanges>;

/** What is missing to notify the recipient of an envelope. */
export function addressIssues(recipient: {
  recipientEmail: string | null;
  recipientPhone: string | null;
  notificationPreference: NotificationPreference;
}): Issue[] {
  const { recipientEmail, recipientPhone, notificationPreference } = recipient;
  if (!recipientEmail && !recipientPhone) return [{ path: "recipientEmail", message: MESSAGES.sentContact }];
  const issues = [];
  if (!recipientEmail && needsEmail(notificationPreference))
    issues.push({ path: "recipientEmail", message: MESSAGES.emailNeeded });
  if (!recipientPhone && needsPhone(notificationPreference))
    issues.push({ path: "recipientPhone", message: MESSAGES.phoneNeeded });
  return issues;
}

/** Ids that are separated by commas, each at most once. */
const rowIds = (most: number) =>
  z.pipe(
    z.pipe(
      z.string().check(z.maxLength(most * 17)),
      z.transform((list) => [...new Set(list.split(",").map(Number))]),
    ),
    z.array(rowId).check(z.maxLength(most)),
  );

/**
 * `GET /api/requests`. `tab`, `filter`, `search`, `opened`, `messages`, `deliveries`, `assignee`, `contactId`, `bulkId`,
 * `seriesId`, `templateId` and `ids` narrow the list together; `?counts=1` requests the number of envelopes of each tab, in the header
 * `Envelope-Counts`, in which completed ones include those to review.
 */
export const envelopeListQuery = z.extend(foundListQuery, {
  contactId: z.optional(queriedId),
  bulkId: z.optional(queriedId).check(z.describe("Only those of this bulk send")),
  seriesId: z.optional(queriedId).check(z.describe("Only those of this series")),
  templateId: z.optional(queriedId).check(z.describe("Only those that were created from this template")),
  ids: z.optional(rowIds(LIMITS.listedIds)).check(z.describe("Only these, separated by commas")),
  search: z
    .optional(text(LIMITS.search))
    .check(
      z.describe(
        "Words, each of which is in the subject, the recipient, the contact or a document's name. Of more than eight, the first eight count; a word of accents only does not. Without a word that counts, the list is not filtered",
      ),
    ),
  assignee: z.optional(z.union([z.literal("me"), queriedId], "assignee must be me or the id of an account")),
  tab: z
    .optional(z.enum(TABS))
    .check(z.describe("`completed` are those that are accepted or have nothing to review")),
  sort: z
    .optional(z.enum(SORTS))
    .check(
      z.describe("By default `-created`; a minus descends, and what has no value is last in both directions"),
    ),
  filter: filter.check(z.describe("Part of the subject, without regard to case and accents")),
  by: z
    .optional(z.enum(FILTERED_BY))
    .check(z.describe("`recipient`: the filter finds what has it in the recipient and not in the subject")),
  opened: z
    .optional(z.enum(["never"]))
    .check(z.describe("`never`: those that were sent and whose link was never opened")),
  messages: z
    .optional(z.enum(["undelivered"]))
    .check(
      z.describe(
        "`undelivered`: those whose recipient is expected to answer and did not get the last message",
      ),
    ),
  deliveries: z
    .optional(z.enum(["failed"]))
    .check(z.describe("`failed`: those with a file that could not be delivered to a destination")),
  view: z
    .optional(z.enum(VIEWS))
    .check(
      z.describe(
        "`row`: only what a row of a list shows, by default 100 rows a page; `board`: the same with each document's state, at most 100 a page",
      ),
    ),
});
export type EnvelopeListQuery = z.output<typeof envelopeListQuery>;

export const assigneeInput = z.object({ assigneeId: rowId, updatedAt: readVersion });
export type AssigneeInput = z.output<typeof assigneeInput>;

/** What the recipient would get: `update` if the envelope was sent before. */
export const previewQuery = z.object({
  kind: z._default(z.enum(UPDATES), "invitation"),
  brandName: z.optional(z.string().check(z.maxLength(LIMITS.brandName))),
  brandColor: z.optional(z.string().check(z.refine((color) => color === "" || isHexColor(color)))),
  brandFooter: z
    .optional(z.string().check(z.maxLength(LIMITS.brandFooter)))
    .check(z.describe("These three are tried instead of the workspace's brand; blank for none")),
});
export type PreviewQuery = z.output<typeof previewQuery>;

/** The messages to the recipient, in the language in which they would be sent. */
const messagesToRecipient = {
  email: z.nullable(
    z.object({
      from: z.string(),
      to: z.string(),
      subject: z.string(),
      text: z.string(),
      html: z.string().check(z.describe("With its images as `data:` URLs")),
    }),
  ),
  sms: z.nullable(z.object({ to: z.string(), text: z.string() })),
};
const messagesPreview = z.object(messagesToRecipient);
export type MessagesPreview = z.output<typeof messagesPreview>;
export const previewResponse = entity("RequestPreview", {
  ...messagesToRecipient,
  page: recipientEnvelopeResponse.check(z.describe("What the page of the link shows")),
});
export type EnvelopePreview = z.output<typeof previewResponse>;

const NOTE = z.describe(
  "In front of the text of the mail, and on the page of the link; not in a text message",
);
const NAMED = z.describe(
  "The requested documents that the mail lists, while they are missing; by default all",
);

/** What is added to a reminder by hand. */
export const remindInput = z.object({
  note: optionalText(LIMITS.reminderNote).check(NOTE),
  documentIds: nullishTo(
    z.array(rowId).check(z.maxLength(LIMITS.documentsPerEnvelope)),
    (ids) => ids ?? [],
  ).check(NAMED),
});
export type RemindInput = z.output<typeof remindInput>;

/** The same, of the reminder that would be sent. */
export const reminderQuery = z.object({
  note: optionalText(LIMITS.reminderNote).check(NOTE),
  documentIds: z._default(rowIds(LIMITS.documentsPerEnvelope), []).check(NAMED),
});

/** The reminder that would be sent now. */
export const reminderResponse = entity("Reminder", {
  ...messagesToRecipient,
  remindedAt: z.nullable(time),
  possibleAt: z
    .nullable(time)
    .check(z.describe("When the next reminder can be sent; null if it can be sent now")),
});

/** Which submission was opened: the envelope's `completedAt` at that time. */
export const seenInput = z.object({ completedAt: z.string().check(z.maxLength(LIMITS.timestamp)) });

/** `?ids=1,2,3`: the envelopes whose files go into one archive, each at most once; or those of one contact. */
export const archiveQuery = z
  .object({
    ids: z.optional(rowIds(LIMITS.envelopesPerArchive)),
    contactId: z.optional(queriedId).check(z.describe("Instead of `ids`: all of this contact with files")),
  })
  .check(
    z.refine(({ ids, contactId }) => (ids === undefined) !== (contactId === undefined), {
      path: ["ids"],
      error: "Either ids or contactId is required",
    }),
  );
export type ArchiveQuery = z.output<typeof archiveQuery>;

/** Of which completed requests the answers are read; by default of all. */
export const answersQuery = z.object({
  ids: z.optional(rowIds(LIMITS.pageMax)),
  bulkId: z.optional(queriedId),
  workspaceId: z.optional(queriedId),
});

export const revealedAnswerResponse = entity("RevealedAnswer", {
  value: z.union([z.string(), z.array(z.string())]),
});

const submittedFile = entity("SubmittedFile", {
  id,
  requestDocumentId: z.nullable(id),
  documentName: z.string(),
  fileName: z.string(),
  fileSize: bytes,
  mimeType: z.string(),
  sha256: z.nullable(z.string()),
  createdAt: time,
  superseded: z.boolean(),
  withheld: z.nullable(z.enum(["checking", "unscannable", "infected", "deleted"])),
  url: z.nullable(z.string()).check(z.describe("Where the file is downloaded; null while it is withheld")),
  deliveries: z
    .array(submissionDelivery)
    .check(z.describe("To the file destinations of its workspace, if it has any")),
});

const submittedAnswer = entity("Answer", {
  value: answerValue.check(z.describe("Null if it is confidential")),
  createdAt: time,
});

const person = entity("Person", {
  userId: z.nullable(id).check(z.describe("Null once the account is deleted")),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  email: z.nullable(z.string()),
});
export type Person = z.output<typeof person>;

export const envelopeResponse = entity("Request", {
  id,
  userId: id,
  assignee: person.check(z.describe("The requestor whom the recipient sees, and who gets the notices")),
  createdBy: person,
  watching: z.boolean().check(z.describe("Whether the caller gets the notices of its submissions too")),
  workspaceId: id,
  contactId: z.nullable(id),
  prefill: z.boolean().check(z.describe("Whether the contact's earlier answers are offered")),
  templateId: z.nullable(id),
  bulkId: z.nullable(id).check(z.describe("The bulk send that created it")),
  seriesId: z.nullable(id).check(z.describe("The series whose bulk send that was; null once it is deleted")),
  title: z.string(),
  description: z.string(),
  customerEmail: z.string(),
  recipientEmail: z.nullable(z.string()),
  submissionToken: z
    .nullable(z.string())
    .check(z.describe("The recipient's link; null for a token that may only read")),
  status: z.enum(ENVELOPE_STATUSES),
  isDraft: z.boolean(),
  recipientName: z.nullable(z.string()),
  recipientPhone: z.nullable(z.string()),
  countryCode: z.string(),
  notificationPreference: z.enum(NOTIFICATION_PREFERENCES),
  reminderFrequency: z.enum(REMINDER_FREQUENCIES),
  language: z
    .nullable(z.enum(LANGUAGES))
    .check(z.describe("Of the messages to the recipient and of their page; null for the assignee's")),
  expirationDate: z.nullable(day).check(z.describe("The link works until the end of this day in `timeZone`")),
  expiresAt: z.nullable(time),
  dueDate: z.nullable(day).check(z.describe("By when the recipient is asked to submit; the link works on")),
  overdue: z
    .boolean()
    .check(z.describe("Whether it is pending and its due date is over in the time zone of the requestor")),
  reminderDays: z
    .nullable(z.array(z.int()))
    .check(z.describe("On which days before the due date reminders are sent, negative for days after it")),
  timeZone: z.nullable(z.string()).check(z.describe("An IANA name; null is UTC")),
  sendOn: z
    .nullable(day)
    .check(z.describe("The day on which it is sent, in the assignee's time zone; null once it is sent")),
  sendHour: z.nullable(z.int()),
  sendAt: z.nullable(time).check(z.describe("When a scheduled one is sent")),
  subject: z.nullable(z.string()),
  message: z.nullable(z.string()),
  createdAt: time,
  updatedAt: time,
  sentAt: z.nullable(time),
  completedAt: z.nullable(time),
  filesDeletedAt: z.nullable(time),
  filesDeletionAt: z.nullable(time),
  note: z.nullable(z.string()),
  unsubscribedAt: z
    .nullable(time)
    .check(z.describe("Since when the recipient does not want emails from the assignee")),
  delivery: z
    .nullable(z.enum(DELIVERIES))
    .check(z.describe("Whether the last invitation, update or reminder was sent; null if there is none")),
  remindedAt: z
    .nullable(time)
    .check(
      z.describe("When the last reminder was queued; null if there is none or the request is not pending"),
    ),
  contact: z.nullable(z.object({ firstName: z.string(), lastName: z.nullable(z.string()) })),
  isNew: z.boolean().check(z.describe("Submitted and not opened by anybody of the workspace yet")),
  progress: z.nullable(z.object({ uploaded: count, total: count })),
  documents: z.array(
    z.object({
      id,
      ...documentResponse,
      state: z.enum(DOCUMENT_STATES),
      skipped: z.boolean().check(z.describe("Submitted without a file")),
      reason: z.nullable(z.string()),
      answered: z.boolean().check(z.describe("Whether an answer was submitted, also if it is deleted since")),
      validUntil: z.nullable(day).check(z.describe("The day until which the submitted file is valid")),
      renewal: z
        .nullable(z.object({ requestId: id, at: time }))
        .check(z.describe("The request that asks again for the file, before this day")),
      renewalPaused: z
        .boolean()
        .check(
          z.describe(
            "Whether it was imported, or its account planned it before a reset, and nobody has said yet that it is asked for again",
          ),
        ),
      answer: z
        .optional(z.nullable(submittedAnswer))
        .check(
          z.describe("The last submitted answer, null if it is deleted; of questions, and not in lists"),
        ),
      earlier: z
        .optional(z.array(submittedAnswer))
        .check(
          z.describe("Those that newer ones have replaced, the newest last; of questions, and not in lists"),
        ),
    }),
  ),
  review: z.object({ toReview: count, accepted: count, returned: count }),
  submissions: z.array(submittedFile),
} satisfies SchemasOf<Omit<EnvelopeInput, "assigneeId">> & Record<string, z.ZodMiniType>);
export type Envelope = z.output<typeof envelopeResponse>;

const whole = envelopeResponse.shape;

export const linkCopyResponse = entity("LinkCopy", { submissionToken: z.string() });

/** What a row of a list shows of an envelope, with the names and values of the whole request. */
export const envelopeRowResponse = entity("RequestRow", {
  id,
  subject: whole.subject,
  recipient: z.nullable(z.string()).check(z.describe("The title without its prefix")),
  status: whole.status,
  assigneeId: id,
  createdAt: time,
  sentAt: whole.sentAt,
  completedAt: whole.completedAt,
  dueDate: whole.dueDate,
  expirationDate: whole.expirationDate,
  remindedAt: whole.remindedAt,
  documents: count,
  questions: count.check(z.describe("How many of the documents are questions")),
  received: count.check(z.describe("The documents with files, without those that are needed again")),
  files: count.check(z.describe("Without those that newer ones have replaced")),
  toReview: count.check(z.describe("The documents to review; 0 once the files are deleted")),
  returned: count.check(z.describe("The documents that are needed again")),
  isNew: whole.isNew,
  opened: z.boolean().check(z.describe("Whether the recipient has opened the link")),
  delivery: whole.delivery,
  queuedSince: z
    .optional(time)
    .check(z.describe("Since when a message waits to be sent; only while `delivery` is pending")),
  overdue: whole.overdue,
  sendOn: z.optional(day).check(z.describe("Of a scheduled one")),
  sendHour: z.optional(z.int()).check(z.describe("Likewise, in the assignee's time zone")),
});
export type EnvelopeRow = z.output<typeof envelopeRowResponse>;

/** The same with its documents, for a board. */
export const envelopeBoardResponse = z
  .extend(envelopeRowResponse, {
    documents: z.array(
      z.object({
        id,
        name: documentResponse.name,
        required: documentResponse.required,
        state: z
          .enum(BOARD_STATES)
          .check(
            z.describe("`arriving`: uploaded in part or whole, not submitted; `deleted`: all its files are"),
          ),
        files: count.check(z.describe("Without those that newer ones have replaced")),
        opened: count.check(z.describe("How many of its files somebody of the workspace has opened")),
        toReview: z.boolean(),
        reason: z
          .nullable(z.string())
          .check(z.describe("Why the recipient does not have it; otherwise why it is or was returned")),
      }),
    ),
  })
  .register(RESPONSES, { id: "RequestOnBoard" });
export type BoardRow = z.output<typeof envelopeBoardResponse>;

/** A list consists of rows with `view=row` or `view=board`, otherwise of whole requests. */
export const listedEnvelopeResponse = z
  .union([envelopeResponse, envelopeRowResponse, envelopeBoardResponse])
  .register(RESPONSES, { id: "RequestOrRow" });
