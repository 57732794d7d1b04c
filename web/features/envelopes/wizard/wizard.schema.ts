import * as v from "valibot";
import { LIMITS } from "../../../../worker/contract/limits";
import { NOTIFICATION_PREFERENCES, REMINDER_FREQUENCIES } from "../../../../worker/contract/options";
import { COUNTRY_CODE_PATTERN, EARLIEST_EXPIRATION, parseDay } from "../../../../worker/contract/patterns";
import { toE164 } from "../../../../worker/contract/phone";
import { documentEntries } from "../../../lib/document-entries";
import { emailAddress, matches, messageKey, optionalText, requiredText } from "../../../lib/form";
import { today } from "../../../lib/today";

const expirationDate = (timeZone: string | null) =>
  v.pipe(
    v.string(),
    v.check(
      (day) => day === "" || (day.length <= LIMITS.moment && parseDay(day) !== null),
      messageKey("invalidDate"),
    ),
    v.check((day) => day === "" || day >= EARLIEST_EXPIRATION, messageKey("dateTooEarly")),
    v.check(
      (day) => day === "" || day < EARLIEST_EXPIRATION || day >= today(timeZone),
      messageKey("dateInPast"),
    ),
  );

/** What the wizard asks for; which step asks for what is in `steps.ts`. A day counts in the account's time zone. */
export const wizardSchema = (timeZone: string | null) =>
  v.pipe(
    v.object({
      contactId: v.nullable(v.number()),
      templateId: v.nullable(v.number()),
      recipientName: requiredText(messageKey("recipientNameRequired"), LIMITS.name),
      recipientEmail: v.pipe(
        v.string(),
        v.trim(),
        v.minLength(1, messageKey("recipientEmailRequired")),
        emailAddress(messageKey("invalidEmail"), LIMITS.email),
      ),
      countryCode: v.pipe(
        v.string(),
        matches(COUNTRY_CODE_PATTERN, LIMITS.phone, messageKey("invalidCountryCode")),
      ),
      /** As it is written in the country; of another country, with its plus. */
      phone: v.string(),
      subject: requiredText(messageKey("subjectRequired"), LIMITS.subject),
      message: optionalText(LIMITS.text),
      documents: documentEntries(messageKey("documentNameRequired")),
      reminderFrequency: v.picklist(REMINDER_FREQUENCIES),
      expirationDate: expirationDate(timeZone),
      notificationPreference: v.picklist(NOTIFICATION_PREFERENCES),
      /** The number an edited envelope already has; it stays while `phone` is blank. */
      storedPhone: v.nullable(v.string()),
    }),
    v.forward(
      v.partialCheck(
        [["countryCode"], ["phone"]],
        ({ countryCode, phone }) =>
          phone === "" || (phone.length <= LIMITS.phone && toE164(phone, countryCode) !== null),
        messageKey("invalidRecipientPhone"),
      ),
      ["phone"],
    ),
    v.forward(
      v.partialCheck(
        [["notificationPreference"], ["phone"], ["storedPhone"]],
        ({ notificationPreference, phone, storedPhone }) =>
          notificationPreference === "email" || phone !== "" || storedPhone !== null,
        messageKey("phoneNeeded"),
      ),
      ["notificationPreference"],
    ),
  );

export type WizardValues = v.InferInput<ReturnType<typeof wizardSchema>>;
