import * as z from "zod";
import { repeatedNames } from "./document-names";
import { documentEntry, documentResponse } from "./documents";
import { optionalText, readVersion, requiredText, rowId } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { id, RESPONSES, type SchemasOf, time } from "./response-fields";

const templateFields = z.object({
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
});

export const templateInput = templateFields.extend({ workspaceId: rowId.nullish() });

/** The new contents of a template, which stays in its workspace. */
export const templateChanges = templateInput.extend({ updatedAt: readVersion });

/** What the account enters of a template. */
export type TemplateFields = z.output<typeof templateFields>;

export const templateResponse = z
  .object({
    id,
    userId: id,
    workspaceId: id,
    ...({
      name: z.string(),
      description: z.string().nullable(),
      fields: z.array(z.object(documentResponse)),
    } satisfies SchemasOf<TemplateFields>),
    createdAt: time,
    updatedAt: time,
  })
  .register(RESPONSES, { id: "Template" });
