import * as z from "zod";
import { brandResponse } from "./brand";
import { DOCUMENT_STATES, documentResponse } from "./documents";
import {
  bytes,
  day,
  id,
  optionalLanguage,
  optionalText,
  RESPONSES,
  requiredText,
  rowId,
  time,
} from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { ENVELOPE_STATUSES, LANGUAGES } from "./options";

/** What a recipient submits besides the files. */
export const submitInput = z.object({
  note: optionalText(LIMITS.submissionNote),
  /** Documents that the recipient does not have. */
  skipped: z
    .array(z.object({ documentId: rowId, reason: optionalText(LIMITS.reason) }))
    .max(LIMITS.documentsPerEnvelope)
    .nullish()
    .transform((entries) => entries ?? []),
  language: optionalLanguage.describe("That of the receipt, by default the envelope's."),
});
export type SubmitInput = z.output<typeof submitInput>;

/** A message to the requestor before the submission. */
export const linkMessageInput = z.object({
  text: requiredText(LIMITS.submissionNote, MESSAGES.messageRequired),
});

export const recipientEnvelopeResponse = z
  .object({
    title: z.string(),
    subject: z.string().nullable(),
    description: z.string(),
    status: z.enum(ENVELOPE_STATUSES),
    language: z.enum(LANGUAGES).nullable(),
    expirationDate: day.nullable(),
    expiresAt: time.nullable(),
    dueDate: day.nullable(),
    timeZone: z.string(),
    user: z.object({
      firstName: z.string().nullable(),
      lastName: z.string().nullable(),
      companyName: z.string().nullable(),
      email: z.string(),
      emailVerified: z.boolean().nullable(),
      hasPicture: z.boolean(),
    }),
    brand: brandResponse.nullable(),
    documents: z.array(
      z.object({
        id,
        ...documentResponse,
        state: z.enum(DOCUMENT_STATES),
        reason: z.string().nullable(),
        files: z.array(
          z.object({ id: z.string(), fileName: z.string(), fileSize: bytes, uploadedBytes: bytes }),
        ),
      }),
    ),
    maxFileSize: bytes,
  })
  .register(RESPONSES, { id: "RecipientRequest" });

export const submittedResponse = z
  .object({
    status: z.literal("completed"),
    submittedAt: time,
    submissions: z.array(
      z.object({
        documentName: z.string(),
        fileName: z.string(),
        fileSize: bytes,
        sha256: z.string().nullable(),
      }),
    ),
  })
  .register(RESPONSES, { id: "Submitted" });
