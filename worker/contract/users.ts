import * as z from "zod";
import { emailAddress, id, listQuery, matchingOrBlank, optionalText, RESPONSES, time } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import {
  DOCUMENT_TYPES,
  LANGUAGES,
  SIGN_IN_METHODS,
  SIGN_IN_PROVIDERS,
  THEMES,
  USAGE_TYPES,
  USED_FACTORS,
} from "./options";
import { isPhoneNumber } from "./patterns";
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
    phoneNumber: matchingOrBlank(isPhoneNumber, LIMITS.phone, MESSAGES.invalidPhone)
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

export const userResponse = z
  .object({
    id,
    email: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    companyName: z.string().nullable(),
    avatarUrl: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    username: z.string().nullable(),
    themePreference: z.enum(THEMES),
    languagePreference: z.enum(LANGUAGES),
    onboardingCompleted: z.boolean(),
    usageType: z.enum(USAGE_TYPES).nullable(),
    documentType: z.enum(DOCUMENT_TYPES).nullable(),
    timeZone: z.string().nullable().describe("An IANA name; null is UTC"),
    lastWorkspaceId: id.nullable(),
    isVerified: z.boolean(),
    confirmedEmail: z
      .string()
      .nullable()
      .describe("The address in use until the changed `email` is confirmed"),
    isAdministrator: z.boolean(),
    createdAt: time,
  })
  .register(RESPONSES, { id: "User" });

export const sessionResponse = z
  .object({
    id: z.string(),
    userAgent: z.string(),
    address: z.string(),
    createdAt: time,
    lastUsedAt: time,
    current: z.boolean(),
  })
  .register(RESPONSES, { id: "Session" });

export const signInsQuery = listQuery.pick({ limit: true, cursor: true });

export const signInResponse = z
  .object({
    id,
    at: time,
    method: z.enum(SIGN_IN_METHODS),
    secondFactor: z.enum(USED_FACTORS).nullable(),
    address: z.string(),
    browser: z.string().describe("The browser's User-Agent header"),
    succeeded: z.boolean(),
  })
  .register(RESPONSES, { id: "SignIn" });

export const providerResponse = z
  .object({
    provider: z.enum(SIGN_IN_PROVIDERS),
    createdAt: time,
    /** False for the account's only way to sign in. */
    removable: z.boolean(),
  })
  .register(RESPONSES, { id: "Provider" });
