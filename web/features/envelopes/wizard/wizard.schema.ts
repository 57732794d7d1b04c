import * as v from "valibot";
import { addDays, isDay } from "../../../../worker/contract/days";
import type { EnvelopeInput } from "../../../../worker/contract/envelopes";
import { LIMITS } from "../../../../worker/contract/limits";
import {
  NOTIFICATION_PREFERENCES,
  needsPhone,
  REMINDER_FREQUENCIES,
} from "../../../../worker/contract/options";
import {
  isBeforeSending,
  isCountryCode,
  isDueAfterEnd,
  lacksDueDate,
  readLastDay,
} from "../../../../worker/contract/patterns";
import { toE164 } from "../../../../worker/contract/phone";
import { languageOrBlank } from "../../../components/language-field";
import { documentEntries } from "../../../lib/document-entries";
import {
  emailAddress,
  messageKey,
  optionalText,
  readVersion,
  requiredText,
  type ValidationKey,
} from "../../../lib/form";
import { today } from "../../../lib/time-zone";

/** A day, or blank; `problemOf` says what is wrong with a typed one. */
const dayOrBlank = (problemOf: (typed: string) => ValidationKey | undefined) =>
  v.pipe(
    v.string(),
    v.rawCheck(({ dataset, addIssue }) => {
      const problem = dataset.typed && dataset.value !== "" ? problemOf(dataset.value) : undefined;
      if (problem) addIssue({ message: problem });
    }),
  );

function problemOfDay(day: string, first: string): ValidationKey | undefined {
  if (!isDay(day)) return "invalidDate";
  return day < first ? "dateInPast" : undefined;
}

const expirationDate = (timeZone: string | null) =>
  dayOrBlank((typed) => {
    const read = readLastDay(typed);
    return "problem" in read ? read.problem : problemOfDay(read.day, today(timeZone));
  });

/** @param kept of an envelope that was sent: its due date, which may be past */
const dueDate = (timeZone: string | null, kept: string) =>
  dayOrBlank((day) => (day === kept ? undefined : problemOfDay(day, today(timeZone))));

/** Blank for at once. */
const sendOn = (timeZone: string | null) =>
  dayOrBlank((day) => {
    const first = today(timeZone);
    const isTooLate = day > addDays(first, LIMITS.sendDaysAhead);
    return problemOfDay(day, first) ?? (isTooLate ? "sendTooLate" : undefined);
  });

/** The fields of an envelope, with those that the recipient's number is made of. */
type Fields =
  | Exclude<keyof EnvelopeInput, "isDraft" | "workspaceId" | "recipientPhone">
  | "phone"
  | "storedPhone"
  | "updatedAt";

/** What the wizard asks for; which step asks for what is in `steps.ts`. A day counts in the account's time zone. */
export const wizardSchema = (timeZone: string | null, keptDueDate = "") =>
  v.pipe(
    v.object({
      contactId: v.nullable(v.number()),
      templateId: v.nullable(v.number()),
      /** Whom it is assigned to; null keeps the assignee, by default the account. */
      assigneeId: v.nullable(v.number()),
      recipientName: requiredText(messageKey("recipientNameRequired"), LIMITS.name),
      recipientEmail: v.pipe(
        v.string(),
        v.trim(),
        v.minLength(1, messageKey("recipientEmailRequired")),
        emailAddress(messageKey("invalidEmail")),
      ),
      countryCode: v.pipe(v.string(), v.check(isCountryCode, messageKey("invalidCountryCode"))),
      /** As it is written in the country; of another country, with its plus. */
      phone: v.string(),
      language: languageOrBlank,
      subject: requiredText(messageKey("subjectRequired"), LIMITS.subject),
      message: optionalText(LIMITS.text),
      documents: documentEntries(messageKey("documentNameRequired")),
      reminderFrequency: v.picklist(REMINDER_FREQUENCIES),
      expirationDate: expirationDate(timeZone),
      dueDate: dueDate(timeZone, keptDueDate),
      reminderDays: v.pipe(v.array(v.number()), v.maxLength(LIMITS.reminderDays)),
      sendOn: sendOn(timeZone),
      sendHour: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(23)),
      notificationPreference: v.picklist(NOTIFICATION_PREFERENCES),
      /** The number an edited envelope already has; it stays while `phone` is blank. */
      storedPhone: v.nullable(v.string()),
      updatedAt: readVersion,
      prefill: v.boolean(),
    } satisfies Record<Fields, unknown>),
    v.forward(
      v.partialCheck(
        [["countryCode"], ["phone"]],
        ({ countryCode, phone }) => phone === "" || toE164(phone, countryCode) !== null,
        messageKey("invalidRecipientPhone"),
      ),
      ["phone"],
    ),
    v.forward(
      v.partialCheck(
        [["dueDate"], ["expirationDate"]],
        (dates) => !isDueAfterEnd(dates),
        messageKey("dueAfterEnd"),
      ),
      ["dueDate"],
    ),
    v.forward(
      v.partialCheck(
        [["dueDate"], ["sendOn"]],
        ({ dueDate, sendOn }) => !isBeforeSending(dueDate, sendOn),
        messageKey("beforeSending"),
      ),
      ["dueDate"],
    ),
    v.forward(
      v.partialCheck(
        [["expirationDate"], ["sendOn"]],
        ({ expirationDate, sendOn }) => !isBeforeSending(expirationDate, sendOn),
        messageKey("beforeSending"),
      ),
      ["expirationDate"],
    ),
    v.forward(
      v.partialCheck(
        [["dueDate"], ["reminderDays"]],
        (dates) => !lacksDueDate(dates),
        messageKey("dueDateNeeded"),
      ),
      ["reminderDays"],
    ),
    v.forward(
      v.partialCheck(
        [["notificationPreference"], ["phone"], ["storedPhone"]],
        ({ notificationPreference, phone, storedPhone }) =>
          !needsPhone(notificationPreference) || phone !== "" || storedPhone !== null,
        messageKey("phoneNeeded"),
      ),
      ["notificationPreference"],
    ),
  );

export type WizardValues = v.InferInput<ReturnType<typeof wizardSchema>>;
