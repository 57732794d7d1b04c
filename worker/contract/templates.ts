import * as z from "zod";
import { repeatedNames } from "./document-names";
import { documentEntry, documentResponse } from "./documents";
import { reminderDays } from "./envelopes";
import {
  count,
  id,
  optionalText,
  RESPONSES,
  readVersion,
  requiredText,
  rowId,
  type SchemasOf,
  time,
} from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { LANGUAGES, NOTIFICATION_PREFERENCES, REMINDER_FREQUENCIES } from "./options";

/** Absent counts as null, which leaves the field to whoever uses the template. */
const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? null);

/** From the day of sending. */
const days = z
  .int(MESSAGES.invalidDays)
  .min(0, MESSAGES.invalidDays)
  .max(LIMITS.templateDays, MESSAGES.invalidDays);

const templateFields = z.object({
  name: requiredText(LIMITS.name, MESSAGES.nameRequired),
  description: optionalText(LIMITS.text),
  subject: optionalText(LIMITS.subject),
  message: optionalText(LIMITS.text),
  language: orNull(z.enum(LANGUAGES)),
  notificationPreference: orNull(z.enum(NOTIFICATION_PREFERENCES)),
  reminderFrequency: orNull(z.enum(REMINDER_FREQUENCIES)),
  reminderDays,
  dueInDays: orNull(days).describe("From the day of sending to the due date"),
  expiresInDays: orNull(days).describe("From the day of sending to the last day of the link"),
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
      subject: z.string().nullable(),
      message: z.string().nullable(),
      language: z.enum(LANGUAGES).nullable(),
      notificationPreference: z.enum(NOTIFICATION_PREFERENCES).nullable(),
      reminderFrequency: z.enum(REMINDER_FREQUENCIES).nullable(),
      reminderDays: z.array(z.int()).nullable(),
      dueInDays: count.nullable().describe("From the day of sending to the due date"),
      expiresInDays: count.nullable().describe("From the day of sending to the last day of the link"),
      fields: z.array(z.object(documentResponse)),
    } satisfies SchemasOf<TemplateFields>),
    createdAt: time,
    updatedAt: time,
  })
  .register(RESPONSES, { id: "Template" });
