import * as z from "zod";
import { DOCUMENT_STATES, documentAnswer } from "../documents";
import { ENVELOPE_STATUSES, NOTIFICATION_PREFERENCES, REMINDER_FREQUENCIES } from "../options";
import { bytes, count, day, id, moment, text } from "./fields";

const SubmittedFile = z.object({
  id,
  requestDocumentId: id.nullable(),
  documentName: text,
  fileName: text,
  fileSize: bytes,
  mimeType: text,
  sha256: text.nullable(),
  createdAt: moment,
  superseded: z.boolean(),
  withheld: z.enum(["checking", "infected", "deleted"]).nullable(),
  url: text.nullable().describe("Where the file is downloaded; null while it is withheld"),
});

const Request = z.object({
  id,
  userId: id,
  workspaceId: id,
  contactId: id.nullable(),
  templateId: id.nullable(),
  title: text,
  description: text,
  customerEmail: text,
  recipientEmail: text.nullable(),
  submissionToken: text,
  status: z.enum(ENVELOPE_STATUSES),
  isDraft: z.boolean(),
  recipientName: text.nullable(),
  recipientPhone: text.nullable(),
  countryCode: text,
  notificationPreference: z.enum(NOTIFICATION_PREFERENCES),
  reminderFrequency: z.enum(REMINDER_FREQUENCIES),
  expirationDate: day.nullable().describe("The link works until the end of this day in `timeZone`"),
  expiresAt: moment.nullable(),
  timeZone: text.nullable().describe("An IANA name; null is UTC"),
  subject: text.nullable(),
  message: text.nullable(),
  createdAt: moment,
  updatedAt: moment,
  sentAt: moment.nullable(),
  completedAt: moment.nullable(),
  filesDeletedAt: moment.nullable(),
  filesDeletionAt: moment.nullable(),
  note: text.nullable(),
  contact: z.object({ firstName: text, lastName: text.nullable() }).nullable(),
  isNew: z.boolean().describe("Submitted and not opened by the requestor yet"),
  progress: z.object({ uploaded: count, total: count }).nullable(),
  documents: z.array(
    z.object({ id, ...documentAnswer, state: z.enum(DOCUMENT_STATES), reason: text.nullable() }),
  ),
  review: z.object({ toReview: count, accepted: count, returned: count }),
  submissions: z.array(SubmittedFile),
});

const Message = z.object({
  id,
  kind: text,
  channel: z.enum(["email", "sms"]),
  recipient: text,
  status: z.enum(["queued", "sent", "failed", "cancelled"]),
  attempts: count,
  lastError: text.nullable(),
  createdAt: moment,
  sentAt: moment.nullable(),
});

const TimelineEntry = z.union([
  z.object({
    kind: z.literal("delivery"),
    at: moment,
    message: text,
    channel: z.enum(["email", "sms"]),
    recipient: text,
    status: z.enum(["queued", "sent", "failed", "cancelled"]),
    error: text.nullable(),
    notificationId: id,
  }),
  z.object({
    kind: text,
    at: moment,
    actor: z.enum(["requestor", "recipient", "service"]),
    address: text.nullable(),
    detail: text.nullable(),
  }),
]);

const RecipientRequest = z.object({
  title: text,
  subject: text.nullable(),
  description: text,
  status: z.enum(ENVELOPE_STATUSES),
  expirationDate: day.nullable(),
  expiresAt: moment.nullable(),
  timeZone: text,
  user: z.object({
    firstName: text.nullable(),
    lastName: text.nullable(),
    companyName: text.nullable(),
    email: text,
    emailVerified: z.boolean().nullable(),
    hasPicture: z.boolean(),
  }),
  documents: z.array(
    z.object({
      id,
      ...documentAnswer,
      state: z.enum(DOCUMENT_STATES),
      reason: text.nullable(),
      files: z.array(z.object({ id: text, fileName: text, fileSize: bytes, uploadedBytes: bytes })),
    }),
  ),
  maxFileSize: bytes,
});

const Submitted = z.object({
  status: z.literal("completed"),
  submittedAt: moment,
  submissions: z.array(
    z.object({ documentName: text, fileName: text, fileSize: bytes, sha256: text.nullable() }),
  ),
});

export const REQUEST_ANSWERS = {
  SubmittedFile,
  Request,
  Message,
  TimelineEntry,
  RecipientRequest,
  Submitted,
};
