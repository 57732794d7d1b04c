import type { EnvelopeChanges, FullEnvelope } from "../../../db/queries/envelopes";
import { type EnvelopeInput, reachIssues } from "../../contract/envelopes";
import type { Issue } from "../../contract/errors";
import { MESSAGES } from "../../contract/messages";
import type { ReminderFrequency } from "../../contract/options";
import { toE164 } from "../../contract/phone";
import { DEFAULT_DESCRIPTION, TITLE_PREFIX } from "../../contract/product";
import { validationError } from "../../errors";
import { endOfDay } from "../../lib/zoned-days";
import { nextReminder } from "../envelope-rules/reminder-times";

/** The time of the change, and the requestor's time zone. */
type When = { now: Date; timeZone: string | null };

/**
 * The columns for an input, after the checks that need the clock or the stored phone number. The expiration date is a
 * day in the account's current time zone; a later change of the zone does not move the end of the link.
 * @throws AppError `validation`
 */
export function envelopeFields(input: EnvelopeInput, { now, timeZone }: When, stored?: FullEnvelope) {
  const end = lastDay(input.expirationDate, timeZone);
  const issues = endIssues(end, now);
  const recipientPhone = recipientNumber(input, stored);
  if (recipientPhone === undefined)
    throw validationError([...issues, { path: "recipientPhone", message: MESSAGES.invalidRecipientPhone }]);
  if (!input.isDraft) issues.push(...reachIssues({ ...input, recipientPhone }));
  if (issues.length > 0) throw validationError(issues);

  const time = now.toISOString();
  const sentAt = input.isDraft ? null : (stored?.sentAt ?? time);
  // Every other field has a column of its name.
  const {
    recipientEmail,
    documents: _,
    contactId: _c,
    templateId: _t,
    workspaceId: _w,
    assigneeId: _a,
    ...columns
  } = input;
  return {
    ...columns,
    title: `${TITLE_PREFIX}${input.recipientName ?? ""}`,
    description: input.message ?? DEFAULT_DESCRIPTION,
    customerEmail: recipientEmail ?? "",
    recipientPhone,
    ...end,
    status: input.isDraft ? "draft" : "pending",
    sentAt,
    nextReminderAt: sentAt && reminderAfter(sentAt, input.reminderFrequency, { now, timeZone }),
    updatedAt: time,
  } satisfies EnvelopeChanges;
}

/**
 * Absent, blank and unchanged values keep the stored number; null clears it; a number without a plus is a national
 * number of the country. Undefined if it is not a possible number.
 */
function recipientNumber(input: EnvelopeInput, stored?: FullEnvelope): string | null | undefined {
  const { recipientPhone, countryCode } = input;
  if (recipientPhone === null) return null;
  if (!recipientPhone || recipientPhone === stored?.recipientPhone) return stored?.recipientPhone ?? null;
  return toE164(recipientPhone, countryCode) ?? undefined;
}

/** The columns of an expiration date in a time zone. */
export const lastDay = (expirationDate: string | null, timeZone: string | null) => ({
  expirationDate,
  timeZone,
  endOfLastDay: expirationDate && endOfDay(expirationDate, timeZone),
});

/** What is wrong with the new end of a link. */
export function endIssues({ endOfLastDay }: { endOfLastDay: string | null }, now: Date): Issue[] {
  const past = endOfLastDay !== null && endOfLastDay < now.toISOString();
  return past ? [{ path: "expirationDate", message: MESSAGES.dateInPast }] : [];
}

/** The `nextReminderAt` of an envelope that is open from now on. */
export function reminderAfter(
  sentAt: string,
  frequency: ReminderFrequency,
  { now, timeZone }: When,
): string | null {
  return nextReminder(new Date(sentAt), frequency, now, timeZone)?.toISOString() ?? null;
}
