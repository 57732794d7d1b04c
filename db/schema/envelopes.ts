import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type {
  EnvelopeStatus,
  NotificationPreference,
  ReminderFrequency,
} from "../../worker/contract/options";
import { flag, id, moment } from "./columns";
import { contacts } from "./contacts";
import { templates } from "./templates";
import { users } from "./users";
import { workspaces } from "./workspaces";

/** The last moment of a link. Rows from before time zones end with their day in UTC. */
export const END_OF_LINK = sql<string>`coalesce(end_of_last_day, expiration_date || 'T23:59:59.999Z')`;

/** Envelopes. The HTTP interface and the SQL tables call them requests. */
export const envelopes = sqliteTable(
  "requests",
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    workspaceId: integer()
      .notNull()
      .references(() => workspaces.id, { onDelete: "cascade" }),
    contactId: integer().references(() => contacts.id, { onDelete: "set null" }),
    templateId: integer().references(() => templates.id, { onDelete: "set null" }),
    title: text().notNull(),
    description: text().notNull(),
    customerEmail: text().notNull(),
    submissionToken: text().notNull().unique(),
    status: text().$type<EnvelopeStatus>().notNull().default("pending"),
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
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
    sentAt: moment(),
    completedAt: moment(),
    /** When the next reminder is due; null if there is none. */
    nextReminderAt: moment(),
    /** When the requestor was notified that the files will be deleted. */
    deletionNoticedAt: moment(),
    filesDeletedAt: moment(),
    /** The recipient's message to the requestor, sent with the submission. */
    note: text(),
    /** Whether there is a submission that the requestor has not opened yet. */
    isNew: flag().notNull().default(false),
    /** The requestor's time zone when the expiration date was set, an IANA name; null is UTC. */
    timeZone: text(),
    /** The last moment of the expiration date in `timeZone`. Read `expiresAt`: older rows have none. */
    endOfLastDay: moment(),
    /** The last moment at which the link works; null if it does not expire. */
    expiresAt: moment().generatedAlwaysAs(END_OF_LINK, { mode: "virtual" }),
  },
  (t) => [
    index("requests_user").on(t.userId),
    index("requests_workspace").on(t.workspaceId, t.userId),
    index("requests_counted").on(
      t.userId,
      t.workspaceId,
      t.status,
      t.endOfLastDay,
      t.expirationDate,
      t.filesDeletedAt,
    ),
    index("requests_contact").on(t.contactId),
    index("requests_template").on(t.templateId),
    index("requests_ending").on(t.expiresAt).where(sql`status = 'pending'`),
    index("requests_reminding").on(t.nextReminderAt).where(sql`status = 'pending'`),
    index("requests_keeping")
      .on(t.workspaceId, t.completedAt)
      .where(sql`status = 'completed' and files_deleted_at is null`),
  ],
);

/** The documents that an envelope requests, ordered by `position`. */
export const envelopeDocuments = sqliteTable(
  "request_documents",
  {
    id: id(),
    envelopeId: integer("request_id")
      .notNull()
      .references(() => envelopes.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    name: text().notNull(),
    description: text(),
    required: flag().notNull().default(false),
    allowedFileTypes: text({ mode: "json" }).$type<string[]>().notNull(),
    /** Whether the document accepts several files instead of one. */
    multiple: flag().notNull().default(false),
    /** Whether the recipient submitted without it, and why. */
    skipped: flag().notNull().default(false),
    skipReason: text(),
    /** What the requestor decided about the submitted files; null while they are not reviewed. */
    review: text().$type<"accepted" | "returned">(),
    /** Why the document was returned. It remains after a new answer. */
    reviewReason: text(),
  },
  (t) => [index("request_documents_request").on(t.envelopeId, t.position)],
);

/** One row per envelope created from a template. */
export const templateUses = sqliteTable(
  "documents",
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    templateId: integer()
      .notNull()
      .references(() => templates.id),
    envelopeId: integer("request_id")
      .notNull()
      .references(() => envelopes.id, { onDelete: "cascade" }),
    customerEmail: text().notNull(),
    data: text({ mode: "json" }).$type<{ requestId?: number; title: string }>().notNull(),
    status: text().notNull().default("pending"),
    createdAt: moment().notNull(),
  },
  (t) => [
    index("documents_user").on(t.userId),
    index("documents_template").on(t.templateId),
    uniqueIndex("documents_request").on(t.envelopeId),
  ],
);

/** The submitted files. */
export const submissions = sqliteTable(
  "submissions",
  {
    id: id(),
    envelopeId: integer()
      .notNull()
      .references(() => envelopes.id, { onDelete: "cascade" }),
    requestDocumentId: integer().references(() => envelopeDocuments.id, { onDelete: "set null" }),
    documentName: text().notNull(),
    /** The file's key in the store: random, and the last segment of its URL. */
    filePath: text().notNull().unique(),
    /** The file name on the recipient's device. */
    fileName: text().notNull(),
    fileSize: integer().notNull(),
    mimeType: text().notNull(),
    /** SHA-256 of the file in lower-case hex; null for files stored before hashes were recorded. */
    sha256: text(),
    createdAt: moment().notNull(),
    /** When the bytes were deleted. The row remains to show that there was a file. */
    deletedAt: moment(),
    /** When a quarantined file is scanned next; null for any other file. */
    scanDueAt: moment(),
    /** The virus that the scanner found, which is why the file was deleted. */
    virus: text(),
    /** Whether a newer answer has replaced the file. */
    superseded: flag().notNull().default(false),
  },
  (t) => [
    index("submissions_held").on(t.scanDueAt).where(sql`scan_due_at is not null`),
    index("submissions_envelope").on(t.envelopeId),
    index("submissions_request_document").on(t.requestDocumentId),
  ],
);
