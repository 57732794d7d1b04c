import * as z from "zod";
import { emailAddress, matchingOrBlank, optionalText } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { DOCUMENT_TYPES, LANGUAGES, THEMES, USAGE_TYPES } from "./options";
import { PHONE_PATTERN } from "./patterns";

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
  })
  .partial();
export type ProfileInput = z.output<typeof profileInput>;

export const onboardingInput = z.object({
  usageType: z.enum(USAGE_TYPES).nullish(),
  documentType: z.enum(DOCUMENT_TYPES).nullish(),
});
export type OnboardingInput = z.output<typeof onboardingInput>;
