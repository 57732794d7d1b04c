import * as z from "zod/mini";
import { SIGN_UP_MODES } from "./administration";
import { count, emailAddress, entity, nullishTo, RESPONSES } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { CONFIRMED_PURPOSES, LANGUAGES, REMEMBERED_DAYS, SIGN_IN_PROVIDERS } from "./options";
import { passkeyUse } from "./passkeys";
import { settingInputs } from "./users";

const newPassword = z
  .string({ error: (issue) => (issue.input == null ? MESSAGES.passwordRequired : undefined) })
  .check(z.minLength(LIMITS.passwordMin, MESSAGES.passwordTooShort), z.maxLength(LIMITS.passwordMax));

const token = z.string();

/** Whether to revoke the account's API tokens as well. */
const revokeTokens = (byDefault: boolean) => nullishTo(z.boolean(), (given) => given ?? byDefault);

/** The language of the page on which an account is created, so that its first mail is in it. */
const languagePreference = settingInputs.languagePreference;

export const registerInput = z.object({
  languagePreference,
  email: emailAddress(MESSAGES.invalidEmailAddress),
  password: newPassword,
  /** The end of the setup link, which the first account of a server needs. */
  setupToken: z.nullish(token),
});

export type RegisterInput = z.output<typeof registerInput>;

export const loginInput = z.object({
  email: emailAddress(MESSAGES.invalidEmailAddress),
  password: z
    .string({ error: (issue) => (issue.input == null ? MESSAGES.passwordRequired : undefined) })
    .check(z.minLength(1, MESSAGES.passwordRequired), z.maxLength(LIMITS.passwordMax)),
});

/** What confirms that it is still the same person; one of them. */
export const reauthenticateInput = z
  .object({
    password: z.nullish(z.string().check(z.maxLength(LIMITS.passwordMax))),
    code: z
      .nullish(z.string().check(z.maxLength(LIMITS.code)))
      .check(z.describe("Of an authenticator app or, without one, mailed")),
    recoveryCode: z.nullish(z.string().check(z.maxLength(LIMITS.code))),
    passkey: z.nullish(passkeyUse),
  })
  .check(z.refine((input) => Object.values(input).filter((value) => value != null).length === 1));
export type ReauthenticateInput = z.output<typeof reauthenticateInput>;

const passwordPair = z.object({ newPassword: z.string(), confirmPassword: z.string() });

export const changePasswordInput = z
  .object({
    currentPassword: z
      .string({ error: (issue) => (issue.input == null ? MESSAGES.currentPasswordRequired : undefined) })
      .check(z.minLength(1, MESSAGES.currentPasswordRequired), z.maxLength(LIMITS.passwordMax)),
    newPassword,
    revokeTokens: revokeTokens(false),
    confirmPassword: z.string({
      error: (issue) => (issue.input == null ? MESSAGES.passwordsDontMatch : undefined),
    }),
  })
  .check(
    z.refine((input) => input.newPassword === input.confirmPassword, {
      path: ["confirmPassword"],
      message: MESSAGES.passwordsDontMatch,
      // Also after another field has failed, so that the response names both.
      when: ({ value }) => passwordPair.safeParse(value).success,
    }),
  );

export const forgotPasswordInput = z.object({ email: emailAddress(MESSAGES.invalidEmailAddress) });
export const resetPasswordInput = z.object({ token, newPassword, revokeTokens: revokeTokens(true) });
/** The links to confirm an address, to undo its change, and to remove it from somebody else's account. */
export const emailLinkInput = z.object({ token });
export const readInvitationInput = z.object({ token });
export const joinWorkspaceInput = z.object({ token });
/** The link that `users sign-in-link` makes. */
export const signInLinkInput = z.object({ token });
export const requestInvitationInput = z.object({
  email: emailAddress(MESSAGES.invalidEmailAddress),
  language: z._default(z.enum(LANGUAGES), "en").check(z.describe("Of the mail")),
});
export const acceptInvitationInput = z.object({ token, password: newPassword, languagePreference });

/** Who may create an account: as configured or, before the first one, whoever has the setup link. */
const SIGN_UP_STATES = [...SIGN_UP_MODES, "setup"] as const;
export type SignUpState = (typeof SIGN_UP_STATES)[number];

export const sessionStateResponse = entity("SessionState", {
  signedIn: z.boolean(),
  signUp: z.optional(z.enum(SIGN_UP_STATES)),
  noAccount: z.optional(z.literal(true)).check(z.describe("Whether nobody has an account yet")),
  otherBackups: z
    .optional(z.literal(true))
    .check(z.describe("Whether there are backups of a server with accounts, but this one has none")),
  passwordSignIn: z
    .optional(z.literal("off"))
    .check(z.describe("Whether only other ways to sign in are left")),
  oidcName: z.optional(z.string()).check(z.describe("What the operator calls the OpenID provider")),
  needsSecondFactor: z
    .optional(z.literal(true))
    .check(z.describe("Whether the account can do nothing else before it has set up a second factor")),
});

export const providerNameResponse = z.enum(SIGN_IN_PROVIDERS).register(RESPONSES, { id: "ProviderName" });

export const beginProviderSignInInput = z.object({
  next: z.nullish(z.string()).check(z.describe("The page of the app to return to")),
  languagePreference: languagePreference.check(z.describe("Of an account that is created")),
});
export const providerUrlResponse = entity("ProviderUrl", {
  url: z.string().check(z.describe("Where the browser signs in with the provider")),
});

export type ProviderUrl = z.output<typeof providerUrlResponse>;

export const providerConfirmationResponse = entity("ProviderConfirmation", {
  id: z.string(),
  purpose: z
    .enum(CONFIRMED_PURPOSES)
    .check(z.describe("To link the provider to the account, or to sign in with it instead")),
  provider: providerNameResponse,
  account: z
    .string()
    .check(z.describe("The account at the provider: its address or, without one, its name or id")),
  email: z.string().check(z.describe("The address of the account that is signed in")),
  next: z.string().check(z.describe("The page to return to")),
});
export const confirmProviderInput = z.object({ id: z.string() });
export const confirmedProviderResponse = entity("ConfirmedProvider", {
  next: z.string().check(z.describe("The page to return to")),
});

/** A code as typed, with or without spaces. */
const code = z.string().check(z.maxLength(LIMITS.code));

export const confirmTotpInput = z.object({ code });

export const secondFactorInput = z
  .object({
    challenge: z.string().check(z.maxLength(LIMITS.code * 2)),
    code: z.nullish(code).check(z.describe("Of the authenticator app")),
    recoveryCode: z.nullish(code),
    passkey: z.nullish(passkeyUse),
    remember: z
      .nullish(z.boolean())
      .check(z.describe(`Whether this browser signs in without a second factor for ${REMEMBERED_DAYS} days`)),
  })
  .check(
    z.refine(
      (input) =>
        [input.code, input.recoveryCode, input.passkey].filter((given) => given != null).length === 1,
    ),
  );
export type SecondFactorInput = z.output<typeof secondFactorInput>;

export const newTotpResponse = entity("NewAuthenticatorApp", {
  secret: z.string().check(z.describe("In Base32")),
  uri: z.string().check(z.describe("For a QR code")),
});

export const recoveryCodesResponse = entity("RecoveryCodes", {
  recoveryCodes: z.array(z.string()).check(z.describe("Each works once; they are not shown again")),
});

export const twoFactorResponse = entity("TwoFactor", {
  totp: z.boolean().check(z.describe("Whether an authenticator app is active")),
  recoveryCodesLeft: count,
  passkeys: count,
  rememberedDevices: count,
  required: z.boolean().check(z.describe("Whether the instance requires a second factor of this account")),
});
