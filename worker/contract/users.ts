import * as z from "zod";
import { emailAddress, matchingOrBlank, optionalText } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { DOCUMENT_TYPES, LANGUAGES, THEMES, USAGE_TYPES } from "./options";
import { PHONE_PATTERN } from "./patterns";
import { parseTimeZone } from "./time-zones";

/** An IANA name; null and blank both mean that it is not set. */
const timeZone = z
  .string()
  .trim()
  .max(LIMITS.timeZone, { abort: true, error: MESSAGES.invalidTimeZone })
  .nullish()
  .transform((name, context) => {
    if (!name) return name === undefined ? undefined : null;
    const known = parseTimeZone(name);
    if (known) return known;
    context.addIssue({ code: "custom", message: MESSAGES.invalidTimeZone });
    return z.NEVER;
  });

/** Every field is optional: absent fields stay unchanged; null clears fields that can be empty. */
export const profileInput = z
  .object({
    email: emailAddress(MESSAGES.invalidEmailAddress).nullish(),
    firstName: optionalText(LIMITS.name),
    lastName: optionalText(LIMITS.name),
    companyName: optionalText(LIMITS.name),
    username: optionalText(LIMITS.name),
    phoneNumber: matchingOrBlank(PHONE_PATTERN, LIMITS.phone, MESSAGES.invalidPhone)
      .nullish()
      .transform((value) => value || null),
    themePreference: z.enum(THEMES).nullish(),
    languagePreference: z.enum(LANGUAGES).nullish(),
    timeZone,
  })
  .partial();
export type ProfileInput = z.output<typeof profileInput>;

export const onboardingInput = z.object({
  usageType: z.enum(USAGE_TYPES).nullish(),
  documentType: z.enum(DOCUMENT_TYPES).nullish(),
});
export type OnboardingInput = z.output<typeof onboardingInput>;
