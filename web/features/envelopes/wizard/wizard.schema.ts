import * as v from "valibot";
import { LIMITS } from "../../../../worker/contract/limits";
import { NOTIFICATION_PREFERENCES, REMINDER_FREQUENCIES } from "../../../../worker/contract/options";
import {
  COUNTRY_CODE_PATTERN,
  EARLIEST_EXPIRATION,
  PHONE_PATTERN,
  parseDay,
} from "../../../../worker/contract/patterns";
import { documentEntries } from "../../../lib/document-entries";
import { emailAddress, filled, says, textUpTo } from "../../../lib/form";
import { joinPhone } from "../../../lib/phone";

/** Today where the link's day ends: in UTC. */
export function today(now = new Date()): string {
  return now.toISOString().slice(0, 10);
}

const expirationDate = v.pipe(
  v.string(),
  v.check((day) => day === "" || parseDay(day) !== null, says("invalidDate")),
  v.check((day) => day === "" || day >= EARLIEST_EXPIRATION, says("dateTooEarly")),
  v.check((day) => day === "" || day < EARLIEST_EXPIRATION || day >= today(), says("dateInPast")),
);

/** What the wizard asks for; which step asks for what is in `steps.ts`. */
export const wizardSchema = v.pipe(
  v.object({
    contactId: v.nullable(v.number()),
    templateId: v.nullable(v.number()),
    recipientName: filled(says("recipientNameRequired"), LIMITS.name),
    recipientEmail: v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1, says("recipientEmailRequired")),
      emailAddress(says("invalidEmail"), LIMITS.email),
    ),
    countryCode: v.pipe(v.string(), v.regex(COUNTRY_CODE_PATTERN, says("invalidCountryCode"))),
    /** Digits only. */
    phone: v.string(),
    subject: filled(says("subjectRequired"), LIMITS.subject),
    message: textUpTo(LIMITS.text),
    documents: documentEntries(says("documentNameRequired")),
    reminderFrequency: v.picklist(REMINDER_FREQUENCIES),
    expirationDate,
    notificationPreference: v.picklist(NOTIFICATION_PREFERENCES),
    /** The number an edited envelope already has; it stays while `phone` is blank. */
    storedPhone: v.nullable(v.string()),
  }),
  v.forward(
    v.partialCheck(
      [["countryCode"], ["phone"]],
      ({ countryCode, phone }) => phone === "" || PHONE_PATTERN.test(joinPhone(countryCode, phone)),
      says("invalidRecipientPhone"),
    ),
    ["phone"],
  ),
  v.forward(
    v.partialCheck(
      [["notificationPreference"], ["phone"], ["storedPhone"]],
      ({ notificationPreference, phone, storedPhone }) =>
        notificationPreference === "email" || phone !== "" || storedPhone !== null,
      says("phoneNeeded"),
    ),
    ["notificationPreference"],
  ),
);

export type WizardValues = v.InferInput<typeof wizardSchema>;
