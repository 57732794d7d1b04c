/** Choices that the specification defines. The first one is the default, if there is one. */

export const LANGUAGES = ["en", "fr", "es", "zh", "de", "pt", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

/** When an account is told of submissions: of each at once, or of those of an hour or a day together. */
export const SUBMISSION_MAILS = ["at_once", "hourly", "daily"] as const;
export type SubmissionMails = (typeof SUBMISSION_MAILS)[number];

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const COUNTRY_CODES = ["+1", "+44", "+61", "+33", "+49", "+81", "+86", "+91"] as const;
export const DEFAULT_COUNTRY_CODE = COUNTRY_CODES[0];

export const REMINDER_FREQUENCIES = ["none", "daily", "weekly", "monthly"] as const;
export type ReminderFrequency = (typeof REMINDER_FREQUENCIES)[number];

export const NOTIFICATION_PREFERENCES = ["email", "sms", "both"] as const;
export type NotificationPreference = (typeof NOTIFICATION_PREFERENCES)[number];

const NEEDED = {
  email: { email: true, phone: false },
  sms: { email: false, phone: true },
  both: { email: true, phone: true },
} satisfies Record<NotificationPreference, { email: boolean; phone: boolean }>;

export const needsEmail = (preference: NotificationPreference): boolean => NEEDED[preference].email;
export const needsPhone = (preference: NotificationPreference): boolean => NEEDED[preference].phone;

export const USAGE_TYPES = ["personal", "business", "enterprise"] as const;
export type UsageType = (typeof USAGE_TYPES)[number];

export const DOCUMENT_TYPES = ["contracts", "forms", "tax_documents", "other"] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Allowed numbers of days to keep files after an envelope was completed. */
export const RETENTION_DAYS = [7, 30, 90, 180, 365] as const;
export type RetentionDays = (typeof RETENTION_DAYS)[number];

export const ENVELOPE_STATUSES = ["draft", "scheduled", "pending", "completed", "expired"] as const;
export type EnvelopeStatus = (typeof ENVELOPE_STATUSES)[number];
/** Whether it was never sent: its link does not work, and its placeholders are as typed. */
export const isUnsent = (status: EnvelopeStatus): boolean => status === "draft" || status === "scheduled";

export const DEFAULT_FILE_TYPES = ["pdf", "doc", "docx"] as const;

export const SIGN_IN_PROVIDERS = ["google", "microsoft", "github", "oidc"] as const;
export type SignInProvider = (typeof SIGN_IN_PROVIDERS)[number];
/** Their own names, the same in every language. That of `oidc` is the operator's, see `OIDC_NAME`. */
export const PROVIDER_NAMES: Record<SignInProvider, string> = {
  google: "Google",
  microsoft: "Microsoft",
  github: "GitHub",
  oidc: "OpenID Connect",
};

/** What somebody who is signed in has to confirm after signing in with a provider: to link it, or to be signed in with it. */
export const CONFIRMED_PURPOSES = ["link", "sign_in"] as const;
export type ConfirmedPurpose = (typeof CONFIRMED_PURPOSES)[number];

/** How somebody has proved who they are; `invitation` is the link that an invitation mails, `link` one that the
 * operator has made. */
export const SIGN_IN_METHODS = ["password", "passkey", "invitation", "link", ...SIGN_IN_PROVIDERS] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];
/** What proves a second time who somebody is, after a password. */
export const SECOND_FACTORS = ["totp", "recovery_code", "passkey"] as const;
export type SecondFactor = (typeof SECOND_FACTORS)[number];
/** How many recovery codes an account gets at a time. */
export const RECOVERY_CODES = 10;
/** How long the link of an invitation works. */
export const INVITATION_DAYS = 7;
/** How long a browser needs no second factor after its last sign-in. */
export const REMEMBERED_DAYS = 30;
/** How somebody who is signed in confirms that it is still them; `mail` is a mailed code, for who has nothing else. */
export const CONFIRMATION_METHODS = [...SECOND_FACTORS, "password", "mail"] as const;
export type ConfirmationMethod = (typeof CONFIRMATION_METHODS)[number];
/** Of passkeys: Ed25519, ECDSA with P-256, RSA. Browsers and both runtimes support them; the best is first. */
export const PASSKEY_ALGORITHMS = [-8, -7, -257] as const;
/** How long a sign-in counts as recent. */
export const RECENT_MINUTES = 10;
/** The second factor of a sign-in; `device` is a browser that the account remembers. */
export const USED_FACTORS = [...SECOND_FACTORS, "device"] as const;
export type UsedFactor = (typeof USED_FACTORS)[number];
/** Whose account needs a second factor. */
export const TWO_FACTOR_POLICIES = ["optional", "administrators", "everybody"] as const;
/** How many days sign-ins are stored. */
export const SIGN_IN_DAYS = 90;

/** How long the recipients of a bulk send who got no envelope are stored. */
export const FAILED_RECIPIENT_DAYS = 90;

/** What an API token may do: read only, or read and write. */
export const TOKEN_SCOPES = ["read", "write"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];
export const MAY_WRITE = { read: false, write: true } satisfies Record<TokenScope, boolean>;

/** What somebody may do in a workspace: each role includes those after it. */
export const ROLES = ["owner", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** The themes in which a logo is readable without a plate. */
export const LOGO_GROUNDS = ["none", "light", "dark", "both"] as const;
export type LogoGround = (typeof LOGO_GROUNDS)[number];
