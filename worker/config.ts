import * as z from "zod";
import { SIGN_UP_MODES, type SignUpMode } from "./contract/administration";
import { TWO_FACTOR_POLICIES, type TwoFactorPolicy } from "./contract/options";
import type { Quotas } from "./contract/quotas";
import { isLoopback } from "./lib/public-address";
import type { Transport } from "./lib/security-headers";
import { configuredProviders, type ProviderSettings } from "./lib/sign-in-providers";
import {
  addresses,
  domains,
  issuer,
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
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: text.default("127.0.0.1"),
  PUBLIC_URL: url("http:", "https:").optional(),
  DATA_DIR: text.default("./data"),
  /** Default under Bun: `secret.key` in DATA_DIR. */
  SECRET_KEY: secretKeys.optional(),
  DATABASE_URL: url("file:", "libsql:", "http:", "https:", "ws:", "wss:")
    .refine(
      (value) => !/^file:(?:\?|$|:memory:)|mode=memory/.test(value),
      "“file:” and the path of a file; a database in memory would be lost at the stop",
    )
    .optional(),
  DATABASE_AUTH_TOKEN: text.optional(),
  S3_ENDPOINT: url("http:", "https:").optional(),
  S3_BUCKET: text.optional(),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  S3_REGION: text.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailbox.default("Doculopes <no-reply@localhost>"),
  RESEND_API_KEY: text.optional(),
  RESEND_API_URL: url("http:", "https:").default("https://api.resend.com"),
  TWILIO_ACCOUNT_SID: text.optional(),
  TWILIO_AUTH_TOKEN: text.optional(),
  TWILIO_FROM: text.optional(),
  TWILIO_API_URL: url("http:", "https:").default("https://api.twilio.com"),
  CLAMAV_URL: text
    .refine(
      (value) => /^tcp:\/\/(?:\[[\da-f:.]+\]|[^\s/:@?#[\]]+):\d+$/i.test(value) && URL.canParse(value),
      "“tcp://host:port”",
    )
    .optional(),
  MAX_FILE_MB: wholeNumber(1, 100_000).default(100),
  /** Default: 2 GB, or one file of the maximum size if that is more. */
  MAX_ENVELOPE_MB: wholeNumber(1, 10_000_000).optional(),
  /** Default: no limit. */
  MAX_ACCOUNT_MB: wholeNumber(1, 1_000_000_000).optional(),
  MIN_FREE_MB: wholeNumber(0, 10_000_000).default(500),
  TRUSTED_PROXIES: wholeNumber(0, 10).default(0),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: "“info”, “warn” or “error”" }).default("info"),
  /** Default: text in a terminal and JSON otherwise. */
  LOG_FORMAT: z.enum(["json", "text"], { error: "“json” or “text”" }).optional(),
  /** If unset, there is no `/metrics`. */
  METRICS_TOKEN: text.min(16, "a text of at least 16 characters").optional(),
  HSTS_SUBDOMAINS: onOrOff.default("off"),
  STOP_DELAY: wholeNumber(0, 300).default(0),
  RATE_LIMITS: onOrOff.default("on"),
  RECIPIENT_MESSAGES_PER_HOUR: wholeNumber(1, 1_000_000).default(20),
  NEW_ACCOUNT_INVITATIONS_PER_DAY: wholeNumber(1, 1_000_000).default(200),
  UNVERIFIED_ENVELOPES: wholeNumber(0, 1_000_000).default(3),
  SMS_PER_DAY: wholeNumber(0, 1_000_000).default(100),
  SIGN_UP: z.enum(SIGN_UP_MODES, { error: "“open”, “invite” or “off”" }).default("open"),
  ADMIN_EMAILS: addresses.optional(),
  /** Whose account needs a second factor. */
  TWO_FACTOR: z
    .enum(TWO_FACTOR_POLICIES, { error: "“optional”, “administrators” or “everybody”" })
    .default("optional"),
  /** If off, only passkeys and other sign-in services are left. */
  PASSWORD_SIGN_IN: onOrOff.default("on"),
  /** Whether webhooks may use private addresses and http. */
  WEBHOOK_ALLOW_PRIVATE: z.enum(["on", "off"], { error: "“on” or “off”" }).default("off"),
  SUPPORT_EMAIL: mailbox.optional(),
  GOOGLE_CLIENT_ID: text.optional(),
  GOOGLE_CLIENT_SECRET: text.optional(),
  MICROSOFT_ENTRA_ID_CLIENT_ID: text.optional(),
  MICROSOFT_ENTRA_ID_CLIENT_SECRET: text.optional(),
  MICROSOFT_ENTRA_ID_TENANT_ID: text.optional(),
  GITHUB_CLIENT_ID: text.optional(),
  GITHUB_CLIENT_SECRET: text.optional(),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: text.optional(),
  OIDC_CLIENT_SECRET: text.optional(),
  OIDC_NAME: text.max(60, "at most 60 characters").optional(),
  OIDC_DOMAINS: domains.optional(),
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
export type AppConfig = {
  /** The origin for links and cookies, without a trailing slash. */
  publicUrl: string;
  /** Whether the first account needs the setup link, because a stranger could otherwise become the administrator. */
  protectsFirstAccount: boolean;
  /** Whether browsers may only use https, also for subdomains (HSTS). */
  transport: Transport;
  /** Origins that may send state-changing requests. */
  allowedOrigins: readonly string[];
  mailFrom: string;
  supportEmail: string;
  /** Maximum size of an uploaded file in bytes. */
  maxFileBytes: number;
  quotas: Quotas;
  uploadLeases: LeaseTimes;
  /** Off only for load tests. */
  limitsRates: boolean;
  allowsPrivateWebhooks: boolean;
  /** Messages an hour from one account to one address or number. */
  recipientMessagesPerHour: number;
  /** Envelopes sent a day from an account younger than a week. */
  newAccountInvitationsPerDay: number;
  /**
   * How often envelopes can be sent, updates included, before the requestor's address is verified, if mail is
   * configured.
   */
  unverifiedEnvelopes: number;
  /** Text messages a day from one account. */
  textMessagesPerDay: number;
  signInProviders: readonly ProviderSettings[];
  /** Who may create an account. */
  signUp: SignUpMode;
  /** Whose account needs a second factor. */
  twoFactor: TwoFactorPolicy;
  /** Whether passwords sign in and register. */
  allowsPasswords: boolean;
  /** The administrators' addresses; if empty, the first account is the administrator. */
  adminEmails: readonly string[];
};

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
    throw new ConfigError(`${name} is ${shown(name, values[name])}, but must be ${issue?.message}`);
  }
  for (const group of GROUPS) {
    const missing = group.filter((name) => values[name] === undefined);
    if (missing.length > 0 && missing.length < group.length)
      throw new ConfigError(
        `${missing.join(", ")} must be set too, since ${group.find((name) => values[name])} is`,
      );
  }
  return result.data;
}

/** Variables whose value is or may contain a password. */
const SECRETS = /KEY|SECRET|TOKEN|^(?:SMTP|DATABASE|CLAMAV|RESEND_API|TWILIO_API)_URL$|^S3_ENDPOINT$/;

/**
 * The value as shown in a message. A value that is not a valid URL is hidden, because its password cannot be found.
 */
function shown(name: string, value: unknown): string {
  if (!SECRETS.test(name)) return JSON.stringify(value);
  const { protocol = "", host, pathname, search, hash } = URL.parse(String(value)) ?? {};
  // An @ after the host: what looks like the host is the beginning of a password.
  return host && !`${pathname}${search}${hash}`.includes("@")
    ? JSON.stringify(`${protocol}//${host}`)
    : "a value that is not shown";
}

/** The app's part of the configuration. `port` is the port actually in use. */
export function appConfig(variables: Variables, port = variables.PORT): AppConfig {
  const local = `http://localhost:${port}`;
  const publicUrl = new URL(variables.PUBLIC_URL ?? local).origin;
  const envelopeMb = variables.MAX_ENVELOPE_MB ?? Math.max(ENVELOPE_MB, variables.MAX_FILE_MB);
  return {
    publicUrl,
    // With ADMIN_EMAILS the first account is not an administrator, but without an invitation it is not welcome either.
    protectsFirstAccount:
      !isOnlyLocal(variables) && !(variables.ADMIN_EMAILS?.length && variables.SIGN_UP === "open"),
    transport: {
      https: publicUrl.startsWith("https:"),
      subdomains: variables.HSTS_SUBDOMAINS === "on",
    },
    allowedOrigins: variables.PUBLIC_URL
      ? [publicUrl]
      : [local, `http://127.0.0.1:${port}`, `http://[::1]:${port}`],
    mailFrom: variables.MAIL_FROM,
    supportEmail: addressOf(variables.SUPPORT_EMAIL ?? variables.MAIL_FROM),
    uploadLeases: UPLOAD_LEASES,
    limitsRates: variables.RATE_LIMITS === "on",
    allowsPrivateWebhooks: variables.WEBHOOK_ALLOW_PRIVATE === "on",
    recipientMessagesPerHour: variables.RECIPIENT_MESSAGES_PER_HOUR,
    newAccountInvitationsPerDay: variables.NEW_ACCOUNT_INVITATIONS_PER_DAY,
    unverifiedEnvelopes: variables.UNVERIFIED_ENVELOPES,
    textMessagesPerDay: variables.SMS_PER_DAY,
    maxFileBytes: Math.min(variables.MAX_FILE_MB, envelopeMb) * MIB,
    quotas: {
      envelopeBytes: envelopeMb * MIB,
      accountBytes: variables.MAX_ACCOUNT_MB === undefined ? null : variables.MAX_ACCOUNT_MB * MIB,
      uploadsPerEnvelope: UPLOADS_PER_ENVELOPE,
    },
    signInProviders: configuredProviders(variables),
    signUp: variables.SIGN_UP,
    twoFactor: variables.TWO_FACTOR,
    allowsPasswords: variables.PASSWORD_SIGN_IN === "on",
    adminEmails: variables.ADMIN_EMAILS ?? [],
  };
}

/** The bare address of `Name <address>`. */
export function addressOf(mailbox: string): string {
  return /<([^<>]+)>\s*$/.exec(mailbox)?.[1] ?? mailbox.trim();
}

/** Whether only this machine's own users open the server, as PUBLIC_URL says, or else the address it listens on. */
const isOnlyLocal = ({ HOST, PUBLIC_URL }: Variables) =>
  isLoopback(PUBLIC_URL ? new URL(PUBLIC_URL).hostname : HOST);
