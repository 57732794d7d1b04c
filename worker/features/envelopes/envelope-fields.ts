import type { EnvelopeChanges, FullEnvelope } from "../../../db/queries/envelopes";
import { type EnvelopeInput, reachIssues } from "../../contract/envelopes";
import type { Issue } from "../../contract/errors";
import { MESSAGES } from "../../contract/messages";
import type { ReminderFrequency } from "../../contract/options";
import { toE164 } from "../../contract/phone";
import { TITLE_PREFIX } from "../../contract/product";
import { validationError } from "../../errors";
import { nextReminder } from "../../lib/reminder-times";

const DEFAULT_DESCRIPTION = "Please upload the requested documents.";

/**
 * The columns for an input, after the checks that need the clock or the stored phone number.
 * @throws AppError `validation`
 */
export function envelopeFields(input: EnvelopeInput, now: Date, stored?: FullEnvelope) {
  const issues = dateIssues(input.expirationDate, now);
  const recipientPhone = recipientNumber(input, stored);
  if (recipientPhone === undefined)
    throw validationError([...issues, { path: "recipientPhone", message: MESSAGES.invalidRecipientPhone }]);
  if (!input.isDraft) issues.push(...reachIssues({ ...input, recipientPhone }));
  if (issues.length > 0) throw validationError(issues);

  const moment = now.toISOString();
  const sentAt = input.isDraft ? null : (stored?.sentAt ?? moment);
  return {
    title: `${TITLE_PREFIX}${input.recipientName ?? ""}`,
    description: input.message ?? DEFAULT_DESCRIPTION,
    customerEmail: input.recipientEmail ?? "",
    recipientName: input.recipientName,
    recipientPhone,
    countryCode: input.countryCode,
    notificationPreference: input.notificationPreference,
    reminderFrequency: input.reminderFrequency,
    expirationDate: input.expirationDate,
    subject: input.subject,
    message: input.message,
    isDraft: input.isDraft,
    status: input.isDraft ? "draft" : "pending",
    sentAt,
    nextReminderAt: sentAt && reminderAfter(sentAt, input.reminderFrequency, now),
    updatedAt: moment,
  } satisfies EnvelopeChanges;
}

/**
 * Absent or blank keeps the stored number, as it does itself; null clears it; one without a plus is a number of the
 * country. Undefined where it is no possible number.
 */
function recipientNumber(input: EnvelopeInput, stored?: FullEnvelope): string | null | undefined {
  const { recipientPhone, countryCode } = input;
  if (recipientPhone === null) return null;
  if (!recipientPhone || recipientPhone === stored?.recipientPhone) return stored?.recipientPhone ?? null;
  return toE164(recipientPhone, countryCode) ?? undefined;
}

function dateIssues(day: string | null, now: Date): Issue[] {
  const past = day !== null && day < now.toISOString().slice(0, 10);
  return past ? [{ path: "expirationDate", message: MESSAGES.dateInPast }] : [];
}

function reminderAfter(sentAt: string, frequency: ReminderFrequency, now: Date): string | null {
  return nextReminder(new Date(sentAt), frequency, now)?.toISOString() ?? null;
}
