import { z } from "zod";
import { documentEntry, repeatedNames } from "./documents";
import type { Issue } from "./errors";
import { optionalText, rowId } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import {
  DEFAULT_COUNTRY_CODE,
  NOTIFICATION_PREFERENCES,
  type NotificationPreference,
  REMINDER_FREQUENCIES,
} from "./options";
import {
  COUNTRY_CODE_PATTERN,
  EARLIEST_EXPIRATION,
  EMAIL_PATTERN,
  PHONE_PATTERN,
  parseDay,
} from "./patterns";

const blankToNull = <T extends string>(value: T | null | undefined) =>
  value === "" ? null : (value ?? null);

const fields = z.object({
  isDraft: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
  recipientName: z.string().trim().max(LIMITS.name).nullish(),
  recipientEmail: z
    .string()
    .trim()
    .toLowerCase()
    .max(LIMITS.email)
    .refine((value) => value === "" || EMAIL_PATTERN.test(value), MESSAGES.invalidEmail)
    .nullish()
    .transform(blankToNull),
  recipientPhone: z
    .string()
    .trim()
    .refine((value) => value === "" || PHONE_PATTERN.test(value), MESSAGES.invalidRecipientPhone)
    .nullish(),
  countryCode: z
    .string()
    .trim()
    .refine((value) => value === "" || COUNTRY_CODE_PATTERN.test(value), MESSAGES.invalidCountryCode)
    .nullish()
    .transform((value) => value || DEFAULT_COUNTRY_CODE),
  reminderFrequency: z
    .enum(REMINDER_FREQUENCIES)
    .nullish()
    .transform((value) => value ?? "none"),
  notificationPreference: z
    .enum(NOTIFICATION_PREFERENCES)
    .nullish()
    .transform((value) => value ?? "email"),
  expirationDate: z
    .string()
    .trim()
    .nullish()
    .transform((value, context) => {
      if (!value) return null;
      const day = parseDay(value);
      if (day && day >= EARLIEST_EXPIRATION) return day;
      context.addIssue({ code: "custom", message: day ? MESSAGES.dateTooEarly : MESSAGES.invalidDate });
      return z.NEVER;
    }),
  subject: z.string().trim().max(LIMITS.subject).nullish(),
  message: optionalText(LIMITS.text),
  documents: z
    .array(
      documentEntry(
        z
          .string()
          .trim()
          .max(LIMITS.name)
          .nullish()
          .transform((name) => name ?? ""),
      ),
    )
    .max(LIMITS.documentsPerEnvelope)
    .nullish()
    .transform((entries) => entries ?? []),
  contactId: rowId.nullish(),
  templateId: rowId.nullish(),
  workspaceId: rowId.nullish(),
});

/** An envelope as the wizard sends it. A sent one needs what the specification says; a draft may miss anything. */
export const envelopeInput = fields
  .superRefine((input, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", path, message });
    for (const place of repeatedNames(input.documents))
      issue(["documents", place, "name"], MESSAGES.documentNamesUnique);
    if (input.isDraft) return;
    if (input.recipientName === "") issue(["recipientName"], MESSAGES.recipientNameRequired);
    if (!input.recipientName) issue(["recipientName"], MESSAGES.sentRecipientName);
    if (input.subject === "") issue(["subject"], MESSAGES.subjectRequired);
    if (!input.subject) issue(["subject"], MESSAGES.sentSubject);
    if (input.documents.length === 0) issue(["documents"], MESSAGES.sentDocuments);
    input.documents.forEach(({ name }, place) => {
      if (name) return;
      issue(["documents", place, "name"], MESSAGES.documentNameRequired);
      issue(["documents", place, "name"], MESSAGES.sentDocumentName);
    });
  })
  .transform((input) => ({
    ...input,
    recipientName: blankToNull(input.recipientName),
    subject: blankToNull(input.subject),
  }));
export type EnvelopeInput = z.output<typeof envelopeInput>;

/**
 * What is missing to reach the recipient of an envelope that is being sent. Apart from the schema, since a
 * change may keep the number the envelope already has.
 */
export function reachIssues(reach: {
  recipientEmail: string | null;
  recipientPhone: string | null;
  notificationPreference: NotificationPreference;
}): Issue[] {
  const { recipientEmail, recipientPhone, notificationPreference } = reach;
  if (!recipientEmail && !recipientPhone) return [{ path: "recipientEmail", message: MESSAGES.sentContact }];
  const issues = [];
  if (!recipientEmail && notificationPreference !== "sms")
    issues.push({ path: "recipientEmail", message: MESSAGES.emailNeeded });
  if (!recipientPhone && notificationPreference !== "email")
    issues.push({ path: "recipientPhone", message: MESSAGES.phoneNeeded });
  return issues;
}
