import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { DocumentReview, EntryDetails } from "../../worker/contract/documents";
import type { EnvelopeActor, EnvelopeEventKind } from "../../worker/contract/envelope-events";
import type { Delivery } from "../../worker/contract/notifications";
import type {
  EnvelopeStatus,
  Language,
  NotificationPreference,
  ReminderFrequency,
} from "../../worker/contract/options";
import type { Answer, Kind } from "../../worker/contract/questions";
import type { ScheduleMail, ScheduleNews } from "../../worker/contract/schedules";
import type { OccurrenceState } from "../../worker/contract/series";
import { flag, id, indexedText, partOf, timestamp, updatedBy } from "./columns";
import { contacts } from "./contacts";
import { series } from "./series";
import { templates } from "./templates";
import { users } from "./users";
import { workspaces } from "./workspaces";

/** The last time of a link. Rows from before time zones end with their day in UTC. */
const END_OF_LINK = sql<string>`coalesce(end_of_last_day, expiration_date || 'T23:59:59.999Z')`;

type ListedColumn =
  | "status"
  | "endOfLastDay"
  | "expirationDate"
  | "endOfDueDay"
  | "toReview"
  | "userId"
  | "filterText";

/** What the tabs and filters of a list read. */
const listedColumns = (t: Record<ListedColumn, AnySQLiteColumn>) => [
  ...[t.status, t.endOfLastDay, t.expirationDate, t.endOfDueDay, t.toReview, t.userId, t.filterText],
];

/** What tells whether an envelope is open or overdue. */
const openColumns = (t: Record<ListedColumn, AnySQLiteColumn>) => [
  ...[t.status, t.endOfLastDay, t.expirationDate, t.endOfDueDay],
];

/** What lists and counts of the envelopes of one series or template read. */
const ofOneColumns = (
  one: AnySQLiteColumn,
  t: Record<ListedColumn | "id" | "workspaceId", AnySQLiteColumn>,
): [AnySQLiteColumn, ...AnySQLiteColumn[]] => [one, t.workspaceId, t.id, ...openColumns(t), t.toReview];

/** Envelopes. The HTTP interface calls them requests. */
export const envelopes = sqliteTable(
  "envelopes",
  {
    id: id(),
    /** The assignee: the requestor whom the recipient sees, and who gets the notices. */
    userId: partOf(() => users.id),
    /** The account that created it. Not a foreign key: the envelope outlives it. */
    createdBy: integer(),
    workspaceId: partOf(() => workspaces.id),
    contactId: integer().references(() => contacts.id, { onDelete: "set null" }),
    templateId: integer().references(() => templates.id, { onDelete: "set null" }),
    title: text().notNull(),
    description: text().notNull(),
    customerEmail: text().notNull(),
    submissionToken: text().notNull().unique(),
    status: indexedText().$type<EnvelopeStatus>().notNull().default("pending"),
    isDraft: flag().notNull().default(false),
    recipientName: text(),
    recipientPhone: text(),
    countryCode: text().notNull().default("+1"),
    notificationPreference: text().$type<NotificationPreference>().notNull().default("email"),
    reminderFrequency: text().$type<ReminderFrequency>().notNull().default("none"),
    /** A date, `YYYY-MM-DD`. The link works until the end of that day in `timeZone`. */
    expirationDate: text(),
    subject: text(),
    message: text(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    sentAt: timestamp(),
    completedAt: timestamp(),
    /** When the next reminder is due; null if there is none. */
    nextReminderAt: timestamp(),
    /** Since when the requestor knows that the files will be deleted: the notice was sent or shown. */
    deletionNoticedAt: timestamp(),
    filesDeletedAt: timestamp(),
    /** The recipient's message to the requestor, sent with the submission. */
    note: text(),
    /** Whether there is a submission that nobody of the workspace has opened yet. */
    isNew: flag().notNull().default(false),
    /** The requestor's time zone when the expiration date was set, an IANA name; null is UTC. */
    timeZone: text(),
    /** The last time of the expiration date in `timeZone`. Read `expiresAt`: older rows have none. */
    endOfLastDay: timestamp(),
    /** The last time at which the link works; null if it does not expire. */
    expiresAt: timestamp().generatedAlwaysAs(END_OF_LINK, { mode: "virtual" }),
    /** When the notice was queued that the files will be deleted. */
    deletionAnnouncedAt: timestamp(),
    /**
     * Of the last messages that ask the recipient for documents, over the channels of `notificationPreference`; null if
     * there are none. Triggers on `notifications` write it, so that lists need not read the messages.
     */
    delivery: text().$type<Delivery>(),
    updatedBy: updatedBy(),
    /** Of the messages to the recipient and their first view of the page; null for the assignee's. */
    language: text().$type<Language>(),
    /** A date, `YYYY-MM-DD`, by which the recipient is asked to submit. The link works on. */
    dueDate: text(),
    /** The last time of that day in the requestor's time zone when the date was set. */
    endOfDueDay: timestamp(),
    /** On which days before the due date reminders are sent, negative for days after it; null for none. */
    reminderDays: text({ mode: "json" }).$type<number[]>(),
    /** The bulk send that created it, and the index of its recipient there. */
    bulkId: integer().references(() => bulkSends.id, { onDelete: "set null" }),
    bulkIndex: integer(),
    /** The series whose bulk send created it. */
    seriesId: integer().references(() => series.id, { onDelete: "set null" }),
    /** Of its texts and those of its documents as the requestor has written them; they count in the account's quota. */
    textBytes: integer().notNull().default(0),
    /** Of its submitted files and answers that are not deleted, see `updateFileBytes`. */
    fileBytes: integer().notNull().default(0),
    /** What lists sort by, see `textKey`; null without subject or recipient, and until `fillListColumns` has filled them. */
    subjectKey: text(),
    recipientKey: text(),
    /** The folded subject, "" if there is none, which the list's `filter` reads; null until it is filled. */
    filterText: text(),
    /** The number of documents to review, 0 once the files are deleted: see `updateToReview`. */
    toReview: integer().notNull().default(0),
    /** When the last reminder was queued. */
    remindedAt: timestamp(),
    /** Whether the recipient is offered the answers that the same contact has given before. */
    prefill: flag().notNull().default(false),
    /** The day on which it is sent, `YYYY-MM-DD`, and the hour in the assignee's time zone; null once it is sent. */
    sendOn: text(),
    sendHour: integer(),
    /** When the job looks at a scheduled one: that time, or earlier after the zone has changed, see `lookAgain`. */
    sendAt: timestamp(),
    /** Until when one process sends it. */
    sendClaimedUntil: timestamp(),
    /** Since when it goes to somebody else, who must not see what was handed in before; null if it never did, or before 0.2. */
    recipientSince: timestamp(),
  },
  (t) => [
    index("envelopes_user_bytes").on(t.userId, t.textBytes, t.fileBytes),
    index("envelopes_created_by").on(t.createdBy),
    index("envelopes_workspace").on(t.workspaceId, t.userId),
    index("envelopes_workspace_bytes").on(t.workspaceId, t.textBytes, t.fileBytes),
    // Lists and counts read these indexes alone, to find the rows of a page.
    index("envelopes_list").on(t.workspaceId, t.id, ...listedColumns(t), t.dueDate, t.remindedAt),
    index("envelopes_subject").on(t.workspaceId, t.subjectKey, t.id, ...listedColumns(t)),
    index("envelopes_recipient_name").on(t.workspaceId, t.recipientKey, t.id, ...listedColumns(t)),
    index("envelopes_unfilled").on(t.id).where(sql`filter_text is null`),
    index("envelopes_recipient").on(t.workspaceId, t.customerEmail, t.contactId, ...openColumns(t)),
    index("envelopes_bulk").on(t.bulkId).where(sql`bulk_id is not null`),
    uniqueIndex("envelopes_bulk_index").on(t.bulkId, t.bulkIndex).where(sql`bulk_id is not null`),
    // A series, or a template, may have all envelopes of an account: their lists and counts read no other ones.
    index("envelopes_series")
      .on(...ofOneColumns(t.seriesId, t))
      .where(sql`series_id is not null`),
    index("envelopes_contact").on(t.contactId, ...openColumns(t)),
    index("envelopes_template")
      .on(...ofOneColumns(t.templateId, t))
      .where(sql`template_id is not null`),
    index("envelopes_ending").on(t.expiresAt).where(sql`status = 'pending'`),
    index("envelopes_undelivered").on(t.workspaceId).where(sql`delivery = 'failed'`),
    index("envelopes_scheduled").on(t.sendAt, t.userId).where(sql`status = 'scheduled'`),
    index("envelopes_scheduled_of").on(t.userId, t.sendAt).where(sql`status = 'scheduled'`),
    index("envelopes_scheduled_in").on(t.workspaceId).where(sql`status = 'scheduled'`),
    index("envelopes_reminding").on(t.nextReminderAt).where(sql`status = 'pending'`),
    index("envelopes_keeping")
      .on(t.workspaceId, t.completedAt)
      .where(sql`status = 'completed' and files_deleted_at is null`),
    index("envelopes_announced")
      .on(t.workspaceId)
      .where(sql`status = 'completed' and files_deleted_at is null and deletion_announced_at is not null`),
  ],
);

/** Links of envelopes that newer ones have replaced, so that they can say so. */
export const replacedLinks = sqliteTable(
  "replaced_links",
  {
    id: id(),
    /** SHA-256 of the link's token. */
    tokenHash: text().notNull().unique(),
    envelopeId: partOf(() => envelopes.id),
  },
  (t) => [index("replaced_links_envelope").on(t.envelopeId)],
);

/** Envelopes that get a new link soon, because somebody who was given the present one has left the workspace. */
export const dueLinks = sqliteTable("due_links", {
  envelopeId: integer()
    .primaryKey()
    .references(() => envelopes.id, { onDelete: "cascade" }),
  /** The account that asked for it, and the client address of its call. */
  requestedBy: integer().notNull(),
  address: text().notNull(),
});

/** Who gets the notices of an envelope's submissions, beside its assignee. */
export const envelopeWatchers = sqliteTable(
  "envelope_watchers",
  {
    envelopeId: partOf(() => envelopes.id),
    userId: partOf(() => users.id),
  },
  (t) => [primaryKey({ columns: [t.envelopeId, t.userId] }), index("envelope_watchers_user").on(t.userId)],
);

/** The documents that an envelope requests, ordered by `position`. */
export const envelopeDocuments = sqliteTable(
  "envelope_documents",
  {
    id: id(),
    envelopeId: partOf(() => envelopes.id),
    position: integer().notNull(),
    name: text().notNull(),
    /** Its `documentKey`, if SQLite's `lower` is another one: null for ASCII, and in rows of older versions. */
    nameKey: text(),
    description: text(),
    required: flag().notNull().default(false),
    allowedFileTypes: text({ mode: "json" }).$type<string[]>().notNull(),
    /** Whether the document accepts several files instead of one. */
    multiple: flag().notNull().default(false),
    /** Whether a reason is accepted instead of a required file. */
    reasonAllowed: flag().notNull().default(false),
    /** Whether the recipient submitted without it, and why. */
    skipped: flag().notNull().default(false),
    skipReason: text(),
    /** What the requestor decided about the submitted files; null while they are not reviewed. */
    review: text().$type<DocumentReview>(),
    /** Why the document was returned. It remains after a new answer. */
    reviewReason: text(),
    kind: text().$type<Kind>().notNull().default("file"),
    /** The fields that few entries have, without those that are as by default; null if all are. */
    details: text({ mode: "json" }).$type<EntryDetails>(),
    /** Whether its condition was not met when the envelope was last submitted. */
    hidden: flag().notNull().default(false),
    /** Of the submitted file, a day (`YYYY-MM-DD`). */
    validUntil: text(),
    /** Of a document with such a day, that of its envelope, so that an index has the workspace's days in order. */
    workspaceId: integer(),
    /** The day on which it is asked for again; null if it is not, or was. */
    renewOn: text(),
    /** Whether it was imported from another instance, which may go on asking, or planned before a reset; null is false. */
    renewalPaused: flag(),
    /**
     * When the schedule looks at it next: at first when the day begins, or ends, in the first time zone, because the
     * assignee and their zone may change.
     */
    checkAt: timestamp(),
  },
  (t) => [
    index("envelope_documents_envelope").on(t.envelopeId, t.position),
    // One recipient may have thousands: whether a newer one replaces a document is looked up by its name.
    index("envelope_documents_key").on(
      t.envelopeId,
      sql`case when "name_key" is null then lower("name") else "name_key" end`,
    ),
    index("envelope_documents_valid")
      .on(t.workspaceId, t.validUntil, t.id)
      .where(sql`workspace_id is not null`),
    index("envelope_documents_check").on(t.checkAt, t.id).where(sql`check_at is not null`),
  ],
);

/** The envelopes that ask again for a document before this day: one for each. */
export const renewals = sqliteTable(
  "renewals",
  {
    documentId: partOf(() => envelopeDocuments.id),
    /** The document's `validUntil` at that time. */
    validUntil: text().notNull(),
    envelopeId: integer().references(() => envelopes.id, { onDelete: "set null" }),
    createdAt: timestamp().notNull(),
  },
  (t) => [primaryKey({ columns: [t.documentId, t.validUntil] }), index("renewals_envelope").on(t.envelopeId)],
);

/**
 * The texts by which a search finds an envelope. Triggers add a row, mark it as stale after a change, and write the
 * full-text index `envelope_search` when its texts are written, before the next search: see decisions/search.md.
 */
export const envelopeTexts = sqliteTable(
  "envelope_texts",
  {
    id: integer()
      .primaryKey()
      .references(() => envelopes.id, { onDelete: "cascade" }),
    workspaceId: integer().notNull(),
    texts: text({ mode: "json" }).$type<string[]>().notNull(),
    /** Whether the envelope, its documents or its contact have changed since. */
    stale: flag().notNull(),
    /** Which of the workspace's blocks of the index it is in; null until it is indexed. */
    block: integer(),
  },
  (t) => [
    index("envelope_texts_stale").on(t.workspaceId, t.id).where(sql`stale`),
    index("envelope_texts_block").on(t.workspaceId, t.block),
  ],
);

/** Contacts whose name has changed, until the texts of all their envelopes are marked as stale. */
export const renamedContacts = sqliteTable("renamed_contacts", {
  id: integer()
    .primaryKey()
    .references(() => contacts.id, { onDelete: "cascade" }),
  /** The last of its envelopes, by id, whose texts are marked. */
  markedUntil: integer().notNull(),
});

/** One row per envelope created from a template. */
export const templateUses = sqliteTable(
  "template_uses",
  {
    id: id(),
    userId: partOf(() => users.id),
    templateId: integer()
      .notNull()
      .references(() => templates.id),
    envelopeId: partOf(() => envelopes.id),
    customerEmail: text().notNull(),
    data: text({ mode: "json" }).$type<{ requestId?: number; title: string }>().notNull(),
    status: text().notNull().default("pending"),
    createdAt: timestamp().notNull(),
  },
  (t) => [
    index("template_uses_user").on(t.userId),
    index("template_uses_template").on(t.templateId),
    uniqueIndex("template_uses_envelope").on(t.envelopeId),
  ],
);

/** The submitted files. */
export const submissions = sqliteTable(
  "submissions",
  {
    id: id(),
    envelopeId: partOf(() => envelopes.id),
    envelopeDocumentId: integer().references(() => envelopeDocuments.id, { onDelete: "set null" }),
    documentName: text().notNull(),
    /** The file's key in the store: random, and the last segment of its URL. */
    filePath: text().notNull().unique(),
    /** The file name on the recipient's device. */
    fileName: text().notNull(),
    fileSize: integer().notNull(),
    mimeType: text().notNull(),
    /** SHA-256 of the file in lower-case hex; null for files stored before hashes were recorded. */
    sha256: text(),
    createdAt: timestamp().notNull(),
    /** When the bytes were deleted. The row remains to show that there was a file. */
    deletedAt: timestamp(),
    /** When a quarantined file is scanned next; null for any other file. */
    scanDueAt: timestamp(),
    /** Why the scanner did not scan the quarantined file, for the operator; null if it has not been tried or was down. */
    scanFailure: text(),
    /** The virus that the scanner found, which is why the file was deleted. */
    virus: text(),
    /** Whether a newer answer has replaced the file. */
    superseded: flag().notNull().default(false),
    /** When somebody of the workspace first opened it in the browser. */
    openedAt: timestamp(),
  },
  (t) => [
    index("submissions_held").on(t.scanDueAt).where(sql`scan_due_at is not null`),
    index("submissions_envelope").on(t.envelopeId),
    index("submissions_envelope_document").on(t.envelopeDocumentId),
  ],
);

/** The answers to questions: at most one of each that is kept until the recipient submits, and all that were submitted. */
export const answers = sqliteTable(
  "answers",
  {
    id: id(),
    envelopeId: partOf(() => envelopes.id),
    envelopeDocumentId: partOf(() => envelopeDocuments.id),
    /** Null once it is deleted: that there was an answer remains. A confidential one is sealed. */
    value: text({ mode: "json" }).$type<Answer>(),
    sealed: flag().notNull(),
    createdAt: timestamp().notNull(),
    /** Null while it is kept. */
    submittedAt: timestamp(),
    /** Whether a newer answer has replaced it. */
    superseded: flag().notNull().default(false),
  },
  (t) => [
    index("answers_envelope").on(t.envelopeId),
    index("answers_document").on(t.envelopeDocumentId),
    index("answers_sealed").on(t.id).where(sql`sealed`),
    uniqueIndex("answers_kept").on(t.envelopeDocumentId).where(sql`submitted_at is null`),
  ],
);

/**
 * The audit log of an envelope: who did what, when and from where. Rows are only ever added, in the batch of the
 * change itself, and are deleted with their envelope.
 */
export const envelopeEvents = sqliteTable(
  "envelope_events",
  {
    id: id(),
    envelopeId: partOf(() => envelopes.id),
    /** The account that acted, in rows of versions before `actorId`, from which it is moved there. */
    userId: integer().references(() => users.id, { onDelete: "cascade" }),
    kind: text().$type<EnvelopeEventKind>().notNull(),
    actor: text().$type<EnvelopeActor>().notNull(),
    /** The client address, in the form that rate limits count; null for the service. */
    address: text(),
    /** Details of the event, such as the downloaded document or the new expiration date. */
    detail: text(),
    at: timestamp().notNull(),
    /** The account that acted; null for the recipient and the service. Not a foreign key: the event outlives it. */
    actorId: integer(),
  },
  (t) => [
    index("envelope_events_envelope").on(t.envelopeId),
    index("envelope_events_moved").on(t.envelopeId).where(sql`kind = 'moved'`),
    index("envelope_events_user").on(t.userId),
    index("envelope_events_actor").on(t.actorId).where(sql`actor_id is not null`),
    uniqueIndex("envelope_events_opened").on(t.envelopeId).where(sql`kind = 'opened'`),
  ],
);

/** Calls that send one envelope to many recipients. */
export const bulkSends = sqliteTable(
  "bulk_sends",
  {
    id: id(),
    workspaceId: partOf(() => workspaces.id),
    /** The account that called. Not a foreign key: the group outlives it. */
    createdBy: integer().notNull(),
    /** The API token that called, which ends it by its revocation. Not a foreign key: the group outlives it. */
    apiTokenId: integer(),
    /** The client address of the call, for the events of the envelopes. */
    address: text().notNull(),
    subject: text().notNull(),
    /** What all envelopes have in common, as the call validated it; null once all of them exist. */
    envelope: text({ mode: "json" }).$type<Record<string, unknown>>(),
    total: integer().notNull(),
    /** Of all its envelopes, those that do not exist yet included. */
    textBytes: integer().notNull().default(0),
    createdAt: timestamp().notNull(),
    finishedAt: timestamp(),
  },
  (t) => [
    index("bulk_sends_workspace").on(t.workspaceId),
    index("bulk_sends_unfinished").on(t.id).where(sql`finished_at is null`),
  ],
);

/** The recipients of a bulk send by their index in the call, and what became of each. */
export const bulkRecipients = sqliteTable(
  "bulk_recipients",
  {
    bulkId: partOf(() => bulkSends.id),
    position: integer().notNull(),
    /** `waiting` until the batch that creates the envelope or records the failure. */
    state: text().$type<"waiting" | "created" | "failed">().notNull(),
    /** As the call validated it; null once the envelope exists, which has it then. */
    recipient: text({ mode: "json" }).$type<Record<string, unknown>>(),
    /** The code and the message of the failure. */
    code: text(),
    message: text(),
  },
  (t) => [primaryKey({ columns: [t.bulkId, t.position] })],
);

/** What an account's next mail about schedules tells of: each is deleted when the mail is queued. */
export const scheduleNews = sqliteTable(
  "schedule_news",
  {
    id: id(),
    /** Whom it is told. */
    userId: partOf(() => users.id),
    workspaceId: partOf(() => workspaces.id),
    /** With which it is deleted, if it is about one. */
    envelopeId: integer().references(() => envelopes.id, { onDelete: "cascade" }),
    /** Which of the mails tells it. */
    mail: text().$type<ScheduleMail>().notNull(),
    news: text({ mode: "json" }).$type<ScheduleNews>().notNull(),
    createdAt: timestamp().notNull(),
  },
  (t) => [
    index("schedule_news_user").on(t.userId, t.mail),
    index("schedule_news_workspace").on(t.workspaceId),
    index("schedule_news_envelope").on(t.envelopeId).where(sql`envelope_id is not null`),
  ],
);

/** What became of each occurrence of a series that was due. */
export const seriesOccurrences = sqliteTable(
  "series_occurrences",
  {
    seriesId: partOf(() => series.id),
    number: integer().notNull(),
    /** For which it was planned. */
    day: text().notNull(),
    state: text().$type<OccurrenceState>().notNull(),
    bulkId: integer().references(() => bulkSends.id, { onDelete: "set null" }),
    total: integer().notNull().default(0),
    /** The recipients who have not completed the envelope before, see `ifOpen`. */
    leftOut: integer().notNull().default(0),
    /** Why it was missed: the code of the error. */
    code: text(),
    at: timestamp().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.seriesId, t.number] }),
    index("series_occurrences_bulk").on(t.bulkId).where(sql`bulk_id is not null`),
  ],
);
