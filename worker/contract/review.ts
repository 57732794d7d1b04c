import * as z from "zod/mini";
import { expirationDate } from "./envelopes";
import { nullishTo, requiredText, rowId } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";

const documentIds = nullishTo(
  z.array(rowId).check(z.maxLength(LIMITS.documentsPerEnvelope)),
  (ids) => ids ?? [],
);

const returnedDocuments = nullishTo(
  z
    .array(z.object({ documentId: rowId, reason: requiredText(LIMITS.reason, MESSAGES.reasonRequired) }))
    .check(z.maxLength(LIMITS.documentsPerEnvelope)),
  (entries) => entries ?? [],
);

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
  .check(
    z.superRefine((input, context) => {
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
    }),
  );
export type ReviewInput = z.output<typeof reviewInput>;
