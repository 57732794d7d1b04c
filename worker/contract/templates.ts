import * as z from "zod/mini";
import { repeatedNames } from "./document-names";
import { documentEntry, documentResponse, questionIssues } from "./documents";
import { reminderDays } from "./envelopes";
import {
  count,
  entity,
  id,
  nullishTo,
  optionalText,
  readVersion,
  requiredText,
  rowId,
  type SchemasOf,
  time,
} from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { LANGUAGES, NOTIFICATION_PREFERENCES, REMINDER_FREQUENCIES } from "./options";
import { isDueInTime } from "./patterns";

/** Absent counts as null, which leaves the field to whoever uses the template. */
const orNull = <Schema extends z.ZodMiniType>(schema: Schema) => nullishTo(schema, (value) => value ?? null);

/** From the day of sending. */
const days = z
  .int(MESSAGES.invalidDays)
  .check(z.minimum(0, MESSAGES.invalidDays), z.maximum(LIMITS.templateDays, MESSAGES.invalidDays));

export const daysToDates = z.object({
  dueInDays: orNull(days).check(z.describe("From the day of sending to the due date")),
  expiresInDays: orNull(days).check(z.describe("From the day of sending to the last day of the link")),
});

const templateFields = z.object({
  name: requiredText(LIMITS.name, MESSAGES.nameRequired),
  description: optionalText(LIMITS.text),
  subject: optionalText(LIMITS.subject),
  message: optionalText(LIMITS.text),
  language: orNull(z.enum(LANGUAGES)),
  notificationPreference: orNull(z.enum(NOTIFICATION_PREFERENCES)),
  reminderFrequency: orNull(z.enum(REMINDER_FREQUENCIES)),
  reminderDays,
  ...daysToDates.shape,
  fields: z.array(documentEntry(requiredText(LIMITS.name, MESSAGES.fieldNameRequired))).check(
    z.minLength(1, MESSAGES.templateFieldsRequired),
    z.maxLength(LIMITS.documentsPerEnvelope),
    z.superRefine((entries, context) => {
      for (const index of repeatedNames(entries))
        context.addIssue({ code: "custom", path: [index, "name"], message: MESSAGES.documentNamesUnique });
      for (const { path, message } of questionIssues(entries))
        context.addIssue({ code: "custom", path: path.split("."), message });
    }),
  ),
});

export const templateInput = z.extend(templateFields, { workspaceId: z.nullish(rowId) }).check(
  z.refine(isDueInTime, {
    path: ["dueInDays"],
    message: MESSAGES.dueAfterEnd,
    // Also after another field has failed, so that the response names both.
    when: ({ value }) => daysToDates.safeParse(value).success,
  }),
);

/** The new contents of a template, which stays in its workspace. */
export const templateChanges = z.extend(templateInput, { updatedAt: readVersion });

/** What the account enters of a template. */
export type TemplateFields = z.output<typeof templateFields>;

export const templateResponse = entity("Template", {
  id,
  userId: id,
  workspaceId: id,
  ...({
    name: z.string(),
    description: z.nullable(z.string()),
    subject: z.nullable(z.string()),
    message: z.nullable(z.string()),
    language: z.nullable(z.enum(LANGUAGES)),
    notificationPreference: z.nullable(z.enum(NOTIFICATION_PREFERENCES)),
    reminderFrequency: z.nullable(z.enum(REMINDER_FREQUENCIES)),
    reminderDays: z.nullable(z.array(z.int())),
    dueInDays: z.nullable(count).check(z.describe("From the day of sending to the due date")),
    expiresInDays: z.nullable(count).check(z.describe("From the day of sending to the last day of the link")),
    fields: z.array(z.object(documentResponse)),
  } satisfies SchemasOf<TemplateFields>),
  createdAt: time,
  updatedAt: time,
});
