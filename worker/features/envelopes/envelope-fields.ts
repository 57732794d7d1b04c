import type { Statement } from "../../../db/client";
import { deleteKeptAnswers } from "../../../db/queries/answers";
import { hasAttachments, insertAttachmentUses, releaseAttachments } from "../../../db/queries/attachments";
import {
  deleteDocumentUploads,
  deleteEnvelopeDocuments,
  insertEnvelopeDocuments,
  updateEnvelopeDocument,
} from "../../../db/queries/envelope-documents";
import type { EnvelopeChanges, FullEnvelope } from "../../../db/queries/envelopes";
import { addDays } from "../../contract/days";
import { sameDocumentFinder } from "../../contract/document-names";
import { countedFields, type DocumentEntry, questionIssues } from "../../contract/documents";
import { addressIssues, type EnvelopeInput, envelopeInputFields } from "../../contract/envelopes";
import type { Issue } from "../../contract/error-body";
import { isRecord } from "../../contract/is-record";
import { LIMITS } from "../../contract/limits";
import { MESSAGES } from "../../contract/messages";
import { toE164 } from "../../contract/phone";
import { DEFAULT_DESCRIPTION, TITLE_PREFIX } from "../../contract/product";
import { TODAY } from "../../contract/questions";
import { DEFAULT_SEND_HOUR } from "../../contract/schedules";
import { dayIn } from "../../contract/time-zones";
import type { Dependencies } from "../../dependencies";
import { appError, validationError } from "../../errors";
import { endOfDay, hourOfDay } from "../../lib/zoned-days";
import { entryOf } from "../envelope-rules/documents";
import { nextReminder, type ReminderPlan } from "../envelope-rules/reminder-times";
import { planValidity } from "../envelope-rules/validity";

/** The time of the change, and the requestor's time zone. */
type When = {
  now: Date;
  timeZone: string | null;
  /** When the due date was checked before, if it was. */
  checkedAt?: Date;
};

/**
 * The columns for an input, after the checks that need the clock or the stored phone number. The expiration date is a
 * day in the account's current time zone; a later change of the zone does not move the end of the link.
 * @throws AppError `validation`
 */
export function envelopeFields(
  input: EnvelopeInput,
  { now, timeZone, checkedAt = now }: When,
  stored?: FullEnvelope,
) {
  const dates = datesIn(input, timeZone);
  // A draft may be saved as it is, however old its dates are.
  const isKeptDraft = input.isDraft && stored?.expirationDate === input.expirationDate;
  const issues = isKeptDraft ? [] : endIssues(dates, now);
  const isKept = stored !== undefined && !stored.isDraft && stored.dueDate === input.dueDate;
  if (!input.isDraft && !isKept && isPast(dates.endOfDueDay, checkedAt))
    issues.push({ path: "dueDate", message: MESSAGES.dateInPast });
  const sending = sendingIn(input, timeZone);
  const isLater = isScheduled(input);
  if (isLater) issues.push(...sendingIssues(sending, checkedAt, timeZone));
  const recipientPhone = recipientNumber(input, stored);
  if (!input.isDraft && input.documents.some(({ min, max }) => min === TODAY || max === TODAY))
    for (const { path, message } of questionIssues(input.documents, dayIn(timeZone, checkedAt)))
      issues.push({ path: `documents.${path}`, message });
  if (recipientPhone === undefined)
    throw validationError([...issues, { path: "recipientPhone", message: MESSAGES.invalidRecipientPhone }]);
  if (!input.isDraft) issues.push(...addressIssues({ ...input, recipientPhone }));
  if (issues.length > 0) throw validationError(issues);

  const time = now.toISOString();
  const sentAt = input.isDraft || isLater ? null : (stored?.sentAt ?? time);
  // Every other field has a column of its name.
  const {
    recipientEmail,
    documents: _,
    contactId: _c,
    templateId: _t,
    workspaceId: _w,
    assigneeId: _a,
    ...columns
  } = input;
  return {
    ...columns,
    title: `${TITLE_PREFIX}${input.recipientName ?? ""}`,
    description: input.message ?? DEFAULT_DESCRIPTION,
    textBytes: textBytesOf(input),
    customerEmail: recipientEmail ?? "",
    recipientPhone,
    ...dates,
    ...sending,
    sendAt: isLater ? sending.sendAt : null,
    sendClaimedUntil: null,
    status: input.isDraft ? "draft" : isLater ? "scheduled" : "pending",
    sentAt,
    nextReminderAt: sentAt && reminderAfter({ ...input, sentAt }, { now, timeZone }),
    updatedAt: time,
  } satisfies EnvelopeChanges;
}

type WithoutTexts =
  | ("isDraft" | "recipientName" | "recipientEmail" | "recipientPhone" | "countryCode" | "language")
  | (
      | "reminderFrequency"
      | "reminderDays"
      | "notificationPreference"
      | "expirationDate"
      | "dueDate"
      | "sendOn"
      | "sendHour"
      | "prefill"
    )
  | ("contactId" | "templateId" | "workspaceId" | "assigneeId");
type Texts = Omit<EnvelopeInput, WithoutTexts>;

const encoder = new TextEncoder();
const jsonBytes = (value: object) => encoder.encode(JSON.stringify(value)).length;
/** The bytes of JSON with an empty list, once it has these entries: one by one, as a text of a megabyte takes longer. */
export const bytesWith = (emptyList: object, entries: readonly object[]): number =>
  entries.reduce(
    (sum, entry) => sum + ",".length + jsonBytes(entry),
    jsonBytes(emptyList) - (entries.length > 0 ? ",".length : 0),
  );

/** What an envelope counts in the account's quota beside its files: a new field is one of its texts, or without any. */
export const textBytesOf = ({ subject, message, documents }: Texts) => {
  const texts = { subject, message, documents: documents.map(countedFields) } satisfies Record<
    keyof Texts,
    unknown
  >;
  return bytesWith(Object.values({ ...texts, documents: [] }), texts.documents);
};

/**
 * Absent, blank and unchanged values keep the stored number; null clears it; a number without a plus is a national
 * number of the country. Undefined if it is not a possible number.
 */
function recipientNumber(input: EnvelopeInput, stored?: FullEnvelope): string | null | undefined {
  const { recipientPhone, countryCode } = input;
  if (recipientPhone === null) return null;
  if (!recipientPhone || recipientPhone === stored?.recipientPhone) return stored?.recipientPhone ?? null;
  return toE164(recipientPhone, countryCode) ?? undefined;
}

type Dates = { expirationDate: string | null; dueDate: string | null };

/** The columns of the dates in a time zone. */
export const datesIn = ({ expirationDate, dueDate }: Dates, timeZone: string | null) => ({
  expirationDate,
  dueDate,
  timeZone,
  endOfLastDay: expirationDate && endOfDay(expirationDate, timeZone),
  endOfDueDay: dueDate && endOfDay(dueDate, timeZone),
});

/** What was stored to be sent on its day, as the input that sends it now. */
export function inputToSend(stored: FullEnvelope): EnvelopeInput {
  const { recipientName, recipientPhone, countryCode, notificationPreference, language } = stored;
  const { reminderFrequency, reminderDays, expirationDate, dueDate, prefill } = stored;
  const { subject, message, contactId, templateId, workspaceId } = stored;
  return {
    ...{ isDraft: false, sendOn: null, sendHour: null },
    ...{ recipientName, recipientEmail: stored.customerEmail || null, recipientPhone, countryCode, language },
    ...{ notificationPreference, reminderFrequency, reminderDays, expirationDate, dueDate, prefill },
    ...{ subject, message, contactId, templateId, workspaceId },
    documents: stored.documents.map(entryOf),
  };
}

type Sending = Pick<EnvelopeInput, "sendOn" | "sendHour">;

/** Whether an input is sent on its day, and not at once. */
export const isScheduled = ({ isDraft, sendOn }: Pick<EnvelopeInput, "isDraft" | "sendOn">): boolean =>
  !isDraft && Boolean(sendOn);

/** The columns of the day of sending in a time zone. */
export function sendingIn({ sendOn, sendHour }: Sending, timeZone: string | null) {
  // A bulk send that an earlier version has stored has none.
  if (!sendOn) return { sendOn: null, sendHour: null, sendAt: null };
  const hour = sendHour ?? DEFAULT_SEND_HOUR;
  return { sendOn, sendHour: hour, sendAt: hourOfDay(sendOn, hour, timeZone).toISOString() };
}

/** What is wrong with the day and the hour of sending. */
function sendingIssues(
  { sendOn, sendAt }: ReturnType<typeof sendingIn>,
  now: Date,
  timeZone: string | null,
): Issue[] {
  const today = dayIn(timeZone, now);
  if (sendOn === null || sendAt === null) return [];
  if (sendOn < today) return [{ path: "sendOn", message: MESSAGES.dateInPast }];
  if (sendOn > addDays(today, LIMITS.sendDaysAhead))
    return [{ path: "sendOn", message: MESSAGES.sendTooLate }];
  return isPast(sendAt, now) ? [{ path: "sendHour", message: MESSAGES.hourOver }] : [];
}

/** What is wrong with the new end of a link. */
export const endIssues = ({ endOfLastDay }: { endOfLastDay: string | null }, now: Date): Issue[] =>
  isPast(endOfLastDay, now) ? [{ path: "expirationDate", message: MESSAGES.dateInPast }] : [];

/** Which of these dates of an input for sending are past: what else is named if its schema rejects it. */
export const pastDates =
  (...names: ("expirationDate" | "dueDate")[]) =>
  (input: unknown, now: Date, timeZone: string | null): Issue[] => {
    if (!isRecord(input) || input.isDraft) return [];
    const past = names.filter((name) => {
      const day = envelopeInputFields.shape[name].safeParse(input[name]).data;
      return day && isPast(endOfDay(day, timeZone), now);
    });
    return past.map((path) => ({ path, message: MESSAGES.dateInPast }));
  };

const isPast = (end: string | null, now: Date) => end !== null && end < now.toISOString();

/** The `nextReminderAt` of an envelope that is open from now on. */
export function reminderAfter(
  { sentAt, ...plan }: Omit<ReminderPlan, "sentAt"> & { sentAt: string },
  { now, timeZone }: When,
): string | null {
  return nextReminder({ ...plan, sentAt: new Date(sentAt) }, now, timeZone)?.toISOString() ?? null;
}

/**
 * A document that keeps its name keeps its row and id.
 * @throws AppError `document_has_submission` if a submitted document would be removed or renamed
 */
export function replaceDocuments(
  { db }: Dependencies,
  stored: FullEnvelope,
  {
    documents,
    workspaceId,
    now: time,
    timeZone,
    recipientSince,
  }: Pick<EnvelopeInput, "documents"> & {
    workspaceId: number;
    now: Date;
    timeZone: string | null;
    /** Since then somebody else answers, who must not see or submit what was kept before. */
    recipientSince: string | null;
  },
): Statement[] {
  const now = time.toISOString();
  const rest = new Set(stored.documents);
  const storedOf = sameDocumentFinder(stored.documents, (document) => rest.has(document));
  const all = stored.documents.map(({ id }) => id);
  // By this change: all that is kept before it is written.
  const until = recipientSince === now ? undefined : (recipientSince ?? undefined);
  const submitted = new Set(
    [...stored.submissions, ...stored.answers.filter(({ submittedAt }) => submittedAt !== null)].map(
      ({ requestDocumentId }) => requestDocumentId,
    ),
  );
  /** Whether whoever it goes to now has handed it in. */
  const hasHandedIn = (id: number) => {
    const isTheirs = (at: string | null) => until !== undefined && at !== null && at > until;
    return (
      stored.submissions.some((file) => file.requestDocumentId === id && isTheirs(file.createdAt)) ||
      stored.answers.some((answer) => answer.requestDocumentId === id && isTheirs(answer.submittedAt))
    );
  };
  const requireNoFile = ({ id, name }: { id: number; name: string }) => {
    if (submitted.has(id)) throw appError("document_has_submission", { params: { document: name } });
  };
  const changed: Statement[] = [];
  const asOther: number[] = [];
  const added: ReturnType<typeof withPositions> = [];
  const undated: number[] = [];
  for (const given of withPositions(documents)) {
    const existing = storedOf(given.name);
    // What was set after a submission, of a document that asks for no day, is in no form.
    const keepsDays =
      stored.completedAt !== null && existing?.asksValidUntil === false && !given.asksValidUntil;
    const entry = keepsDays ? { ...given, renewDays: existing.renewDays } : given;
    if (existing) rest.delete(existing);
    if (existing && !isSameQuestion(existing, entry)) requireNoFile(existing);
    if (existing && isOtherAnswer(existing, entry)) asOther.push(existing.id);
    if (existing?.asksValidUntil && !entry.asksValidUntil) undated.push(existing.id);
    if (existing) {
      const plan =
        existing.renewDays !== entry.renewDays && planValidity({ ...existing, ...entry }, time, timeZone);
      const more = {
        ...plan,
        // The reason why something was returned is for whoever handed it in.
        ...(recipientSince && !hasHandedIn(existing.id) && { reviewReason: null }),
        // Why there is no file is no answer to a question.
        ...(existing.kind !== entry.kind && UNANSWERED),
      };
      changed.push(updateEnvelopeDocument(db, stored.id, existing.id, entry, more));
    } else added.push(entry);
  }
  rest.forEach(requireNoFile);
  return [
    ...(hasAttachments(stored.documents) ? releaseAttachments(db, "envelope", stored.id, now) : []),
    ...deleteEnvelopeDocuments(
      db,
      stored.id,
      [...rest].map(({ id }) => id),
      now,
    ),
    ...(undated.length > 0 ? deleteKeptAnswers(db, stored.id, undated) : []),
    ...(asOther.length > 0
      ? [...deleteKeptAnswers(db, stored.id, asOther), ...deleteDocumentUploads(db, stored.id, asOther, now)]
      : []),
    ...(recipientSince
      ? [
          ...deleteKeptAnswers(db, stored.id, all, until),
          ...deleteDocumentUploads(db, stored.id, all, now, until),
        ]
      : []),
    ...changed,
    ...insertEnvelopeDocuments(db, stored.id, added),
    ...(hasAttachments(documents) ? [insertAttachmentUses(db, "envelope", stored.id, workspaceId)] : []),
  ];
}

const UNANSWERED = { skipped: false, skipReason: null, review: null, reviewReason: null } as const;

/** Whether what was submitted answers the entry too. */
const isSameQuestion = (stored: DocumentEntry, entry: DocumentEntry) =>
  stored.name === entry.name &&
  stored.kind === entry.kind &&
  stored.confidential === entry.confidential &&
  JSON.stringify(stored.options) === JSON.stringify(entry.options);

/** Whether what is kept for an entry is no answer of the other one. */
const isOtherAnswer = (stored: DocumentEntry, entry: DocumentEntry) =>
  stored.kind !== entry.kind || stored.confidential !== entry.confidential;

/** The documents of an input, each with its position. */
export const withPositions = (entries: EnvelopeInput["documents"]) =>
  entries.map((entry, position) => ({ ...entry, position }));
