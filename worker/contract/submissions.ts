import * as z from "zod/mini";
import { answersById, answerValue } from "./answers";
import { brandResponse } from "./brand";
import { DOCUMENT_STATES, documentResponse } from "./documents";
import {
  bytes,
  day,
  entity,
  id,
  nullishTo,
  optionalLanguage,
  optionalText,
  personName,
  requiredText,
  rowId,
  time,
} from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { ENVELOPE_STATUSES, LANGUAGES } from "./options";

/** What a recipient submits besides the files. */
export const submitInput = z.object({
  answers: nullishTo(answersById(0), (entries) => entries ?? []),
  note: optionalText(LIMITS.submissionNote),
  /** Documents that the recipient does not have. */
  skipped: nullishTo(
    z
      .array(z.object({ documentId: rowId, reason: optionalText(LIMITS.reason) }))
      .check(z.maxLength(LIMITS.documentsPerEnvelope)),
    // The last one of those that name the same document.
    (entries) => [...new Map((entries ?? []).map((entry) => [entry.documentId, entry])).values()],
  ),
  language: optionalLanguage.check(z.describe("That of the receipt, by default the envelope's.")),
});
export type SubmitInput = z.output<typeof submitInput>;

/** A message to the requestor before the submission. */
export const linkMessageInput = z.object({
  text: requiredText(LIMITS.submissionNote, MESSAGES.messageRequired),
});

export const recipientEnvelopeResponse = entity("RecipientRequest", {
  title: z.string(),
  subject: z.nullable(z.string()),
  description: z.string(),
  status: z.enum(ENVELOPE_STATUSES),
  language: z.nullable(z.enum(LANGUAGES)),
  expirationDate: z.nullable(day),
  expiresAt: z.nullable(time),
  dueDate: z.nullable(day),
  timeZone: z.string(),
  recipient: z.object({ name: z.string(), email: z.string() }),
  user: z.object({
    ...personName,
    email: z.string(),
    emailVerified: z.nullable(z.boolean()),
    hasPicture: z.boolean(),
  }),
  brand: z.nullable(brandResponse),
  reminderNote: z.nullable(z.string()).check(z.describe("What the requestor has added to a reminder")),
  documents: z.array(
    z.object({
      id,
      ...documentResponse,
      state: z.enum(DOCUMENT_STATES),
      answered: z.boolean().check(z.describe("Whether an answer is kept until the submission")),
      answer: answerValue.check(
        z.describe("The kept answer, otherwise the submitted one; null if it is confidential"),
      ),
      offered: z
        .nullable(z.object({ value: z.union([z.string(), z.array(z.string())]), answeredAt: time }))
        .check(
          z.describe("What the same contact has answered before: it counts once it is sent as an answer"),
        ),
      answeredBefore: z
        .boolean()
        .check(z.describe("Whether it was returned, and had an answer: a confidential one is not shown")),
      validUntil: z
        .nullable(day)
        .check(z.describe("The kept day until which the file is valid, otherwise the submitted one")),
      questionChanged: z
        .boolean()
        .check(z.describe("Whether an answer was kept that the question as asked now does not take")),
      reason: z.nullable(z.string()),
      files: z.array(
        z.object({ id: z.string(), fileName: z.string(), fileSize: bytes, uploadedBytes: bytes }),
      ),
    }),
  ),
  maxFileSize: bytes,
});

export const submittedResponse = entity("Submitted", {
  status: z.literal("completed"),
  submittedAt: time,
  submissions: z.array(
    z.object({
      documentName: z.string(),
      fileName: z.string(),
      fileSize: bytes,
      sha256: z.nullable(z.string()),
    }),
  ),
});
