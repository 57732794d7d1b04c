import * as z from "zod/mini";
import {
  count,
  emailAddress,
  entity,
  id,
  listQuery,
  matchingOrBlank,
  nullishTo,
  optionalText,
  personName,
  time,
} from "./fields";
import { LIMITS, SERVER_LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import {
  DOCUMENT_TYPES,
  LANGUAGES,
  SIGN_IN_METHODS,
  SIGN_IN_PROVIDERS,
  SUBMISSION_MAILS,
  THEMES,
  USAGE_TYPES,
  USED_FACTORS,
} from "./options";
import { isPhoneNumber, plainPhone } from "./patterns";
import { parseTimeZone } from "./time-zones";

/** An IANA name; null and blank both mean that it is not set. */
const timeZone = nullishTo(
  z
    .string()
    .check(z.trim(), z.maxLength(SERVER_LIMITS.timeZone, { abort: true, error: MESSAGES.invalidTimeZone })),
  (name, context) => {
    if (!name) return name === undefined ? undefined : null;
    const known = parseTimeZone(name);
    if (known) return known;
    context.issues.push({ code: "custom", message: MESSAGES.invalidTimeZone, input: name });
    return z.NEVER;
  },
);

/** What people choose for their account only. Each is a column of `users` that is not null. */
export const accountSettings = {
  themePreference: z.enum(THEMES),
  languagePreference: z.enum(LANGUAGES),
  submissionMails: z
    .enum(SUBMISSION_MAILS)
    .check(
      z.describe(
        "When a mail tells of submissions: of each at once, or of those of an hour or a day together. What is answered on its due day after it was asked for again is told at once",
      ),
    ),
  digestHour: z
    .int()
    .check(z.minimum(0), z.maximum(23), z.describe("The hour of the daily mail, in the account's time zone")),
};

const unlessNull = <Value>(value: Value | null | undefined) => value ?? undefined;
/** As inputs: absent and null change nothing. */
export const settingInputs = {
  themePreference: nullishTo(accountSettings.themePreference, unlessNull),
  languagePreference: nullishTo(accountSettings.languagePreference, unlessNull),
  submissionMails: nullishTo(accountSettings.submissionMails, unlessNull),
  digestHour: nullishTo(accountSettings.digestHour, unlessNull),
} satisfies Record<keyof typeof accountSettings, z.ZodMiniType>;

/** Every field is optional: absent fields stay unchanged; null clears those that can be empty. */
export const profileInput = z.partial(
  z.object({
    email: z.nullish(emailAddress(MESSAGES.invalidEmailAddress)),
    firstName: optionalText(LIMITS.name),
    lastName: optionalText(LIMITS.name),
    companyName: optionalText(LIMITS.name),
    username: optionalText(LIMITS.name),
    phoneNumber: nullishTo(
      matchingOrBlank(isPhoneNumber, LIMITS.phone, MESSAGES.invalidPhone, plainPhone),
      (value) => value || null,
    ),
    timeZone,
    ...settingInputs,
  }),
);
export type ProfileInput = z.output<typeof profileInput>;

export const onboardingInput = z.object({
  usageType: z.nullish(z.enum(USAGE_TYPES)),
  documentType: z.nullish(z.enum(DOCUMENT_TYPES)),
});
export type OnboardingInput = z.output<typeof onboardingInput>;

/** What the response has of the account's row. A column stays hidden until it is listed here. */
const userColumns = {
  id,
  ...personName,
  avatarUrl: z.nullable(z.string()),
  phoneNumber: z.nullable(z.string()),
  username: z.nullable(z.string()),
  ...accountSettings,
  onboardingCompleted: z.boolean(),
  usageType: z.nullable(z.enum(USAGE_TYPES)),
  documentType: z.nullable(z.enum(DOCUMENT_TYPES)),
  timeZone: z.nullable(z.string()).check(z.describe("An IANA name; null is UTC")),
  lastWorkspaceId: z.nullable(id),
  hasSetAside: z
    .boolean()
    .check(z.describe("Whether `GET /api/user/set-aside` lists workspaces that wait for a decision")),
  createdAt: time,
};
export const USER_COLUMNS = Object.keys(userColumns) as (keyof typeof userColumns)[];

export const userResponse = entity("User", {
  ...userColumns,
  email: z.string(),
  isVerified: z.boolean(),
  isProved: z
    .boolean()
    .check(z.describe("Whether the owner of the address in use has proved to have access to the account")),
  confirmedEmail: z
    .nullable(z.string())
    .check(z.describe("The address in use until the changed `email` is confirmed")),
  isAdministrator: z.boolean(),
});

export const setAsideResponse = entity("SetAsideWorkspace", {
  id,
  name: z.string(),
  createdAt: time,
  envelopes: count,
  templates: count,
  contacts: count,
});

export const sessionResponse = entity("Session", {
  id: z.string(),
  userAgent: z.string(),
  address: z.string(),
  createdAt: time,
  lastUsedAt: time,
  current: z.boolean(),
});

export const signInsQuery = z.pick(listQuery, { limit: true, cursor: true });

export const signInResponse = entity("SignIn", {
  id,
  at: time,
  method: z.enum(SIGN_IN_METHODS),
  secondFactor: z.nullable(z.enum(USED_FACTORS)),
  address: z.string(),
  browser: z.string().check(z.describe("The browser's User-Agent header")),
  succeeded: z.boolean(),
});

export const providerResponse = entity("Provider", {
  provider: z.enum(SIGN_IN_PROVIDERS),
  createdAt: time,
  /** False for the account's only way to sign in. */
  removable: z.boolean(),
});
