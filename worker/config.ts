import * as z from "zod/mini";
import { SIGN_UP_MODES } from "./contract/administration";
import { COUNTRY_CODES, TWO_FACTOR_POLICIES } from "./contract/options";
import { countryCodeOf } from "./contract/phone";
import { isLoopback } from "./lib/public-address";
import { configuredProviders } from "./lib/sign-in-providers";
import {
  addresses,
  countryCodes,
  domains,
  issuer,
  loopbackUrl,
  mailbox,
  onOrOff,
  secretKeys,
  smtpUrl,
  text,
  url,
  wholeNumber,
} from "./lib/variable-kinds";
import { LOG_LEVELS } from "./ports/logger";

/** The configuration: environment variables (Bun) or bindings (Workers). Blank counts as unset. */
const variables = {
  PORT: z._default(wholeNumber(0, 65_535), 3000),
  HOST: z._default(text, "127.0.0.1"),
  PUBLIC_URL: z.optional(url("http:", "https:")),
  DATA_DIR: z._default(text, "./data"),
  /** The folder of the nightly backups. A server that is not the one they are of says so. */
  BACKUPS: z.optional(text),
  /** Default under Bun: `secret.key` in DATA_DIR. */
  SECRET_KEY: z.optional(secretKeys),
  DATABASE_URL: z.optional(
    url("file:", "libsql:", "http:", "https:", "ws:", "wss:").check(
      z.refine(
        (value) => !/^file:(?:\?|$|:memory:)|mode=memory/.test(value),
        "“file:” and the path of a file; a database in memory would be lost at the stop",
      ),
    ),
  ),
  DATABASE_AUTH_TOKEN: z.optional(text),
  S3_ENDPOINT: z.optional(url("http:", "https:")),
  S3_BUCKET: z.optional(text),
  S3_ACCESS_KEY_ID: z.optional(text),
  S3_SECRET_ACCESS_KEY: z.optional(text),
  S3_REGION: z.optional(text),
  SMTP_URL: z.optional(smtpUrl),
  MAIL_FROM: z._default(mailbox, "Doculopes <no-reply@localhost>"),
  RESEND_API_KEY: z.optional(text),
  RESEND_API_URL: z._default(url("http:", "https:"), "https://api.resend.com"),
  TWILIO_ACCOUNT_SID: z.optional(text),
  TWILIO_AUTH_TOKEN: z.optional(text),
  TWILIO_FROM: z.optional(text),
  TWILIO_API_URL: z._default(url("http:", "https:"), "https://api.twilio.com"),
  CLAMAV_URL: z.optional(
    text.check(
      z.refine(
        (value) => /^tcp:\/\/(?:\[[\da-f:.]+\]|[^\s/:@?#[\]]+):\d+$/i.test(value) && URL.canParse(value),
        "“tcp://host:port”",
      ),
    ),
  ),
  MAX_FILE_MB: z._default(wholeNumber(1, 100_000), 100),
  /** Default: 2 GB, or one file of the maximum size if that is more. */
  MAX_ENVELOPE_MB: z.optional(wholeNumber(1, 10_000_000)),
  /** Default: no limit. */
  MAX_ACCOUNT_MB: z.optional(wholeNumber(1, 1_000_000_000)),
  MIN_FREE_MB: z._default(wholeNumber(0, 10_000_000), 500),
  TRUSTED_PROXIES: z._default(wholeNumber(0, 10), 0),
  LOG_LEVEL: z._default(z.enum(LOG_LEVELS, { error: "“info”, “warn” or “error”" }), "info"),
  /** Default: text in a terminal and JSON otherwise. */
  LOG_FORMAT: z.optional(z.enum(["json", "text"], { error: "“json” or “text”" })),
  /** If unset, there is no `/metrics`. */
  METRICS_TOKEN: z.optional(text.check(z.minLength(16, "a text of at least 16 characters"))),
  HSTS_SUBDOMAINS: z._default(onOrOff, "off"),
  STOP_DELAY: z._default(wholeNumber(0, 300), 0),
  RATE_LIMITS: z._default(onOrOff, "on"),
  RECIPIENT_MESSAGES_PER_HOUR: z._default(wholeNumber(1, 1_000_000), 20),
  NEW_ACCOUNT_INVITATIONS_PER_DAY: z._default(wholeNumber(1, 1_000_000), 200),
  UNVERIFIED_ENVELOPES: z._default(wholeNumber(0, 1_000_000), 0),
  SMS_PER_DAY: z._default(wholeNumber(0, 1_000_000), 100),
  MAILS_PER_DAY: z._default(wholeNumber(0, 1_000_000_000), 10_000),
  SMS_PER_DAY_ALL: z._default(wholeNumber(0, 1_000_000_000), 1000),
  /** Default: the country of TWILIO_FROM, or the offered ones if that is no number. */
  SMS_COUNTRIES: z.optional(countryCodes),
  SIGN_UP: z.optional(
    z.enum(SIGN_UP_MODES, { error: "“open”, “domains”, “invite”, “administrators” or “off”" }),
  ),
  SIGN_UP_DOMAINS: z.optional(domains),
  /** The id of the workspace that accounts of SIGN_UP_DOMAINS join. Default: none but their own. */
  SIGN_UP_WORKSPACE: z.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  SIGN_UP_ROLE: z._default(z.enum(["member", "viewer"], { error: "“member” or “viewer”" }), "viewer"),
  ADMIN_EMAILS: z.optional(addresses),
  /** Whose account needs a second factor. */
  TWO_FACTOR: z._default(
    z.enum(TWO_FACTOR_POLICIES, { error: "“optional”, “administrators” or “everybody”" }),
    "optional",
  ),
  /** If off, only passkeys and other sign-in services are left. */
  PASSWORD_SIGN_IN: z._default(onOrOff, "on"),
  /** Whether webhooks may use private addresses and http. */
  WEBHOOK_ALLOW_PRIVATE: z._default(onOrOff, "off"),
  /** The folder below which administrators may have submitted files copied; only Bun. */
  DELIVERY_DIR: z.optional(text),
  SUPPORT_EMAIL: z.optional(mailbox),
  GOOGLE_CLIENT_ID: z.optional(text),
  GOOGLE_CLIENT_SECRET: z.optional(text),
  MICROSOFT_ENTRA_ID_CLIENT_ID: z.optional(text),
  MICROSOFT_ENTRA_ID_CLIENT_SECRET: z.optional(text),
  MICROSOFT_ENTRA_ID_TENANT_ID: z.optional(text),
  GITHUB_CLIENT_ID: z.optional(text),
  GITHUB_CLIENT_SECRET: z.optional(text),
  OIDC_ISSUER: z.optional(issuer),
  OIDC_CLIENT_ID: z.optional(text),
  OIDC_CLIENT_SECRET: z.optional(text),
  OIDC_NAME: z.optional(text.check(z.maxLength(60, "at most 60 characters"))),
  OIDC_DOMAINS: z.optional(domains),
  /** Whether its addresses count as verified if it does not say whether they are. */
  OIDC_TRUST_EMAIL: z._default(onOrOff, "off"),
  /** For tests: a local server in place of Google and Microsoft. */
  PROVIDER_URL: z.optional(loopbackUrl),
};

/** Variables that are only valid together. */
const GROUPS = [
  ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
  ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["MICROSOFT_ENTRA_ID_CLIENT_ID", "MICROSOFT_ENTRA_ID_CLIENT_SECRET"],
  ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
] as const;

const MIB = 1024 * 1024;
const ENVELOPE_MB = 2048;
const UPLOADS_PER_ENVELOPE = 10;

const schema = z.object(variables);
/** The name of every variable. */
export const VARIABLE_NAMES = Object.keys(variables);

export type Variables = z.output<typeof schema>;

/** The app's part of the configuration; entries and adapters use the rest. */
export type AppConfig = ReturnType<typeof appConfig>;

/** How often an upload renews its lease, and how long another process waits for a renewal before revoking it. */
export type LeaseTimes = { renewMs: number; expireMs: number };

/** Allows five renewals to fail, for example while another process locks the database. */
export const UPLOAD_LEASES: LeaseTimes = { renewMs: 5000, expireMs: 25_000 };

export class ConfigError extends Error {}

/**
 * Reads the variables from `source`.
 * @throws ConfigError that names the variable, its value and the accepted values
 */
export function readVariables(source: Record<string, unknown>): Variables {
  const values: Record<string, unknown> = {};
  for (const name of VARIABLE_NAMES) {
    const value = source[name];
    if (typeof value === "string" && value.trim() !== "") values[name] = value;
  }
  const result = schema.safeParse(values);
  if (!result.success) {
    const [issue] = result.error.issues;
    const name = String(issue?.path[0]);
    const value = shown(name, values[name]);
    throw new ConfigError(`${name} ${value === null ? "" : `is ${value}, but `}must be ${issue?.message}`);
  }
  for (const group of GROUPS) {
    const missing = group.filter((name) => values[name] === undefined);
    if (missing.length > 0 && missing.length < group.length)
      throw new ConfigError(
        `${missing.join(", ")} must be set too, since ${group.find((name) => values[name])} is`,
      );
  }
  if (result.data.SIGN_UP === "domains" && !result.data.SIGN_UP_DOMAINS)
    throw new ConfigError("SIGN_UP_DOMAINS must be set too, since SIGN_UP is “domains”");
  return result.data;
}

/** Variables whose value is or may contain a password. */
const SECRETS = /KEY|SECRET|TOKEN|^(?:SMTP|DATABASE|CLAMAV|RESEND_API|TWILIO_API)_URL$|^S3_ENDPOINT$/;

/**
 * The value as shown in a message. One that is not a valid URL is null, because its password cannot be found.
 */
function shown(name: string, value: unknown): string | null {
  if (!SECRETS.test(name)) return JSON.stringify(value);
  const { protocol = "", host, pathname, search, hash } = URL.parse(String(value)) ?? {};
  // An @ after the host: what looks like the host is the beginning of a password.
  return host && !`${pathname}${search}${hash}`.includes("@") ? JSON.stringify(`${protocol}//${host}`) : null;
}

/** The app's part of the configuration. `port` is the port actually in use. */
export function appConfig(variables: Variables, port = variables.PORT) {
  const local = `http://localhost:${port}`;
  const publicUrl = new URL(variables.PUBLIC_URL ?? local).origin;
  const signUp = variables.SIGN_UP ?? "open";
  const envelopeMb = variables.MAX_ENVELOPE_MB ?? Math.max(ENVELOPE_MB, variables.MAX_FILE_MB);
  return {
    /** The origin for links and cookies, without a trailing slash. */
    publicUrl,
    /**
     * Whether the first account needs the setup link, because a stranger could otherwise become the administrator. With
     * ADMIN_EMAILS the first account is none, but without an invitation it is not welcome either.
     */
    protectsFirstAccount: !isOnlyLocal(variables) && !(variables.ADMIN_EMAILS?.length && signUp === "open"),
    /** Whether browsers may only use https, also for subdomains (HSTS). */
    transport: {
      https: publicUrl.startsWith("https:"),
      subdomains: variables.HSTS_SUBDOMAINS === "on",
    },
    /** Origins that may send state-changing requests. */
    allowedOrigins: variables.PUBLIC_URL
      ? [publicUrl]
      : [local, `http://127.0.0.1:${port}`, `http://[::1]:${port}`],
    mailFrom: variables.MAIL_FROM,
    supportEmail: addressOf(variables.SUPPORT_EMAIL ?? variables.MAIL_FROM),
    uploadLeases: UPLOAD_LEASES,
    /** Off only for load tests. */
    limitsRates: variables.RATE_LIMITS === "on",
    allowsPrivateWebhooks: variables.WEBHOOK_ALLOW_PRIVATE === "on",
    /** Messages an hour from one account to one address or number. */
    recipientMessagesPerHour: variables.RECIPIENT_MESSAGES_PER_HOUR,
    /** Envelopes sent a day from an account younger than a week. */
    newAccountInvitationsPerDay: variables.NEW_ACCOUNT_INVITATIONS_PER_DAY,
    /**
     * How often envelopes can be sent, updates included, before the requestor's address is verified, if mail is
     * configured.
     */
    unverifiedEnvelopes: variables.UNVERIFIED_ENVELOPES,
    /** Text messages a day from one account. */
    textMessagesPerDay: variables.SMS_PER_DAY,
    /** Messages a day to recipients from all accounts together. */
    messagesPerDay: { email: variables.MAILS_PER_DAY, sms: variables.SMS_PER_DAY_ALL },
    /** The country codes of numbers that text messages may go to; null if all may, because nothing is sent. */
    smsCountries: smsCountries(variables),
    /** Maximum size of an uploaded file in bytes. */
    maxFileBytes: Math.min(variables.MAX_FILE_MB, envelopeMb) * MIB,
    quotas: {
      envelopeBytes: envelopeMb * MIB,
      accountBytes: variables.MAX_ACCOUNT_MB === undefined ? null : variables.MAX_ACCOUNT_MB * MIB,
      uploadsPerEnvelope: UPLOADS_PER_ENVELOPE,
    },
    signInProviders: configuredProviders(variables),
    /** What stands in for Google and Microsoft in tests. */
    providerUrl: variables.PROVIDER_URL,
    /** Who may create an account. */
    signUp,
    /** Whether the operator has chosen that. */
    signUpChosen: variables.SIGN_UP !== undefined,
    /** Whose addresses come by themselves where `signUp` is `domains`, and the workspace that they join, if any. */
    signUpDomains: {
      domains: variables.SIGN_UP_DOMAINS ?? [],
      workspaceId: variables.SIGN_UP_WORKSPACE ?? null,
      role: variables.SIGN_UP_ROLE,
    },
    /** Whose account needs a second factor. */
    twoFactor: variables.TWO_FACTOR,
    /** Whether passwords sign in and register. */
    allowsPasswords: variables.PASSWORD_SIGN_IN === "on",
    /** The administrators' addresses; if empty, the first account is the administrator. */
    adminEmails: variables.ADMIN_EMAILS ?? [],
  };
}

function smsCountries({ SMS_COUNTRIES, TWILIO_FROM }: Variables): readonly string[] | null {
  if (TWILIO_FROM === undefined) return null;
  const own = countryCodeOf(TWILIO_FROM);
  return SMS_COUNTRIES ?? (own === null ? COUNTRY_CODES : [own]);
}

/** The bare address of `Name <address>`. */
export function addressOf(mailbox: string): string {
  return /<([^<>]+)>\s*$/.exec(mailbox)?.[1] ?? mailbox.trim();
}

/** Whether only this machine's own users reach the server: directly, and through a proxy if PUBLIC_URL names none. */
const isOnlyLocal = ({ HOST, PUBLIC_URL }: Variables) =>
  isLoopback(HOST) && (!PUBLIC_URL || isLoopback(new URL(PUBLIC_URL).hostname));
