import * as z from "zod";
import { expirationDate } from "./envelopes";
import { requiredText, rowId } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";

const documentIds = z
  .array(rowId)
  .max(LIMITS.documentsPerEnvelope)
  .nullish()
  .transform((ids) => ids ?? []);

const returnedDocuments = z
  .array(z.object({ documentId: rowId, reason: requiredText(LIMITS.reason, MESSAGES.reasonRequired) }))
  .max(LIMITS.documentsPerEnvelope)
  .nullish()
  .transform((entries) => entries ?? []);

/** The requestor's decisions about submitted documents: at least one, and at most one for each document. */
export const reviewInput = z
  .object({
    accept: documentIds,
    /** Documents to be sent again, each with the reason. */
    return: returnedDocuments,
    /** Documents whose acceptance or return is undone. */
    undo: documentIds,
    /** The new last day of a link that has expired. */
    expirationDate,
  })
  .superRefine((input, context) => {
    const named = [
      ...input.accept.map((id, index) => ({ id, path: ["accept", index] })),
      ...input.return.map(({ documentId: id }, index) => ({ id, path: ["return", index, "documentId"] })),
      ...input.undo.map((id, index) => ({ id, path: ["undo", index] })),
    ];
    if (named.length === 0) context.addIssue({ code: "custom", message: MESSAGES.reviewEmpty });
    named.forEach(({ id, path }, index) => {
      if (named.findIndex((other) => other.id === id) < index)
        context.addIssue({ code: "custom", path, message: MESSAGES.documentReviewedTwice });
    });
  });
export type ReviewInput = z.output<typeof reviewInput>;
