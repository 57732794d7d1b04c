import * as z from "zod";
import { SIGN_UP_MODES } from "../administration";
import { DOCUMENT_TYPES, LANGUAGES, SIGN_IN_PROVIDERS, THEMES, TOKEN_SCOPES, USAGE_TYPES } from "../options";
import { id, moment, text } from "./fields";

const User = z.object({
  id,
  email: text,
  firstName: text.nullable(),
  lastName: text.nullable(),
  companyName: text.nullable(),
  avatarUrl: text.nullable(),
  phoneNumber: text.nullable(),
  username: text.nullable(),
  themePreference: z.enum(THEMES),
  languagePreference: z.enum(LANGUAGES),
  onboardingCompleted: z.boolean(),
  usageType: z.enum(USAGE_TYPES).nullable(),
  documentType: z.enum(DOCUMENT_TYPES).nullable(),
  timeZone: text.nullable().describe("An IANA name; null is UTC"),
  lastWorkspaceId: id.nullable(),
  isVerified: z.boolean(),
  isAdministrator: z.boolean(),
  createdAt: moment,
});

const Session = z.object({
  id: text,
  userAgent: text,
  address: text,
  createdAt: moment,
  lastUsedAt: moment,
  current: z.boolean(),
});

const Provider = z.object({
  provider: z.enum(SIGN_IN_PROVIDERS),
  createdAt: moment,
  /** False for the account's only way to sign in. */
  removable: z.boolean(),
});

const apiToken = {
  id,
  name: text,
  scope: z.enum(TOKEN_SCOPES),
  prefix: text,
  createdAt: moment,
  expiresAt: moment.nullable(),
  lastUsedAt: moment.nullable(),
};
const ApiToken = z.object(apiToken);
const NewApiToken = z.object({ ...apiToken, token: text.describe("Returned only once") });

const SessionState = z.object({ signedIn: z.boolean(), signUp: z.enum(SIGN_UP_MODES).optional() });
const ProviderName = z.enum(SIGN_IN_PROVIDERS);

export const ACCOUNT_ANSWERS = { User, Session, Provider, ApiToken, NewApiToken, SessionState, ProviderName };
