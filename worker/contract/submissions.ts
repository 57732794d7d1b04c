import * as z from "zod";
import { optionalText, rowId } from "./fields";
import { LIMITS } from "./limits";

/** What a recipient submits besides the files. */
export const submitInput = z.object({
  note: optionalText(LIMITS.submissionNote),
  /** Documents that the recipient does not have. */
  skipped: z
    .array(z.object({ documentId: rowId, reason: optionalText(LIMITS.reason) }))
    .max(LIMITS.documentsPerEnvelope)
    .nullish()
    .transform((entries) => entries ?? []),
});
export type SubmitInput = z.output<typeof submitInput>;
