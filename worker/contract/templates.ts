import * as z from "zod";
import { documentEntry, repeatedNames } from "./documents";
import { optionalText, requiredText, rowId } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";

export const templateInput = z.object({
  name: requiredText(LIMITS.name, MESSAGES.nameRequired),
  description: optionalText(LIMITS.text),
  fields: z
    .array(documentEntry(requiredText(LIMITS.name, MESSAGES.fieldNameRequired)))
    .min(1, MESSAGES.templateFieldsRequired)
    .max(LIMITS.documentsPerEnvelope)
    .superRefine((entries, context) => {
      for (const index of repeatedNames(entries))
        context.addIssue({ code: "custom", path: [index, "name"], message: MESSAGES.documentNamesUnique });
    }),
  workspaceId: rowId.nullish(),
});
