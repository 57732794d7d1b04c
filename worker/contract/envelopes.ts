import * as z from "zod";
import { documentEntry, repeatedNames } from "./documents";
import type { Issue } from "./errors";
import { listQuery, matchingOrBlank, optionalText, rowId, text } from "./fields";
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
import { toE164 } from "./phone";

const blankToNull = <T extends string>(value: T | null | undefined) =>
  value === "" ? null : (value ?? null);

/** The last day on which the link works, as `YYYY-MM-DD`; absent and blank alike are null. */
export const expirationDate = z
  .string()
  .trim()
  .max(LIMITS.moment, { abort: true, error: MESSAGES.invalidDate })
  .nullish()
  .transform((value, context) => {
    if (!value) return null;
    const day = parseDay(value);
    if (day && day >= EARLIEST_EXPIRATION) return day;
    context.addIssue({ code: "custom", message: day ? MESSAGES.dateTooEarly : MESSAGES.invalidDate });
    return z.NEVER;
  });

const fields = z.object({
  isDraft: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
  recipientName: text(LIMITS.name).nullish(),
  recipientEmail: matchingOrBlank(EMAIL_PATTERN, LIMITS.email, MESSAGES.invalidEmail)
    .nullish()
    .transform((value) => value?.toLowerCase() || null),
  recipientPhone: z
    .string()
    .trim()
    .max(LIMITS.phone, { abort: true, error: MESSAGES.invalidRecipientPhone })
    .nullish(),
  countryCode: matchingOrBlank(COUNTRY_CODE_PATTERN, LIMITS.phone, MESSAGES.invalidCountryCode)
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
  expirationDate,
  subject: text(LIMITS.subject).nullish(),
  message: optionalText(LIMITS.text),
  documents: z
    .array(
      documentEntry(
        text(LIMITS.name)
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

/** What a draft lacks before it can be sent, as the specification defines it. A draft may omit any field. */
function sentIssues(input: z.output<typeof fields>, phoneMayBeStored: boolean): Issue[] {
  if (input.isDraft) return [];
  const issues: Issue[] = [];
  if (input.recipientName === "")
    issues.push({ path: "recipientName", message: MESSAGES.recipientNameRequired });
  if (!input.recipientName) issues.push({ path: "recipientName", message: MESSAGES.sentRecipientName });
  if (input.subject === "") issues.push({ path: "subject", message: MESSAGES.subjectRequired });
  if (!input.subject) issues.push({ path: "subject", message: MESSAGES.sentSubject });
  const recipientPhone = input.recipientPhone || null;
  if (recipientPhone || input.recipientPhone === null || !phoneMayBeStored)
    issues.push(...reachIssues({ ...input, recipientPhone }));
  if (input.documents.length === 0) issues.push({ path: "documents", message: MESSAGES.sentDocuments });
  input.documents.forEach(({ name }, index) => {
    const path = `documents.${index}.name`;
    if (name) return;
    issues.push(
      { path, message: MESSAGES.documentNameRequired },
      { path, message: MESSAGES.sentDocumentName },
    );
  });
  return issues;
}

/** A stored number may be sent back unchanged; whether it is the stored one is checked where the row is known. */
function phoneIssues(
  { recipientPhone, countryCode }: z.output<typeof fields>,
  phoneMayBeStored: boolean,
): Issue[] {
  if (!recipientPhone || toE164(recipientPhone, countryCode)) return [];
  if (phoneMayBeStored && PHONE_PATTERN.test(recipientPhone)) return [];
  return [{ path: "recipientPhone", message: MESSAGES.invalidRecipientPhone }];
}

const envelope = ({ phoneMayBeStored }: { phoneMayBeStored: boolean }) =>
  fields
    .superRefine((input, context) => {
      const repeated = repeatedNames(input.documents).map((index) => ({
        path: `documents.${index}.name`,
        message: MESSAGES.documentNamesUnique,
      }));
      const issues = [
        ...phoneIssues(input, phoneMayBeStored),
        ...repeated,
        ...sentIssues(input, phoneMayBeStored),
      ];
      for (const { path, message } of issues)
        context.addIssue({ code: "custom", path: path.split("."), message });
    })
    .transform((input) => ({
      ...input,
      recipientName: blankToNull(input.recipientName),
      subject: blankToNull(input.subject),
    }));

/** A new envelope, as the wizard sends it. */
export const envelopeInput = envelope({ phoneMayBeStored: false });
/** Changes to an existing envelope: without a phone number it may keep the stored one. */
export const envelopeChanges = envelope({ phoneMayBeStored: true });
export type EnvelopeInput = z.output<typeof envelopeInput>;

/** What is missing to notify the recipient of an envelope. */
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

/** `?counts=1` requests the number of envelopes per state, in the header `Envelope-Counts`. */
export const envelopeListQuery = listQuery.extend({ counts: z.enum(["0", "1"]).optional() });

/** Which submission was opened: the envelope's `completedAt` at that time. */
export const seenInput = z.object({ completedAt: z.string().max(LIMITS.moment) });

/** `?ids=1,2,3`: the envelopes whose files go into one archive, each at most once. */
export const archiveQuery = z.object({
  ids: z
    .string()
    .max(LIMITS.envelopesPerArchive * 17)
    .transform((list) => [...new Set(list.split(",").map(Number))])
    .pipe(z.array(rowId).max(LIMITS.envelopesPerArchive)),
});
